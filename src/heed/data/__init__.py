"""Values to records, splits, order and checks; and the built-in demo corpora."""
