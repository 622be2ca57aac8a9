"""The contender of `pretrain.py`: `transformers`' BertForPreTraining under its `Trainer`, in real tokens a second."""

from pathlib import Path

import torch
from ours import WARM_UP, prepared_run
from peer import train_peer, unpadded
from rounds import Measured
from torch.nn.utils.rnn import pad_sequence

from heed.models.bert import BertSettings
from heed.tasks.pretrain import LABELS
from heed.tasks.pretraining import PretrainingTraining

BATCH, LENGTH = 32, 128  # sequences a step, tokens of a sequence
IGNORED = -100  # the peer's label of a position whose word is not asked for


def train_bert(folder: Path, steps: int, attention_dropout: float) -> Measured:
    """Train under `Trainer`, in its default order (random), each batch padded to its longest sequence."""
    from transformers import BertForPreTraining

    task = prepared_run(folder).task
    assert isinstance(task, PretrainingTraining)
    return train_peer(
        BertForPreTraining(_config(task.model.settings, task.train.tokenizer.size, attention_dropout)),
        _rows(task, (WARM_UP + steps) * BATCH),
        _padded,
        unpadded,
        folder=folder,
        batch=BATCH,
        steps=steps,
        remove_unused_columns=False,
    )


def _config(settings: BertSettings, pieces: int, attention_dropout: float) -> object:
    from transformers import BertConfig

    return BertConfig(
        vocab_size=pieces,
        hidden_size=settings.width,
        num_hidden_layers=settings.layers,
        num_attention_heads=settings.heads,
        intermediate_size=settings.feedforward,
        max_position_embeddings=settings.longest,
        hidden_act=settings.activation,
        hidden_dropout_prob=settings.dropout,
        attention_probs_dropout_prob=attention_dropout,
    )


def _rows(task: PretrainingTraining, most: int) -> list[dict[str, torch.Tensor]]:
    rows = []
    # Spread over the corpus, whose documents may be sorted by length or kind.
    every = max(1, len(task.train) // most)
    for index in range(0, len(task.train), every):
        example = task.train.example(index, epoch=0)
        ids, places = torch.from_numpy(example.shown), torch.arange(len(example.shown))
        labels = torch.from_numpy(example.original).masked_fill(~torch.from_numpy(example.chosen), IGNORED)
        order = torch.tensor(LABELS[example.follows])
        segments = (places >= example.second).long()
        rows.append({"input_ids": ids, "labels": labels, "token_type_ids": segments, "next_sentence_label": order})
    return rows


def _padded(rows: list[dict[str, torch.Tensor]]) -> dict[str, torch.Tensor]:
    def padded(name: str, value: int) -> torch.Tensor:
        return pad_sequence([row[name] for row in rows], batch_first=True, padding_value=value)

    lengths = torch.tensor([len(row["input_ids"]) for row in rows])
    ids = padded("input_ids", 0)
    return {
        "input_ids": ids,
        "attention_mask": (torch.arange(ids.shape[1])[None, :] < lengths[:, None]).long(),
        "token_type_ids": padded("token_type_ids", 0),
        "labels": padded("labels", IGNORED),
        "next_sentence_label": torch.stack([row["next_sentence_label"] for row in rows]),
    }
