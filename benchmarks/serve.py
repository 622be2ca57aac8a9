"""`heed serve` beside a plain server of FastAPI and `transformers`, models of equal size: requests a second and delays.

    python benchmarks/serve.py [--steps 20]

See `rounds.py` for how it is measured; a step is a second of asking. The memory is that of the server.
"""

import argparse
import asyncio
import json
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

from classification_contenders import LIKE_BERT
from http_clients import Asked, at, request, run_clients
from marian import LIKE_MARIAN, to_marian
from rounds import Contender, Measured, options_parser, run_benchmark
from serve_load import resident

import heed
from heed.prediction.evaluation_data import evaluation_pairs, evaluation_records
from heed.settings import to_dict

CLIENTS = 32
PATIENCE = 120  # seconds until a server answers for the first time

CONTENDERS: dict[str, Contender] = {
    f"{task}, {name}": lambda folder, seconds, task=task, name=name: _measure(folder, seconds, task, name)
    for task in ("classify", "translate")
    for name in ("heed", "FastAPI")
}


def main() -> None:
    """Run the benchmark; after its table, the delays."""
    for name, rounds in run_benchmark(__file__, CONTENDERS, _options(), _prepare).items():
        print(f"{name}: 95 % within {sorted(each['p95'] for each in rounds)[len(rounds) // 2]:.0f} ms")


def _options() -> argparse.Namespace:
    parser = options_parser(__doc__, steps=20)
    parser.add_argument("--texts", default="demo:reviews", help="labelled texts")
    parser.add_argument("--pairs", nargs="+", default=["demo:fr-en"], help="pairs of sentences")
    parser.add_argument("--minutes", type=float, default=3.0, help="training of the weights of translation")
    return parser.parse_args()


def _prepare(options: argparse.Namespace, folder: Path) -> None:
    """Train a little, so that translations end, and keep the texts to ask with."""
    tokens, training = {"kind": "bpe", "size": 8000}, {"tokens_per_batch": 4096, "threads": options.threads}
    classify = {"model": to_dict(LIKE_BERT), "tokens": tokens, "training": {**training, "steps": 5, "validations": 1}}
    found = heed.train("classify", options.texts, settings=classify, out=folder / "classify")
    (folder / "labels.json").write_text(json.dumps(found.load().targets.labels.names))
    translate = {
        "model": to_dict(LIKE_MARIAN),
        "tokens": tokens,
        "training": {**training, "minutes": options.minutes, "learning_rate": 1e-3, "validations": 2},
    }
    run = heed.train("translate", options.pairs, settings=translate, out=folder / "translate")
    to_marian(run.load().model).save_pretrained(folder / "marian")
    texts = [record.texts[0] for record in evaluation_records([options.texts], texts=1).records]
    sources = [pair.source for pair in evaluation_pairs(options.pairs).records]
    (folder / "texts.json").write_text(json.dumps({"classify": texts, "translate": sources}))


def _measure(folder: Path, seconds: int, task: str, name: str) -> Measured:
    """Start a server, ask it with many clients, and return what they saw."""
    port = _free_port()
    ours = [sys.executable, "-m", "heed", "serve", str(folder / task), "--port", str(port)]
    theirs = [sys.executable, str(Path(__file__).parent / "serve_peer.py"), task, str(folder), str(port)]
    texts = json.loads((folder / "texts.json").read_text())[task]
    with subprocess.Popen(ours if name == "heed" else theirs, stdout=subprocess.DEVNULL) as server:
        try:
            _wait(port, request(task, texts[0]))
            asyncio.run(_ask(port, task, texts, 3))
            seen = asyncio.run(_ask(port, task, texts, seconds))
            good = seen.times(200)
            return {"speed": len(good) / seconds, "memory": resident(server.pid), "p95": at(good, 0.95)}
        finally:
            server.kill()


async def _ask(port: int, task: str, texts: list[str], seconds: float) -> Asked:
    def ask(number: int) -> bytes:
        return request(task, texts[number % len(texts)])

    return await run_clients(port, CLIENTS, seconds, ask, lambda number, body: True)


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return found.getsockname()[1]


def _wait(port: int, body: bytes) -> None:
    """Wait until a prediction is answered."""
    until = time.monotonic() + PATIENCE
    asked = urllib.request.Request(f"http://127.0.0.1:{port}/v1/predict", body, {"content-type": "application/json"})
    while True:
        try:
            urllib.request.urlopen(asked).read()
            return
        except (OSError, urllib.error.HTTPError):
            if time.monotonic() > until:
                raise
            time.sleep(0.3)


if __name__ == "__main__":
    main()
