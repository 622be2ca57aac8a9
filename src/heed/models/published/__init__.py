"""Models as others publish them: how the settings and weights of their families are named there and here.

Nothing is read from disk here and nothing is run: names are matched with names, shapes with shapes.
"""
