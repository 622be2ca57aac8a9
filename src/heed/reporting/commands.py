"""What can be done with a run, as commands to copy."""

import shlex

from heed.reporting.facts import RunFacts

# What `heed predict` is given, where that is not one text.
INPUTS = {
    "image": "photo.jpg",
    "caption": "photo.jpg",
    "pair": '"…" "…"',
    "answer": '"question" "paragraph"',
    "vectors": "word",
    "pretrain": '"… [MASK] …"',
}
_NOT_EXPLAINED = ("vectors",)  # tasks whose model has no inside to look at


def input_of(task: str) -> str:
    """Return what stands for an input of the task on the command line."""
    return INPUTS.get(task, '"…"')


def commands_for(facts: RunFacts) -> list[tuple[str, str]]:
    """Return for each command what it does, and the command."""
    run, given = shlex.quote(facts.path), input_of(facts.task)
    commands = [("Go on with the training", f"heed resume {run}")] if facts.state == "stopped" else []
    if facts.best is None and facts.origin is None:
        return commands
    commands += [
        ("Use the model", f"heed predict {run} {given}"),
        ("Score it on other data", f"heed evaluate {run} {_other_data(facts)}"),
    ]
    if facts.task not in _NOT_EXPLAINED:
        commands.append(("Look inside it", f"heed explain {run} {given} --out page.html"))
    return [*commands, ("Prove that it computes as it should", f"heed verify {run}"), ("Serve it", f"heed serve {run}")]


def _other_data(facts: RunFacts) -> str:
    """Return the test data of the run, or what stands for a file."""
    files = facts.data.files or {}
    demos = [name for name in files.get("train", ()) if name.startswith("demo:")]
    return " ".join(map(shlex.quote, files.get("test") or demos)) or "DATA"
