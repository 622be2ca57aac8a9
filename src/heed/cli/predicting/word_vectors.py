"""`heed predict` of word vectors: neighbours, analogies, a picture."""

import os
from pathlib import Path

import typer

from heed.cli.columns import column_names
from heed.cli.inputs import read_texts
from heed.cli.output import print_json
from heed.cli.predicting.asked import Asked
from heed.inspection.word_map import draw_word_map
from heed.prediction.word_vectors import COUNT, WordVectors

OPTIONS = ("best", "map")


def predict(model: WordVectors, asked: Asked) -> None:
    """Print the words nearest to each word or sum of words; or draw the given words as a map."""
    texts = read_texts(asked.inputs, column_names(asked.columns, "TEXT"))
    picture = asked.option("map", Path)
    if picture is not None:
        draw_word_map(model.space, [word for text in texts for word in text.split()], picture)
        typer.echo(f"heed: the map of the words is in {picture}", err=True)
        return
    # One word on the line needs no heading; with a file or standard input nobody could tell the answers apart.
    alone = len(asked.inputs) == 1 and not os.path.isfile(asked.inputs[0])
    for answer in model.stream(texts, asked.best() or COUNT):
        if asked.json:
            print_json(answer)
            continue
        if not alone:
            typer.echo(f"{answer.question}:")
        for neighbour in answer.neighbours:
            typer.echo(f"{neighbour.word}\t{neighbour.similarity:.4f}")
