"""From a model that scores the next token to whole sequences: greedy, beam search, sampling."""
