"""A later token changes nothing before it: what a model writes depends on what stands before alone."""

from dataclasses import replace

from torch import Tensor

from heed.tasks.caption import CaptionBatch
from heed.tasks.translate import TranslationBatch
from heed.tasks.write import WriteBatch
from heed.verifying.checking import IN_64_BITS, Check
from heed.verifying.examples import ReadBatch, read
from heed.verifying.findings import Difference, Measured, Unfit, apart
from heed.verifying.subject import Subject

PLACES = 3  # of each text at which all that follows is changed

WrittenBatch = TranslationBatch | CaptionBatch | WriteBatch


def compare(subject: Subject) -> Measured | Unfit:
    """Compare what a model says up to a place with what it says there when other tokens follow."""
    if not subject.learns_in_steps or not isinstance(subject.examples[0].batch, WrittenBatch):
        return Unfit("the model writes no text: it reads all of its input at once")
    pieces = subject.tokenizers[-1].size
    differences = []
    for example in subject.examples:
        batch = example.batch
        assert isinstance(batch, WrittenBatch)
        (usual_TV,) = read(subject.exact, batch)
        for place in places_in(len(usual_TV)):
            (changed_TV,) = read(subject.exact, with_other_tokens(batch, place, pieces))
            size = apart(changed_TV[:place], usual_TV[:place])
            differences.append(Difference(f"{example.place}, tokens from {place} on changed", size))
    if not differences:
        return Unfit("every text has one token: nothing comes later")
    return Measured(differences, IN_64_BITS)


def places_in(length: int) -> list[int]:
    """Return some places of a text that have something before them: the second, the middle, the last."""
    return sorted({place for place in (1, length // 2, length - 1) if 0 < place < length})[:PLACES]


def with_other_tokens(batch: WrittenBatch, place: int, pieces: int) -> ReadBatch:
    """Return the batch with every token from a place on made another one."""
    match batch:
        case WriteBatch():
            token_ids = _changed(batch.windows.token_ids, place, pieces)
            return replace(batch, windows=replace(batch.windows, token_ids=token_ids))
        case TranslationBatch():
            return replace(batch, target_ids=_changed(batch.target_ids, place, pieces))
        case CaptionBatch():
            return replace(batch, target_ids=_changed(batch.target_ids, place, pieces))


def _changed(token_ids: Tensor, place: int, pieces: int) -> Tensor:
    changed_ids = token_ids.clone()
    changed_ids[:, place:] = (changed_ids[:, place:] + 1) % pieces
    return changed_ids


CHECK = Check("causality", "a later token changes nothing that was said before it", compare, needs=("determinism",))
