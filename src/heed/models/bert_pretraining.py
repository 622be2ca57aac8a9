"""What BERT is pre-trained with: a head that names hidden words, and one that says whether two texts follow each other.

Only hidden positions go through the vocabulary: they are 15 % of all, and that layer is the largest of a small model.
"""

from dataclasses import dataclass, replace

from torch import Tensor, nn
from torch.nn import functional

from heed.layers.norms import build_norm
from heed.layers.trace import Trace
from heed.models.bert import Bert, BertSettings, start_bert
from heed.models.text_input import TextInput

IS_NEXT, IS_RANDOM = 0, 1  # what the second head says (0 = the second text follows the first, as published)


class MaskedHead(nn.Module):
    """Vectors of hidden positions in, those whose product with the word table says which word it was out."""

    def __init__(self, settings: BertSettings, table: nn.Embedding) -> None:
        super().__init__()
        self.transform = nn.Linear(settings.width, settings.width)
        self.approximate = "tanh" if settings.activation == "gelu-tanh" else "none"
        self.norm = build_norm("layer", settings.width)
        self.vocabulary = nn.Linear(settings.width, table.num_embeddings)
        start_bert(self, settings.epsilon)
        self.vocabulary.weight = table.weight

    def features(self, states_ND: Tensor) -> Tensor:
        """Return (N, D), ready for `vocabulary`."""
        return self.norm(functional.gelu(self.transform(states_ND), approximate=self.approximate))

    def forward(self, states_ND: Tensor) -> Tensor:
        """Return logits (N, V)."""
        return self.vocabulary(self.features(states_ND))


@dataclass(frozen=True)
class Readings:
    """What a BERT in pre-training says of a batch."""

    features_ND: Tensor  # of the N hidden positions, row by row: `masked.vocabulary` makes logits of them
    next_B2: Tensor | None  # logits of IS_NEXT and IS_RANDOM; None where that is no objective


class BertPretraining(nn.Module):
    """A BERT with its two heads."""

    def __init__(self, settings: BertSettings, vocabulary_size: int, next_sentence: bool) -> None:
        super().__init__()
        # Without pairs nothing would teach the pooler: a classifier that starts from this model makes its own.
        self.settings = settings if next_sentence else replace(settings, pooler="none")
        self.bert = Bert(self.settings, vocabulary_size)
        self.masked = MaskedHead(settings, self.bert.embedding)
        self.next = nn.Linear(settings.width, 2) if next_sentence else None
        if self.next is not None:
            start_bert(self.next, settings.epsilon)

    def forward(self, text: TextInput, hidden: Tensor, trace: Trace | None = None) -> Readings:
        """Return what it says of the positions where `hidden` (B, T) is True, and of each pair."""
        states_BTD = self.bert.hidden(text, trace)
        features_ND = self.masked.features(states_BTD[hidden])
        return Readings(features_ND, None if self.next is None else self.next(self.bert.pooled(states_BTD, text.keep)))
