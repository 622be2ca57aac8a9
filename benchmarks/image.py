"""Pictures beside `transformers`' ViT of equal size: training and prediction speed and memory, in one run.

    python benchmarks/image.py --data flowers/ --model vit-tiny

See `rounds.py` for how it is measured; speeds are in pictures a second. Our training begins once the pictures are
decoded, as every epoch does, and varies each picture as `heed train` does; the peer varies none. It opens each file
whenever it comes to it, as is usual with it, or has them all decoded as well ("decoded"). Prediction goes from files to
labels on both sides, with the same weights.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

import image_contenders as contenders
from ours import TRAINING
from rounds import Contender, options_parser, run_benchmark

import heed
from heed.data.demos.flowers import labelled_flowers
from heed.data.image_corpora import load_images
from heed.data.records import ImageSource, LabelledImage
from heed.models.vit import PRESETS, preset

MOST = 1000  # pictures labelled together
PLAIN = [name for name, settings in PRESETS.items() if settings.stem == "patches"]  # sizes that the peer has too

CONTENDERS: dict[str, Contender] = {
    "train, heed": contenders.train_heed,
    "train, Trainer": contenders.train_vit_from_files,
    "train, Trainer decoded": contenders.train_vit_decoded,
    "1,000 pictures, heed": lambda folder, _: contenders.predict_ours(folder, one_by_one=False),
    "1,000 pictures, pipeline": lambda folder, _: contenders.predict_vit(folder, one_by_one=False),
    "one picture, heed": lambda folder, _: contenders.predict_ours(folder, one_by_one=True),
    "one picture, pipeline": lambda folder, _: contenders.predict_vit(folder, one_by_one=True),
}


def main() -> None:
    """Run the benchmark; after its table, how many labels are right, which must be equal on both sides."""
    for name, rounds in run_benchmark(__file__, CONTENDERS, _options(), prepare).items():
        if "accuracy" in rounds[0]:
            print(f"accuracy of {name}: {rounds[0]['accuracy']:.4f}")


def prepare(options: argparse.Namespace, folder: Path) -> None:
    """Make the run and the same weights for the peer, and list the pictures that all contenders share."""
    data = options.data or str(write_flowers(folder / "flowers"))
    rows, columns = preset(options.model).grid
    settings = {
        "model": {"drop_path": 0.0, "dropout": 0.0, "attention_dropout": 0.0},  # as the peer has it
        "training": {
            **TRAINING,
            "steps": options.prepare_steps,
            "validations": 1,
            "tokens_per_batch": contenders.BATCH * (rows * columns + 2),  # patches, [CLS], and one for the label
            "threads": options.threads,
        },
    }
    heed.train("image", data, model=options.model, settings=settings, out=folder / "run")
    heed.export_model(folder / "run", "hf", folder / "vit")
    splits = load_images([data])
    _write(folder / "train.json", splits.train)
    records = [*splits.train, *splits.valid, *splits.test]
    # Spread over all of them, which are sorted by label.
    _write(folder / "test.json", records[:: max(1, len(records) // MOST)][:MOST])
    print(f"{len(splits.train):,} pictures to train on, from {data}", file=sys.stderr)


def write_flowers(folder: Path) -> Path:
    """Write the built-in flowers as files, a folder for each kind, as people have their pictures."""
    for number, record in enumerate(labelled_flowers()[0]):
        assert not isinstance(record.source, Path)  # all are drawn
        path = folder / record.label / f"{number}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        record.source.draw().save(path)
    return folder


def _write(path: Path, records: Sequence[LabelledImage]) -> None:
    path.write_text(json.dumps([[_path(record.source), record.label] for record in records]))


def _path(source: ImageSource) -> str:
    assert isinstance(source, Path), "the peer opens files"
    return str(source.absolute())


def _options() -> argparse.Namespace:
    parser = options_parser(__doc__, steps=30)
    parser.add_argument("--data", help="a folder with a sub-folder a class (default: demo:flowers as PNG files)")
    parser.add_argument("--model", default="vit-tiny", choices=PLAIN)
    parser.add_argument("--prepare-steps", type=int, default=20, help="training of the shared weights")
    return parser.parse_args()


if __name__ == "__main__":
    main()
