"""The command tree: the only place that prints, and the only one that imports late."""
