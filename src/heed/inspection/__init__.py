"""What was seen inside a model, drawn."""
