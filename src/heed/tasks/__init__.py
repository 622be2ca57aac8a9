"""One file a task: records, tokens and a model become losses, scores and predictions."""
