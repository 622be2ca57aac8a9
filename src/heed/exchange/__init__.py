"""Models in and out: folders in the format of Hugging Face become runs, and runs become such folders."""
