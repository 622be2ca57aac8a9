"""The training loop as a generator, and what it is made of: schedules, optimizer, average, budget, exact state."""
