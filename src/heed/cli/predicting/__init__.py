"""`heed predict`, one file for each kind of model: which options it knows, and how what it says is printed."""
