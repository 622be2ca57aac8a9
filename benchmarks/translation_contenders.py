"""The contenders of `translate.py`: `transformers`' Marian, of the same size as our Transformer and with its weights.

Training speed is in real target tokens a second, decoding speed in sentences a second.
"""

import json
import time
from collections.abc import Callable
from pathlib import Path

import torch
from ours import examples_a_step, prepared_run
from peer import train_peer
from rounds import Measured, measured

from heed.decoding.beam import BeamSettings, beam_search
from heed.decoding.greedy import greedy
from heed.decoding.limits import Limits
from heed.prediction.loading import load_translator
from heed.tasks.rows import pad_rows
from heed.tasks.side_by_side import side_by_side
from heed.tasks.translate import encode_sources
from heed.tasks.translation_scores import score_translations
from heed.tasks.translation_training import TranslationTraining

BATCH = 64  # sentences decoded together, by both
LABEL_SMOOTHING = 0.1  # of both


def train_marian(folder: Path, steps: int, sampling: str) -> Measured:
    """Train under `Trainer`, with its default sampling (random) or with its grouping by length."""
    from marian import LIKE_MARIAN, fresh_marian

    rows, vocabulary, batch = _training_rows(folder)
    return train_peer(
        fresh_marian(LIKE_MARIAN, vocabulary),
        rows,
        _collate,
        lambda inputs: int((inputs["labels"] != -100).sum()),
        folder=folder,
        batch=batch,
        steps=steps,
        train_sampling_strategy=sampling,
        label_smoothing=LABEL_SMOOTHING,
    )


def decode_ours(folder: Path, beams: int, batch: int, most: int) -> Measured:
    """Decode the test sentences in batches of like length, several batches at a time, as `heed predict` does."""
    translator = load_translator(folder / "run")
    tokenizer, model = translator.tokenizers.source, translator.model
    sources, references = _test_texts(folder, most)
    rows, _ = encode_sources(sources, tokenizer, model.settings.longest)

    @torch.inference_mode()
    def decode(chosen: list[int]) -> list[list[int]]:
        source_ids, source_keep = pad_rows(rows, chosen)
        longest = [_longest(int(source_keep.sum(dim=1).max()))] * len(chosen)
        limits = Limits(start=2, end=3, longest=longest, forbidden=(0, 1, 2))
        state = model.start(source_ids, source_keep)
        if beams == 1:
            return [each.ids for each in greedy(model, state, limits)]
        return [
            each[0].ids for each in beam_search(model, state, limits, BeamSettings(beams=beams, normalisation="mean"))
        ]

    def decode_all(batches: list[list[int]]) -> list[list[list[int]]]:
        # One by one means that the next sentence is not known yet.
        return side_by_side(decode, batches) if batch > 1 else [side_by_side(decode, [chosen])[0] for chosen in batches]

    return _timed_decoding(decode_all, rows.lengths.tolist(), batch, tokenizer.decode, references)


def decode_marian(folder: Path, beams: int, batch: int, most: int) -> Measured:
    """Decode the same sentences in the same batches with `generate`."""
    from transformers import MarianMTModel

    tokenizer = load_translator(folder / "run").tokenizers.source
    model = MarianMTModel.from_pretrained(folder / "marian", local_files_only=True).eval()
    sources, references = _test_texts(folder, most)
    rows, _ = encode_sources(sources, tokenizer, model.config.max_position_embeddings)

    @torch.inference_mode()
    def decode(chosen: list[int]) -> list[list[int]]:
        source_ids, source_keep = pad_rows(rows, chosen)
        found = model.generate(
            input_ids=source_ids,
            attention_mask=source_keep.long(),
            num_beams=beams,
            do_sample=False,
            max_new_tokens=_longest(source_ids.shape[1]),
            suppress_tokens=[0, 1, 2],
        )
        return [[id for id in ids if id > 3] for ids in found.tolist()]

    def decode_all(batches: list[list[int]]) -> list[list[list[int]]]:
        return [decode(chosen) for chosen in batches]

    return _timed_decoding(decode_all, rows.lengths.tolist(), batch, tokenizer.decode, references)


def _timed_decoding(
    decode_all: Callable[[list[list[int]]], list[list[list[int]]]],
    lengths: list[int],
    batch: int,
    text_of: Callable[[list[int]], str],
    references: list[str],
) -> Measured:
    order = sorted(range(len(lengths)), key=lengths.__getitem__)
    batches = [order[start : start + batch] for start in range(0, len(order), batch)]
    decode_all(batches[:2])
    texts = [""] * len(lengths)
    began = time.perf_counter()
    for chosen, found in zip(batches, decode_all(batches), strict=True):
        for index, ids in zip(chosen, found, strict=True):
            texts[index] = text_of(ids)
    seconds = time.perf_counter() - began
    return measured(len(lengths) / seconds, bleu=score_translations(texts, references).bleu)


def _longest(source_length: int) -> int:
    return min(100, 2 * source_length + 10)


def _test_texts(folder: Path, most: int) -> tuple[list[str], list[str]]:
    pairs = json.loads((folder / "test.json").read_text())[:most]
    return [source for source, _ in pairs], [target for _, target in pairs]


def _training_rows(folder: Path) -> tuple[list[dict[str, list[int]]], int, int]:
    """Return the training pairs, the size of the vocabulary, and how many pairs a step of ours reads."""
    run = prepared_run(folder)
    task = run.task
    assert isinstance(task, TranslationTraining)
    rows = [
        {"input_ids": task.train.source[index].tolist(), "labels": task.train.target[index][1:].tolist()}
        for index in range(len(task.train))
    ]
    return rows, task.tokenizers.source.size, examples_a_step(run)


def _collate(rows: list[dict[str, list[int]]]) -> dict[str, torch.Tensor]:
    """Pad as transformers' own collator does, to the longest of the batch; labels with -100."""
    source = torch.nn.utils.rnn.pad_sequence([torch.tensor(row["input_ids"]) for row in rows], batch_first=True)
    labels = [torch.tensor(row["labels"]) for row in rows]
    padded = torch.nn.utils.rnn.pad_sequence(labels, batch_first=True, padding_value=-100)
    start = torch.full((len(rows), 1), 2)
    decoder = torch.cat([start, padded[:, :-1].masked_fill(padded[:, :-1] == -100, 0)], dim=1)
    return {"input_ids": source, "attention_mask": (source != 0).long(), "labels": padded, "decoder_input_ids": decoder}
