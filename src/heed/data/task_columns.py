"""Which columns of a table each task reads, in the order in which `--columns` and every message name them.

The command line needs this for its help, so nothing heavy is imported here.
"""

from collections.abc import Sequence

from heed.errors import UsageError

TASK_COLUMNS = {
    "translate": "SOURCE,TARGET",
    "classify": "TEXT,LABEL",
    "pair": "FIRST,SECOND,LABEL",
    "tag": "WORD,TAG",  # numbers: CoNLL's columns have no names
    "pretrain": "TEXT",
    "image": "PATH,LABEL",
    "caption": "PATH,CAPTION",
}


def check_count(names: Sequence[str] | None, wanted: str) -> None:
    """Refuse another number of names than are `wanted` ("TEXT,LABEL"); None leaves the choice to the table."""
    needed = len(wanted.split(","))
    if names is not None and len(names) != needed:
        raise UsageError(f"{len(names)} column(s) are named ({', '.join(names)}); name {needed}: {wanted}.")
