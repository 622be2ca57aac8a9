"""Text to ids and back: bpe, wordpiece, words, characters, over the `tokenizers` library; offsets are always kept."""
