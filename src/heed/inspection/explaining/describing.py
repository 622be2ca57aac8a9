"""Sentences around an explanation: which model it is, what it did not see, and what could not be told."""

from collections.abc import Iterator, Sequence

from heed.tokens.encoded import TokenCounts

# What a person asks of a model first, and what a settings field is called there.
_SIZES = {
    "encoder_layers": "encoder layers",
    "decoder_layers": "decoder layers",
    "layers": "layers",
    "heads": "heads",
    "width": "wide",
}
NO_ATTENTION = "This model has no attention to look at."
NO_HEADS = "What a head does was not tried: there is none."
NO_ROLLOUT = "No rollout: it takes the self-attention of every layer, and not all were asked for."
NO_SELF_ATTENTION = "No rollout: this model has no self-attention."


def model_line(settings: object) -> str:
    """Return a model in a line: transformer, 2 layers, 4 heads, 128 wide."""
    kind = getattr(settings, "cell", None) or getattr(settings, "kind", "model")
    sizes = {word: size for name, word in _SIZES.items() if (size := getattr(settings, name, None)) is not None}
    named = [f"{size} {word.removesuffix('s') if size == 1 else word}" for word, size in sizes.items()]
    return ", ".join([str(kind), *named])


def unseen_notes(counts: TokenCounts) -> Iterator[str]:
    """Yield what the model could not see of a text."""
    if counts.cut:
        yield f"{counts.cut:,} of {counts.tokens:,} pieces lie beyond what the model reads; they were cut off."
    if counts.unknown:
        yield f"{counts.unknown:,} of {counts.tokens:,} pieces are unknown to the vocabulary."


def attention_notes(sites: Sequence[str], rolled: bool) -> Iterator[str]:
    """Yield what cannot be told of the attention of a model with these sites."""
    if not sites:
        yield NO_ATTENTION
    elif not any(site.endswith("self") for site in sites):
        yield NO_SELF_ATTENTION
    elif not rolled:
        yield NO_ROLLOUT
