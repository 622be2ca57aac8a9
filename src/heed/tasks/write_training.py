"""What a trainer needs of task `write`: `WindowTraining` for a Transformer, `LaneTraining` for a recurrent network."""

from collections.abc import Mapping, Sequence

from torch import Tensor

from heed.decoding.sampling import SamplingSettings
from heed.models.language import LanguageModel
from heed.models.language_rnn import LanguageRnn
from heed.models.language_transformer import LanguageTransformer
from heed.tasks.text_ids import EncodedText, decode_text
from heed.tasks.validation import Sample, Validation
from heed.tasks.windows import Lanes, cut_windows, window_order
from heed.tasks.write import CarriedState, WriteBatch, WriteObjective
from heed.tasks.write_scores import score_text
from heed.tasks.writing import Extent, continuation, write_on
from heed.tokens.tokenizer import Tokenizer

PROMPT, SHOWN = 32, 64  # tokens of the sample: before, and what should follow
SAMPLE = SamplingSettings(temperature=0.8)  # the most probable token alone would go round in circles


class WindowTraining:
    """Training and validation texts around a model that sees one window at a time."""

    def __init__(
        self,
        model: LanguageTransformer,
        tokenizer: Tokenizer,
        train: EncodedText,
        valid: EncodedText,
        label_smoothing: float,
    ) -> None:
        self.model = model
        self.objective = WriteObjective(model, label_smoothing)
        self.tokenizer = tokenizer
        self.train = train
        self.valid = valid

    def order(self, seed: int, epoch: int, tokens_per_batch: int, window: int) -> list[list[int]]:
        """Return the first positions of an epoch's windows; they are all of one length, so none need be sorted."""
        longest = self.model.settings.longest
        return window_order(len(self.train), longest, seed, epoch, max(1, tokens_per_batch // longest))

    def batch(self, rows: Sequence[int], epoch: int) -> WriteBatch:
        """Return the windows that begin at these positions."""
        return WriteBatch(cut_windows(self.train.ids, rows, self.model.settings.longest))

    def validate(self) -> Validation:
        """Return the scores over the whole validation text, and what the model writes."""
        return validate(self.model, self.tokenizer, self.valid)


class LaneTraining:
    """Training and validation texts around a recurrent network, whose state goes on from window to window.

    The order is that of the text, in every epoch the same; each epoch begins with no state.
    """

    def __init__(
        self,
        model: LanguageRnn,
        tokenizer: Tokenizer,
        train: EncodedText,
        valid: EncodedText,
        label_smoothing: float,
        tokens_per_batch: int,
    ) -> None:
        self.model = model
        self.objective = WriteObjective(model, label_smoothing)
        self.tokenizer = tokenizer
        self.train = train
        self.valid = valid
        self.lanes = Lanes(train.ids, model.settings.longest, max(1, tokens_per_batch // model.settings.longest))
        self._state = CarriedState()

    def order(self, seed: int, epoch: int, tokens_per_batch: int, window: int) -> list[list[int]]:
        """Return the windows one after the other, each of all lanes at once."""
        return [[window] for window in range(self.lanes.windows)]

    def batch(self, rows: Sequence[int], epoch: int) -> WriteBatch:
        """Return one window of every lane."""
        (window,) = rows
        return WriteBatch(self.lanes.cut(window), self._state, begins=window == 0)

    def carried(self) -> dict[str, Tensor]:
        """Return the state that the last window left; it is saved with the weights."""
        return self._state.tensors()

    def carry(self, tensors: Mapping[str, Tensor]) -> None:
        """Take up the state of a checkpoint."""
        self._state.restore(tensors)

    def validate(self) -> Validation:
        """Return the scores over the whole validation text, and what the model writes."""
        return validate(self.model, self.tokenizer, self.valid)


def validate(model: LanguageModel, tokenizer: Tokenizer, valid: EncodedText) -> Validation:
    """Return the scores of a model over a text; the best is the one with the fewest nats per character."""
    scores = score_text(model, valid)
    values = {
        "loss": scores.loss,
        "perplexity": scores.perplexity,
        "bits_per_character": scores.bits_per_character,
        "word_perplexity": scores.word_perplexity,
    }
    return Validation(score=-scores.nats_per_character, values=values, sample=_sample(model, tokenizer, valid))


def _sample(model: LanguageModel, tokenizer: Tokenizer, valid: EncodedText) -> Sample:
    """Return what follows in the middle of the text, and what the model writes there."""
    middle = len(valid.ids) // 2
    prompt = valid.ids[max(0, middle - PROMPT) : middle + 1].tolist()
    expected = valid.ids[middle + 1 : middle + 1 + SHOWN].tolist()
    ((found, *_),) = write_on(model, tokenizer, [prompt], Extent(length=SHOWN), SAMPLE)
    return Sample(
        decode_text(prompt, tokenizer),
        continuation(prompt, expected, tokenizer),
        continuation(prompt, found.ids, tokenizer),
    )
