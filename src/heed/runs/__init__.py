"""The run folder: checkpoints that survive a kill, metrics, the best weights, one trainer at a time."""
