"""The options that `train` and `pretrain` share: how long, where to, and what is shown."""

from pathlib import Path
from typing import Annotated

import typer

from heed.cli.duration import minutes

Valid = Annotated[list[str] | None, typer.Option("--valid", help="Validation file; give it twice for two files.")]
Budget = Annotated[str | None, typer.Option("--budget", help="Train this long: 90s, 10m, 1h30m.")]
Steps = Annotated[int | None, typer.Option("--steps", help="Train so many optimizer steps.")]
Epochs = Annotated[int | None, typer.Option("--epochs", help="Train so many passes over the data.")]
Compile = Annotated[bool, typer.Option("--compile", help="Compile the model first; pays for long runs only.")]
Out = Annotated[Path | None, typer.Option("--out", help="The run's folder (default: a new one below runs/).")]
Force = Annotated[bool, typer.Option("--force", help="Replace a run that is in that folder.")]
ShowSettings = Annotated[
    bool, typer.Option("--show-settings", help="Print all settings as they would be, and train nothing.")
]
Quiet = Annotated[bool, typer.Option("--quiet", help="Show no progress.")]
Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]


def training_values(budget: str | None, steps: int | None, epochs: int | None, compile: bool) -> dict[str, object]:
    """Return the settings of training that these options are; None where an option was not given."""
    limit = minutes(budget) if budget is not None else None
    return {"steps": steps, "epochs": epochs, "minutes": limit, "compile": True if compile else None}
