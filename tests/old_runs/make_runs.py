"""Make the archive of runs that later versions must open: of each model one that ended and one that was interrupted.

Made once by the version whose runs are kept, with tiny models, a few dozen examples and no dropout:

    python tests/old_runs/make_runs.py 0.5.0.zip

The archive holds `data/`, `NAME/ended` and `NAME/interrupted` of each run below, and `expected.json`: what that version
predicted and scored with them, and the metrics of the interrupted runs after it had resumed them itself.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy
from PIL import Image

from heed.cli.settings_options import given_settings
from heed.data.demos.catalogue import load_demo, load_labelled_demo, load_question_demo, load_tagged_demo
from heed.runs.session import new_run

TRAINING = ["training.steps=6", "training.tokens_per_batch=256", "training.validations=2", "training.threads=1"]
TRAINING += ["training.checkpoint_every=2", "training.keep_checkpoints=1"]
ENCODER = ["model.width=8", "model.heads=2", "model.layers=1", "model.feedforward=12", "model.dropout=0"]
RECURRENT = ["model.width=8", "model.layers=1", "model.dropout=0"]
SMALL = ["tokens.kind=words"]
ALL_WORDS = ["model.word_dropout=0"]
BOTH_SIDES = ["model.width=8", "model.heads=2", "model.encoder_layers=1", "model.decoder_layers=1"]
BOTH_SIDES += ["model.feedforward=12", "model.dropout=0"]
FILTERS = ["model.embedding=6", "model.filters=4", "model.dropout=0"]
VECTORS = ["model.width=8", "model.minimum_count=1"]
VIT = ["model.image=16", "model.patch=8", *ENCODER]
CAPTIONER = [*ENCODER, "model.encoder.image=16", "model.encoder.patch=8", "model.encoder.width=8"]
CAPTIONER += ["model.encoder.heads=2", "model.encoder.layers=1", "model.encoder.feedforward=12"]

SOURCE = "je mange une pomme ."
REVIEW = "the food was very good"
SENTENCE = "Anna lives in Paris"
QUESTION = ["Who lives in Paris?", "Anna lives in Paris."]
PROMPT = ["the", "--length", "20"]
PAIR = ["the soup was cold", "the food was very good"]

# Name: task, data, model, settings, and what is predicted from.
RUNS: dict[str, tuple[str, str, str | None, list[str], list[str]]] = {
    "translate-transformer": ("translate", "pairs.tsv", "transformer", [*SMALL, *BOTH_SIDES], [SOURCE]),
    "translate-lstm": ("translate", "pairs.tsv", "lstm", [*SMALL, *RECURRENT], [SOURCE]),
    "classify-transformer": ("classify", "reviews.tsv", "transformer", [*SMALL, *ENCODER, *ALL_WORDS], [REVIEW]),
    "classify-textcnn": ("classify", "reviews.tsv", "textcnn", [*SMALL, *FILTERS, *ALL_WORDS], [REVIEW]),
    "classify-tfidf": ("classify", "reviews.tsv", "tfidf", [], [REVIEW]),
    "pair-transformer": ("pair", "paraphrases.tsv", "transformer", [*SMALL, *ENCODER, *ALL_WORDS], PAIR),
    "tag-lstm": ("tag", "entities.conll", "lstm", [*SMALL, *RECURRENT, *ALL_WORDS, "model.embedding=6"], [SENTENCE]),
    "answer-transformer": ("answer", "questions.json", None, [*SMALL, *ENCODER, *ALL_WORDS], QUESTION),
    "write-transformer": ("write", "text.txt", "transformer", [*ENCODER, "model.longest=32"], PROMPT),
    "write-lstm": ("write", "text.txt", "lstm", [*RECURRENT, "model.embedding=6"], PROMPT),
    "vectors-word2vec": ("vectors", "text.txt", "word2vec", VECTORS, ["the"]),
    "vectors-glove": ("vectors", "text.txt", "glove", [*VECTORS, "model.epochs=3"], ["the"]),
    "pretrain-bert": ("pretrain", "documents.txt", None, [*SMALL, *ENCODER, "length=32"], ["the [MASK] was good"]),
    "image-vit": ("image", "images", "vit", VIT, ["images/red/000.png"]),
    "caption-transformer": ("caption", "captions.csv", "transformer", CAPTIONER, ["images/red/000.png"]),
}
IN_ONE_GO = ("classify-tfidf", "vectors-word2vec", "vectors-glove")
COLOURS = {"blue": (40, 60, 200), "green": (40, 180, 60), "red": (210, 40, 50)}


def heed(*arguments: str) -> str:
    """Return what the command prints."""
    done = subprocess.run([sys.executable, "-m", "heed", *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"heed {' '.join(arguments)}\n{done.stderr}{done.stdout}")
    return done.stdout


def write_data() -> None:
    """Write the small corpora into the current folder, from the built-in ones."""
    pairs = load_demo("fr-en").train[:80]
    Path("pairs.tsv").write_text("".join(f"{pair.source}\t{pair.target}\n" for pair in pairs))
    reviews = load_labelled_demo("reviews").train[:80]
    rows = "".join(f"{record.texts[0]}\t{record.label}\n" for record in reviews)
    Path("reviews.tsv").write_text("text\tlabel\n" + rows)
    paraphrases = load_labelled_demo("paraphrase").train[:80]
    rows = "".join(f"{record.texts[0]}\t{record.texts[1]}\t{record.label}\n" for record in paraphrases)
    Path("paraphrases.tsv").write_text("first\tsecond\tlabel\n" + rows)
    sentences = load_tagged_demo("entities").train[:80]
    blocks = [
        "".join(f"{word}\t{tag}\n" for word, tag in zip(text.words, text.tags, strict=True)) for text in sentences
    ]
    Path("entities.conll").write_text("\n".join(blocks))
    write_questions(load_question_demo("questions").train[:60])
    texts = [record.texts[0] for record in reviews]
    Path("text.txt").write_text("\n".join(texts * 3) + "\n")
    many = [record.texts[0] for record in load_labelled_demo("reviews").train[:400]]
    documents = ["\n".join(many[start : start + 5]) for start in range(0, 400, 5)]
    Path("documents.txt").write_text("\n\n".join(documents) + "\n")
    write_images()


def write_questions(questions) -> None:
    entries = [
        {
            "context": each.context,
            "qas": [
                {
                    "id": str(number),
                    "question": each.question,
                    "is_impossible": each.impossible,
                    "answers": [{"text": answer.text, "answer_start": answer.start} for answer in each.answers],
                }
            ],
        }
        for number, each in enumerate(questions)
    ]
    Path("questions.json").write_text(json.dumps({"data": [{"title": "made", "paragraphs": entries}]}))


def write_images() -> None:
    rows = ["path,caption"]
    for number, (name, colour) in enumerate(COLOURS.items()):
        (Path("images") / name).mkdir(parents=True)
        for image in range(14):
            noise = numpy.random.default_rng(100 * number + image).integers(-40, 40, size=(9, 11, 3))
            pixels = (numpy.array(colour) + noise).clip(0, 255).astype(numpy.uint8)
            Image.fromarray(pixels).save(f"images/{name}/{image:03}.png")
            rows.append(f"images/{name}/{image:03}.png,a {name} picture")
    Path("captions.csv").write_text("\n".join(rows) + "\n")


def train(name: str) -> None:
    """Make both runs of a model, in folders beside that of the data."""
    task, data, model, settings, _ = RUNS[name]
    values = given_settings(None, settings if name in IN_ONE_GO else [*TRAINING, *settings])
    with new_run(task, data, model=model, settings=values, out=f"../{name}/ended") as run:
        for _ in run.reports():
            pass
    if name not in IN_ONE_GO:
        with new_run(task, data, model=model, settings=values, out=f"../{name}/interrupted") as run:
            reports = run.reports()
            next(report for report in reports if report.step == 3)
            reports.close()


def seen_with(name: str) -> dict[str, object]:
    """Return what this version predicts and scores with the runs, and how the interrupted one ends."""
    _, data, _, _, given = RUNS[name]
    ended = f"../{name}/ended"
    seen: dict[str, object] = {"given": given, "data": data}
    seen["predicted"] = [json.loads(line) for line in heed("predict", ended, *given, "--json").splitlines()]
    if not name.startswith("vectors"):
        seen["scores"] = json.loads(heed("evaluate", ended, data, "--json"))
    if name not in IN_ONE_GO:
        with tempfile.TemporaryDirectory() as folder:
            copy = shutil.copytree(f"../{name}/interrupted", f"{folder}/run")
            heed("resume", str(copy), "--quiet")
            lines = (Path(copy) / "metrics.jsonl").read_text().splitlines()
            seen["metrics"] = [json.loads(line) for line in lines]
    return seen


def main(archive: str) -> None:
    """Make all runs in a folder of their own and pack them."""
    archive = os.path.abspath(archive)
    home = Path("/tmp/heed-old-runs")  # recorded in the runs: who opens them puts the place of the data in its stead
    shutil.rmtree(home, ignore_errors=True)
    (home / "data").mkdir(parents=True)
    os.chdir(home / "data")
    write_data()
    expected = {}
    for name in RUNS:
        train(name)
        expected[name] = seen_with(name)
    (home / "expected.json").write_text(json.dumps(expected, ensure_ascii=False, indent=1))
    shutil.make_archive(archive.removesuffix(".zip"), "zip", home)


if __name__ == "__main__":
    main(sys.argv[1])
