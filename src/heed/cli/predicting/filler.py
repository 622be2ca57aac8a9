"""`heed predict` of a pre-trained BERT: it fills gaps."""

import typer

from heed.cli.columns import column_names
from heed.cli.inputs import read_texts
from heed.cli.output import print_json
from heed.cli.predicting.asked import Asked, say_unseen
from heed.prediction.filler import CANDIDATES, WordFiller

OPTIONS = ("best",)


def predict(model: WordFiller, asked: Asked) -> None:
    """Print each text with its gaps filled, and the candidates of each gap."""
    for filling in model.stream(
        read_texts(asked.inputs, column_names(asked.columns, "TEXT")), asked.best() or CANDIDATES
    ):
        if asked.json:
            print_json(filling)
            continue
        typer.echo(filling.text)
        for number, candidates in enumerate(filling.gaps, start=1):
            gap = f"{number}\t" if len(filling.gaps) > 1 else ""
            for candidate in candidates:
                typer.echo(f"{gap}{candidate.probability:.4f}\t{candidate.piece}")
        say_unseen(filling.cut, filling.unknown, filling.source)
