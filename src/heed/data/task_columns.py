"""Which columns of a table each task reads, in the order in which `--columns` and every message name them.

The command line needs this for its help, so nothing heavy is imported here.
"""

TASK_COLUMNS = {"translate": "SOURCE,TARGET", "classify": "TEXT,LABEL", "pair": "FIRST,SECOND,LABEL"}
