"""Classification beside `transformers`' BERT of equal size: training and prediction speed and memory, in one run.

    python benchmarks/classify.py --data train.csv --valid valid.csv --test test.csv

See `rounds.py` for how it is measured. One text alone is a short one: of the shorter quarter of the test texts.
"""

import argparse
import json
from pathlib import Path

import classification_contenders as contenders
from ours import TRAINING, train_ours
from rounds import Contender, options_parser, run_benchmark

import heed
from heed.prediction.evaluation_data import evaluation_records
from heed.settings import to_dict

MOST = 2000  # texts labelled together

CONTENDERS: dict[str, Contender] = {
    "train, heed": train_ours,
    "train, Trainer": lambda folder, steps: contenders.train_bert(folder, steps, "random"),
    "train, Trainer grouped": lambda folder, steps: contenders.train_bert(folder, steps, "group_by_length"),
    "2,000 texts, heed": lambda folder, _: contenders.predict_ours(folder, one_by_one=False),
    "2,000 texts, pipeline": lambda folder, _: contenders.predict_bert(folder, one_by_one=False),
    "one text, heed": lambda folder, _: contenders.predict_ours(folder, one_by_one=True),
    "one text, pipeline": lambda folder, _: contenders.predict_bert(folder, one_by_one=True),
}


def _options() -> argparse.Namespace:
    parser = options_parser(__doc__, steps=60)
    parser.add_argument("--data", default="demo:reviews", help="labelled training texts")
    parser.add_argument("--valid", nargs="*", default=[], help="labelled validation texts")
    parser.add_argument("--test", default="demo:reviews", help="texts to label")
    return parser.parse_args()


def _prepare(options: argparse.Namespace, folder: Path) -> None:
    """Make the run whose data, tokenizer and size all contenders share; its weights need no training for this."""
    settings = {
        "data": {"valid": options.valid},
        "model": to_dict(contenders.LIKE_BERT),
        "tokens": {"kind": "bpe", "size": 8000},
        "training": {**TRAINING, "steps": 5, "validations": 1, "tokens_per_batch": 4096, "threads": options.threads},
    }
    heed.train("classify", options.data, settings=settings, out=folder / "run")
    records = evaluation_records([options.test], texts=1).records
    # Spread over the whole file, which may be sorted by label.
    chosen = records[:: max(1, len(records) // MOST)][:MOST]
    (folder / "test.json").write_text(json.dumps([record.texts[0] for record in chosen]))


if __name__ == "__main__":
    run_benchmark(__file__, CONTENDERS, _options(), _prepare)
