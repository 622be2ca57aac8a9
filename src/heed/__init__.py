"""heed: train small Transformers and their forerunners on your own data, and look inside them.

`train`, `resume`, `load`, `evaluate`, `explain`, `show`, `check`, `verify`, `report`, `list_runs`, `doctor`,
`import_model` and `export_model` are what the commands of like names call. They come from `heed.api` at first use
(PEP 562), so that `import heed` and `heed --help` do not load torch.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from heed.api import (
        check,
        doctor,
        evaluate,
        explain,
        export_model,
        import_model,
        list_runs,
        load,
        report,
        resume,
        show,
        train,
        verify,
    )

__version__ = "0.6.0"
__all__ = [
    "__version__",
    "check",
    "doctor",
    "evaluate",
    "explain",
    "export_model",
    "import_model",
    "list_runs",
    "load",
    "report",
    "resume",
    "show",
    "train",
    "verify",
]


def __getattr__(name: str) -> object:
    """Return a function of `heed.api`, loading that module the first time."""
    if name not in __all__:
        raise AttributeError(f"module 'heed' has no attribute {name!r}. It has: {', '.join(__all__)}.")
    from heed import api

    return getattr(api, name)


def __dir__() -> list[str]:
    """Return the public names, those not yet loaded included."""
    return sorted({*globals(), *__all__})
