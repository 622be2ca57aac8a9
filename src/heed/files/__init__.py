"""Bytes to values, with path:line in every error; and atomic writing."""
