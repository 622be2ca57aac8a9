"""`Writer`: a run's best weights, ready to write on from a prompt, and to be scored on a text."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from heed.decoding.hypotheses import Ended, Hypothesis
from heed.models.language import LanguageModel
from heed.models.language_transformer import LanguageTransformer
from heed.tasks.text_ids import EncodedText, encode_text
from heed.tasks.translating import Search
from heed.tasks.write_scores import TextScores, score_text
from heed.tasks.writing import Extent, continuation, write_on
from heed.tokens.tokenizer import Tokenizer

CHUNK = 1000  # prompts written on together; bounds memory on endless input, and is many batches


@dataclass(frozen=True)
class Version:
    """One of several ways to write on."""

    text: str  # without the prompt
    score: float  # normalised by length: what versions are ranked by
    log_prob: float  # of all that was written
    ended: Ended  # "end": at the end of the line, if asked, or of the text; "length": at the length that was asked for
    tokens: int


@dataclass(frozen=True)
class Writing:
    """What a model writes after a prompt, and what was lost of the prompt on the way in."""

    prompt: str
    text: str  # without the prompt
    score: float
    log_prob: float
    ended: Ended
    tokens: int  # that were written
    versions: tuple[Version, ...]  # best first, the first is this one
    unknown: int  # prompt pieces that the vocabulary does not have
    cut: int  # prompt pieces further back than the model looks


class Writer:
    """A model with its tokenizer. It never trains; results do not depend on what they are batched with."""

    def __init__(self, model: LanguageModel, tokenizer: Tokenizer, search: Search, extent: Extent) -> None:
        self.model = model.eval()
        self.tokenizer = tokenizer
        self.search = search
        self.extent = extent

    def write(self, prompt: str = "", extent: Extent | None = None, search: Search | None = None) -> Writing:
        """Return what follows the prompt: drawn, most probable, or searched for; without a prompt, a fresh line."""
        return self.predict([prompt], extent, search)[0]

    def predict(
        self, prompts: Sequence[str], extent: Extent | None = None, search: Search | None = None
    ) -> list[Writing]:
        """Return what follows each prompt, in order."""
        return list(self.stream(prompts, extent, search))

    def stream(
        self, prompts: Iterable[str], extent: Extent | None = None, search: Search | None = None
    ) -> Iterator[Writing]:
        """Yield what follows each prompt; any number of prompts, in bounded memory."""
        waiting, done = iter(prompts), 0
        while chunk := list(islice(waiting, CHUNK)):
            encoded = [encode_text(prompt, self.tokenizer) for prompt in chunk]
            ids = [prompt.ids.tolist() for prompt in encoded]
            found = write_on(self.model, self.tokenizer, ids, extent or self.extent, search or self.search, done)
            for prompt, text, hypotheses in zip(chunk, encoded, found, strict=True):
                yield self._writing(prompt, text, hypotheses)
            done += len(chunk)

    def evaluate(self, text: str) -> TextScores:
        """Return how well the model foretells a text: nats, perplexity, bits per character, perplexity per word."""
        return score_text(self.model, encode_text(text, self.tokenizer))

    def _writing(self, prompt: str, encoded: EncodedText, hypotheses: Sequence[Hypothesis]) -> Writing:
        before = encoded.ids.tolist()[1:]
        versions = tuple(self._version(before, hypothesis) for hypothesis in hypotheses)
        best = versions[0]
        # The end that stands before every text counts as a position too.
        longest = self.model.settings.longest if isinstance(self.model, LanguageTransformer) else len(before) + 1
        return Writing(
            prompt=prompt,
            text=best.text,
            score=best.score,
            log_prob=best.log_prob,
            ended=best.ended,
            tokens=best.tokens,
            versions=versions,
            unknown=encoded.unknown,
            cut=max(0, len(before) - longest),
        )

    def _version(self, before: Sequence[int], found: Hypothesis) -> Version:
        written = found.ids[:-1] if found.ended == "end" else found.ids
        text = continuation(before, written, self.tokenizer)
        return Version(text, found.score, found.log_prob, found.ended, len(found.ids))
