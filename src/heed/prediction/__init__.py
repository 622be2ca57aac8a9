"""A finished run as something to use."""
