"""Looking changes nothing: with a trace the model says the same, and the trace has every site."""

from torch import nn

from heed.layers.trace import Trace, sites_of
from heed.verifying.checking import SAME_BITS, Check
from heed.verifying.examples import read
from heed.verifying.findings import Difference, Measured, Unfit, apart
from heed.verifying.subject import Subject


def compare(subject: Subject) -> Measured | Unfit:
    """Compare what the model says while its attention is recorded with what it says unwatched."""
    model = subject.model
    if model is None or not subject.learns_in_steps:
        return Unfit("the model has no attention to look at")
    sites = all_sites(model)
    if not sites:
        return Unfit("the model has no attention to look at: all it knows is in its states")
    differences = []
    for example in subject.examples:
        trace = Trace()
        (watched,), (unwatched,) = read(model, example.batch, trace), read(model, example.batch)
        missing = sorted(set(sites) - set(trace.weights))
        differences.append(Difference(example.place, apart(watched, unwatched)))
        differences.append(Difference(f"{example.place}: not recorded: {', '.join(missing)}", float(len(missing))))
    return Measured(differences, SAME_BITS, note=f"{len(sites)} sites")


def all_sites(model: nn.Module) -> list[str]:
    """Return the names under which a trace finds what the model looked at; two towers name theirs apart."""
    own = getattr(model, "sites", None)
    return own if isinstance(own, list) else sites_of(model)


CHECK = Check("looking", "watched, the model says what it says unwatched", compare, needs=("determinism",))
