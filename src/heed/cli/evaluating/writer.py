"""`heed evaluate` of a language model."""

from collections.abc import Iterator

from heed.cli.evaluating.asked import Asked, View, report, timed
from heed.errors import UsageError
from heed.prediction.evaluating import evaluate_writer
from heed.prediction.writer import Writer
from heed.tasks.write_scores import TextScores


def evaluate(model: Writer, asked: Asked) -> None:
    """Print how well the model predicts a text."""
    if asked.columns is not None or asked.save is not None:
        raise UsageError("--columns and --save mean nothing here: a language model is scored on plain text.")
    found, seconds = timed(lambda: evaluate_writer(model, asked.choice(None)))
    report(asked, found, seconds, View(_lines, _facts))


def _facts(scores: TextScores) -> dict[str, object]:
    return {
        "scores": scores,
        "loss": scores.loss,
        "perplexity": scores.perplexity,
        "nats_per_character": scores.nats_per_character,
        "bits_per_character": scores.bits_per_character,
        "word_perplexity": scores.word_perplexity,
    }


def _lines(scores: TextScores) -> Iterator[str]:
    yield f"loss {scores.loss:.4f} nats a token, perplexity {scores.perplexity:.2f}"
    yield f"{scores.bits_per_character:.4f} bits a character ({scores.nats_per_character:.4f} nats)"
    yield f"perplexity a word {scores.word_perplexity:.2f} (line ends counted as words)"
    share = scores.unknown / scores.tokens
    yield (
        f"{scores.tokens:,} tokens, {scores.characters:,} characters, {scores.words:,} words; "
        f"{scores.unknown:,} tokens unknown ({share:.2%})"
    )
