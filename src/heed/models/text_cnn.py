"""A text's vector from filters over windows of words: TextCNN (Kim 2014)."""

from typing import Literal

import torch
from torch import Tensor, nn

from heed.errors import SettingsError
from heed.layers.convolution import WindowFilters
from heed.layers.trace import Trace
from heed.models.ranges import check_shares, check_sizes
from heed.models.text_input import TextInput, refuse_longer, refuse_segments
from heed.settings import settings


@settings
class TextCnnSettings:
    """The default has smaller windows than Kim's: with some ten thousand texts, single words and pairs say most."""

    kind: Literal["textcnn"] = "textcnn"
    embedding: int = 200  # E, the size of a word's vector; that of the word vectors, where a file of them is given
    widths: tuple[int, ...] = (1, 2, 3)  # words that a filter sees at a time; the paper has 3, 4, 5
    filters: int = 200  # of each width; the paper has 100
    dropout: float = 0.5  # on the text's vector, as in the paper
    word_dropout: float = 0.2  # share of the tokens made unknown in training
    longest: int = 512  # tokens; longer texts are cut, and the cut is counted

    def __post_init__(self) -> None:
        check_sizes({"embedding": self.embedding, "filters": self.filters, "longest": self.longest})
        check_shares({"dropout": self.dropout, "word_dropout": self.word_dropout})
        if not self.widths or min(self.widths) < 1:
            raise SettingsError(
                f"model.widths is {list(self.widths)}. Give at least one, each 1 or more, for example [3, 4, 5]."
            )


class TextCnn(nn.Module):
    """Texts in, one vector each out: how strongly each filter found its words anywhere."""

    def __init__(self, settings: TextCnnSettings, vocabulary_size: int) -> None:
        super().__init__()
        self.settings = settings
        self.pooled_width = settings.filters * len(settings.widths)
        self.embedding = nn.Embedding(vocabulary_size, settings.embedding)
        self.windows = nn.ModuleList(
            WindowFilters(settings.embedding, width, settings.filters) for width in settings.widths
        )
        nn.init.normal_(self.embedding.weight, std=settings.embedding**-0.5)

    def forward(self, text: TextInput, trace: Trace | None = None) -> Tensor:
        """Return (B, widths * filters); there is no attention here for a trace to see."""
        refuse_segments(text, "textcnn")
        refuse_longer(text, self.settings.longest)
        x_BTE = self.embedding(text.token_ids)
        return torch.cat([filters(x_BTE, text.keep) for filters in self.windows], dim=1)
