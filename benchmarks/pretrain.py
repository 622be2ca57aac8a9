"""Pre-training beside `transformers`' BertForPreTraining of equal size and batch: speed and memory, in one run.

    python benchmarks/pretrain.py --data wikitext.txt              documents long enough to fill every sequence
    python benchmarks/pretrain.py --data reviews.csv --columns sentence      short documents, which a collator pads

See `rounds.py` for how it is measured. Both learn from the same masked pairs, drawn beforehand for the peer, which
sends every position through the vocabulary. "dropping attention" is its own default, which ours does not do.
"""

import argparse
from pathlib import Path

import pretraining_contenders as contenders
from ours import TRAINING, train_ours
from rounds import Contender, options_parser, run_benchmark

import heed

CONTENDERS: dict[str, Contender] = {
    "train, heed": train_ours,
    "train, Trainer": lambda folder, steps: contenders.train_bert(folder, steps, attention_dropout=0.0),
    "train, Trainer dropping attention": lambda folder, steps: contenders.train_bert(folder, steps, 0.1),
}


def _options() -> argparse.Namespace:
    parser = options_parser(__doc__, steps=40)
    parser.add_argument("--data", default="demo:reviews", help="a text file, or a table")
    parser.add_argument("--columns", default="", help="the column of a table")
    parser.add_argument("--pieces", type=int, default=16000, help="in the vocabulary")
    parser.add_argument("--model", default="bert-mini")
    return parser.parse_args()


def _prepare(options: argparse.Namespace, folder: Path) -> None:
    """Make the run whose corpus, tokenizer and size all contenders share; its weights need no training for this."""
    settings = {
        "data": {"columns": [options.columns] if options.columns else []},
        "tokens": {"kind": "wordpiece", "size": options.pieces},
        "length": contenders.LENGTH,
        "model": {"attention_dropout": 0.0},
        "training": {
            **TRAINING,
            "steps": 2,
            "validations": 1,
            "tokens_per_batch": contenders.BATCH * (contenders.LENGTH + 1),
            "threads": options.threads,
            "validation_texts": 1,
        },
    }
    heed.train("pretrain", options.data, model=options.model, settings=settings, out=folder / "run")


if __name__ == "__main__":
    run_benchmark(__file__, CONTENDERS, _options(), _prepare)
