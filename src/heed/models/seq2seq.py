"""The models that turn one sequence into another, by name and by settings."""

import dataclasses

from heed.models import rnn_seq2seq, transformer
from heed.models.presets import named
from heed.models.rnn_seq2seq import RnnSeq2Seq, RnnSettings
from heed.models.transformer import Transformer, TransformerSettings

Seq2SeqSettings = TransformerSettings | RnnSettings
Seq2Seq = Transformer | RnnSeq2Seq

PRESETS: dict[str, Seq2SeqSettings] = {**transformer.PRESETS, **rnn_seq2seq.PRESETS}


def preset(name: str) -> Seq2SeqSettings:
    """Return the settings of a named model."""
    return named(PRESETS, name)


def build_seq2seq(settings: Seq2SeqSettings, source_size: int, target_size: int) -> Seq2Seq:
    """Return the model with fresh weights. Two vocabularies share no table: `tie=all` then ties the output alone."""
    if settings.tie == "all" and source_size != target_size:
        settings = dataclasses.replace(settings, tie="output")
    match settings:
        case TransformerSettings():
            return Transformer(settings, source_size, target_size)
        case RnnSettings():
            return RnnSeq2Seq(settings, source_size, target_size)
