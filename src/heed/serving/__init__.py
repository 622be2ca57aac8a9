"""`heed serve`: the models of runs behind REST, and a page that uses it."""
