"""One file a model, each readable alone."""
