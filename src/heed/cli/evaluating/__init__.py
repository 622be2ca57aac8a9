"""`heed evaluate`, one file for each kind of model: what it is scored on, and how the scores are printed."""
