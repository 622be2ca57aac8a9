"""Translation beside a `transformers` Marian model of equal size: training and decoding speed and memory, in one run.

    python benchmarks/translate.py --data train.en train.fr --test test.en test.fr

See `rounds.py` for how it is measured. Both decode with the same weights (ours, trained here for a few minutes and
copied), so both do equal work.
"""

import argparse
import json
import sys
from pathlib import Path

import translation_contenders as contenders
from marian import LIKE_MARIAN, to_marian
from ours import TRAINING, train_ours
from rounds import Contender, options_parser, run_benchmark

import heed
from heed.prediction.evaluation_data import evaluation_pairs
from heed.settings import to_dict

MOST = 1000  # sentences decoded in batches
ALONE = 100  # sentences decoded one by one

CONTENDERS: dict[str, Contender] = {
    "train, heed": train_ours,
    "train, Trainer": lambda folder, steps: contenders.train_marian(folder, steps, "random"),
    "train, Trainer grouped": lambda folder, steps: contenders.train_marian(folder, steps, "group_by_length"),
    "beam 4, heed": lambda folder, _: contenders.decode_ours(folder, 4, contenders.BATCH, MOST),
    "beam 4, generate": lambda folder, _: contenders.decode_marian(folder, 4, contenders.BATCH, MOST),
    "greedy, heed": lambda folder, _: contenders.decode_ours(folder, 1, contenders.BATCH, MOST),
    "greedy, generate": lambda folder, _: contenders.decode_marian(folder, 1, contenders.BATCH, MOST),
    "one sentence, heed": lambda folder, _: contenders.decode_ours(folder, 4, 1, ALONE),
    "one sentence, generate": lambda folder, _: contenders.decode_marian(folder, 4, 1, ALONE),
}


def main() -> None:
    """Run the benchmark; after its table, the quality of what was decoded, which must be equal."""
    for name, rounds in run_benchmark(__file__, CONTENDERS, _options(), _prepare).items():
        if "bleu" in rounds[0]:
            print(f"BLEU of {name}: {rounds[0]['bleu']:.2f}")


def _options() -> argparse.Namespace:
    parser = options_parser(__doc__, steps=30)
    parser.add_argument("--data", nargs="+", default=["demo:fr-en"], help="training pairs")
    parser.add_argument("--test", nargs="+", default=["demo:fr-en"], help="pairs to decode")
    parser.add_argument("--minutes", type=float, default=3.0, help="training of the shared weights")
    return parser.parse_args()


def _prepare(options: argparse.Namespace, folder: Path) -> None:
    """Train the weights that both decode with, and keep the test pairs as text."""
    settings = {
        "model": to_dict(LIKE_MARIAN),
        "tokens": {"kind": "bpe", "size": 8000},
        "training": {
            **TRAINING,
            "label_smoothing": contenders.LABEL_SMOOTHING,
            "minutes": options.minutes,
            "tokens_per_batch": 4096,
            "validations": 2,
            "threads": options.threads,
        },
    }
    run = heed.train("translate", options.data, settings=settings, out=folder / "run")
    to_marian(run.load().model).save_pretrained(folder / "marian")
    pairs = evaluation_pairs(options.test).records
    (folder / "test.json").write_text(json.dumps([[pair.source, pair.target] for pair in pairs]))
    print(f"shared weights: {run.step} steps in {options.minutes} minutes, {dict(run.best)}", file=sys.stderr)


if __name__ == "__main__":
    main()
