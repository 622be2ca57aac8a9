"""Several models on the same data: run, measured and told apart fairly."""
