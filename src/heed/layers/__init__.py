"""Plain PyTorch parts: each is given numbers and other parts, and knows no files, settings or web."""
