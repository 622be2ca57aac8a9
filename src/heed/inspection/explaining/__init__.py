"""`heed explain`: what is to be seen inside a model while it reads one input, one file for each family of models."""
