"""The encoders that have a vector for each token, for models that judge tokens and no whole texts."""

from dataclasses import replace
from typing import assert_never

from heed.models.bert import Bert, BertSettings
from heed.models.encoder import Encoder, EncoderSettings
from heed.models.text_rnn import TextRnn, TextRnnSettings

TokenEncoderSettings = TextRnnSettings | EncoderSettings | BertSettings
TokenEncoder = TextRnn | Encoder | Bert


def build_token_encoder(settings: TokenEncoderSettings, vocabulary_size: int) -> TokenEncoder:
    """Return the encoder with fresh weights."""
    match settings:
        case TextRnnSettings():
            return TextRnn(settings, vocabulary_size)
        case EncoderSettings():
            return Encoder(settings, vocabulary_size)
        case BertSettings():
            # The layer over the text's vector would learn nothing: no vector of a whole text is made.
            return Bert(replace(settings, pooler="none"), vocabulary_size)
        case _:
            assert_never(settings)
