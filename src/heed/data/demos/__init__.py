"""Corpora made by grammars: `load_demo` for pairs, `load_labelled_demo` and `load_tagged_demo`; and their names."""

from heed.data.demos.catalogue import (
    DEMOS,
    TAGGED_DEMOS,
    labelled_demos,
    load_demo,
    load_labelled_demo,
    load_tagged_demo,
)

__all__ = ["DEMOS", "TAGGED_DEMOS", "labelled_demos", "load_demo", "load_labelled_demo", "load_tagged_demo"]
