"""The contenders of `classify.py`: `transformers`' BERT for sequence classification, of the same size as our encoder.

Training speed is in real tokens a second, prediction speed in texts a second. Both sides have the same size, the same
dropout, and as many texts a step; ours drops inside the feed-forward part as well, which BERT does not.
"""

import json
import time
from pathlib import Path

from ours import examples_a_step, prepared_run
from peer import train_peer, unpadded
from rounds import Measured, measured

from heed.models.encoder import EncoderSettings
from heed.prediction.loading import load_classifier
from heed.runs.classification_run import read_targets
from heed.runs.folder import open_run
from heed.tasks.classification_training import ClassificationTraining
from heed.tokens.tokenizer import Tokenizer

PREDICTION_BATCH = 32  # texts at a time for its pipeline, whose own default is one: a size commonly used with it
# As near to BERT's layers as our settings go: the norm after each sublayer, learnt positions, gelu.
LIKE_BERT = EncoderSettings(
    width=128,
    heads=4,
    layers=4,
    feedforward=512,
    positions="learned",
    norm_place="after",
    activation="gelu",
    dropout=0.1,
    attention_dropout=0.0,  # the peer's own default is 0.1, which is more work for it
    word_dropout=0.0,
    longest=256,
)


def train_bert(folder: Path, steps: int, sampling: str) -> Measured:
    """Train under `Trainer`, with its default sampling (random) or with its grouping by length."""
    from transformers import BertForSequenceClassification, DataCollatorWithPadding

    rows, batch = _training_rows(folder)
    return train_peer(
        BertForSequenceClassification(_config(folder)),
        rows,
        DataCollatorWithPadding(_fast_tokenizer(folder)),
        unpadded,
        folder=folder,
        batch=batch,
        steps=steps,
        train_sampling_strategy=sampling,
    )


def predict_ours(folder: Path, one_by_one: bool) -> Measured:
    """Label the texts as `heed predict` does."""
    model = load_classifier(folder / "run")
    texts = _texts(folder, one_by_one)
    model.predict(texts[:4])
    began = time.perf_counter()
    for chunk in [[text] for text in texts] if one_by_one else [texts]:
        model.predict(chunk)
    return measured(len(texts) / (time.perf_counter() - began))


def predict_bert(folder: Path, one_by_one: bool) -> Measured:
    """Label the texts with the `text-classification` pipeline and a BERT of the same size."""
    from transformers import BertForSequenceClassification, pipeline

    model = BertForSequenceClassification(_config(folder)).eval()
    classify = pipeline("text-classification", model=model, tokenizer=_fast_tokenizer(folder), device="cpu", top_k=None)
    texts = _texts(folder, one_by_one)
    options = {"truncation": True, "max_length": LIKE_BERT.longest}
    classify(texts[:4], **options)
    began = time.perf_counter()
    if one_by_one:
        for text in texts:
            classify(text, **options)
    else:
        classify(texts, batch_size=PREDICTION_BATCH, **options)
    return measured(len(texts) / (time.perf_counter() - began))


def _config(folder: Path) -> object:
    from transformers import BertConfig

    return BertConfig(
        vocab_size=_tokenizer(folder).size,
        hidden_size=LIKE_BERT.width,
        num_hidden_layers=LIKE_BERT.layers,
        num_attention_heads=LIKE_BERT.heads,
        intermediate_size=LIKE_BERT.feedforward,
        max_position_embeddings=LIKE_BERT.longest,
        hidden_act=LIKE_BERT.activation,
        hidden_dropout_prob=LIKE_BERT.dropout,
        attention_probs_dropout_prob=LIKE_BERT.attention_dropout,
        num_labels=read_targets(open_run(folder / "run")).outputs,
        pad_token_id=_tokenizer(folder).pad,
    )


def _training_rows(folder: Path) -> tuple[list[dict[str, object]], int]:
    """Return the training texts, and how many of them a step of ours reads."""
    run = prepared_run(folder)
    task = run.task
    assert isinstance(task, ClassificationTraining)
    (texts,) = task.train.inputs
    rows: list[dict[str, object]] = [
        {"input_ids": texts[index].tolist(), "attention_mask": [1] * len(texts[index]), "label": int(label)}
        for index, label in enumerate(task.expected.tolist())
    ]
    return rows, examples_a_step(run)


def _tokenizer(folder: Path) -> Tokenizer:
    return Tokenizer.from_json((folder / "run" / "tokenizer.json").read_text())


def _fast_tokenizer(folder: Path) -> object:
    """Return our tokenizer as the peer's own class: both read the same file."""
    from transformers import PreTrainedTokenizerFast

    return PreTrainedTokenizerFast(
        tokenizer_file=str(folder / "run" / "tokenizer.json"), pad_token="[PAD]", unk_token="[UNK]"
    )


def _texts(folder: Path, one_by_one: bool) -> list[str]:
    texts: list[str] = json.loads((folder / "test.json").read_text())
    return sorted(texts, key=len)[: len(texts) // 4][-100:] if one_by_one else texts
