"""`heed evaluate` of a language model."""

import typer

from heed.api import evaluation_text
from heed.cli.evaluating.asked import Asked, timed
from heed.cli.output import print_json
from heed.errors import UsageError
from heed.prediction.writer import Writer


def evaluate(model: Writer, asked: Asked) -> None:
    """Print how well the model foretells a text."""
    if asked.columns is not None or asked.save is not None:
        raise UsageError("--columns and --save mean nothing here: a language model is scored on plain text.")
    text = evaluation_text(asked.data)
    scores, seconds = timed(lambda: model.evaluate(text))
    measures = {
        "loss": scores.loss,
        "perplexity": scores.perplexity,
        "nats_per_character": scores.nats_per_character,
        "bits_per_character": scores.bits_per_character,
        "word_perplexity": scores.word_perplexity,
    }
    if asked.json:
        print_json({"scores": scores, **measures, "seconds": seconds})
        return
    typer.echo(f"loss {scores.loss:.4f} nats a token, perplexity {scores.perplexity:.2f}")
    typer.echo(f"{scores.bits_per_character:.4f} bits a character ({scores.nats_per_character:.4f} nats)")
    typer.echo(f"perplexity a word {scores.word_perplexity:.2f} (line ends counted as words)")
    share = scores.unknown / scores.tokens
    typer.echo(
        f"{scores.tokens:,} tokens, {scores.characters:,} characters, {scores.words:,} words; "
        f"{scores.unknown:,} tokens unknown ({share:.2%}); {seconds:.1f} s"
    )
