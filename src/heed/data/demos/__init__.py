"""Corpora made by grammars: `load_demo` for pairs, `load_labelled_demo` for labelled texts; and their names."""

from heed.data.demos.catalogue import DEMOS, labelled_demos, load_demo, load_labelled_demo

__all__ = ["DEMOS", "labelled_demos", "load_demo", "load_labelled_demo"]
