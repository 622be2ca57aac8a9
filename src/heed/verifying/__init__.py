"""Proofs on a run's own model and data: what the tests hold for all models, held for this one."""
