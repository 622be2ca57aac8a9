"""Built-in corpora made by grammars: `load_demo(name)` and the names, `DEMOS`."""

from heed.data.demos.catalogue import DEMOS, load_demo

__all__ = ["DEMOS", "load_demo"]
