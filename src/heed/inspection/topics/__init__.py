"""The slides' worked examples, one file a topic: each is a function of what the reader gave."""
