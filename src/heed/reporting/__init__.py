"""Runs for people: what is in a run's folder as plain values, and as a page that needs nothing else."""
