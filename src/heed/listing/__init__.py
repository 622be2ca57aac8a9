"""What stands in a folder of runs: a line for each run and each comparison."""
