"""A text's vector from filters over windows of words: TextCNN (Kim 2014).

A filter answers to many runs of words that are alike. With `bag` there stand beside the filters the very n-grams that
they pass over, as a linear model on n-grams counts them: the wide part of "wide and deep" (Cheng et al. 2016).
"""

from typing import Literal

import torch
from torch import Tensor, nn

from heed.errors import SettingsError
from heed.layers.convolution import WindowFilters
from heed.layers.ngram_bag import NgramBag
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
    bag: int = 0  # size of the vectors of n-grams beside the filters, as long as the filters are wide; 0: none
    bag_rows: int = 524287  # that many vectors for all n-grams; a prime spreads them evenly
    longest: int = 512  # tokens; longer texts are cut, and the cut is counted

    def __post_init__(self) -> None:
        sizes = {"embedding": self.embedding, "filters": self.filters, "longest": self.longest}
        check_sizes({**sizes, "bag_rows": self.bag_rows})
        check_shares({"dropout": self.dropout, "word_dropout": self.word_dropout})
        if self.bag < 0:
            raise SettingsError(f"model.bag is {self.bag}. Give the size of the n-grams' vectors, or 0 for none.")
        if not self.widths or min(self.widths) < 1:
            raise SettingsError(
                f"model.widths is {list(self.widths)}. Give at least one, each 1 or more, for example [3, 4, 5]."
            )


class TextCnn(nn.Module):
    """Texts in, one vector each out: how strongly each filter found its words anywhere."""

    def __init__(self, settings: TextCnnSettings, vocabulary_size: int) -> None:
        super().__init__()
        self.settings = settings
        self.pooled_width = (settings.filters + settings.bag) * len(settings.widths)
        self.embedding = nn.Embedding(vocabulary_size, settings.embedding)
        self.windows = nn.ModuleList(
            WindowFilters(settings.embedding, width, settings.filters) for width in settings.widths
        )
        self.bag = None
        if settings.bag:
            self.bag = NgramBag(vocabulary_size, settings.widths, settings.bag_rows, settings.bag)
        nn.init.normal_(self.embedding.weight, std=settings.embedding**-0.5)

    def forward(self, text: TextInput, trace: Trace | None = None) -> Tensor:
        """Return (B, widths * (filters + bag)); there is no attention here for a trace to see."""
        refuse_segments(text, "textcnn")
        refuse_longer(text, self.settings.longest)
        x_BTE = self.embedding(text.token_ids)
        found = [filters(x_BTE, text.keep) for filters in self.windows]
        if self.bag is not None:
            found.append(self.bag(text.token_ids, text.keep))
        return torch.cat(found, dim=1)
