"""`heed`: the commands, and what each kind of failure looks like to a person and to a shell.

Exit codes: 0 done, 1 the user can fix it, 2 wrong usage, 3 our fault, 130 stopped by Ctrl-C.
"""

import os
import sys
import traceback

import typer

from heed import __version__
from heed.cli import (
    check,
    compare,
    doctor,
    evaluate,
    exchange,
    explain,
    predict,
    pretrain,
    report,
    runs,
    serve,
    show,
    train,
    verify,
)
from heed.errors import HeedError, UsageError

app = typer.Typer(
    name="heed",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="The small-Transformer workbench: train, compare, explain and use the models of the lecture decks.",
    epilog="Begin with: heed train translate",
)
app.command("doctor")(doctor.doctor)
app.command("check")(check.check)
app.command("train")(train.train)
app.command("pretrain")(pretrain.pretrain)
app.command("resume")(train.resume)
app.command("predict")(predict.predict)
app.command("evaluate")(evaluate.evaluate)
app.command("compare")(compare.compare)
app.command("ablate")(compare.ablate)
app.command("runs")(runs.runs)
app.command("report")(report.report)
app.command("explain")(explain.explain)
app.command("show")(show.show)
app.command("verify")(verify.verify)
app.command("serve")(serve.serve)
app.command("import")(exchange.import_)
app.command("export")(exchange.export)


@app.callback(invoke_without_command=True)
def top(version: bool = typer.Option(False, "--version", help="Print the version and leave.")) -> None:
    """Answer options that stand before a command."""
    if version:
        typer.echo(f"heed {__version__}")
        raise typer.Exit()


def main() -> None:
    """Run the command line."""
    code: str | int | None = 0
    try:
        app()
    except SystemExit as leaving:
        # typer says what is wrong with options itself, and leaves with 1 when the reader of a pipe went away
        # (`heed predict … | head`): then nothing is wrong, and there is no one to tell.
        code = leaving.code if not isinstance(leaving.__context__, BrokenPipeError) else 0
    except UsageError as problem:
        code = _say(problem, 2)
    except HeedError as problem:
        code = _say(problem, 1)
    except Exception as problem:  # noqa: BLE001  the last stop: a person gets a sentence, never a traceback
        code = _our_fault(problem)
    sys.exit(code)


def _say(problem: HeedError, code: int) -> int:
    if os.environ.get("HEED_DEBUG"):
        traceback.print_exc()
    typer.echo(f"heed: {problem}", err=True)
    return code


def _our_fault(problem: Exception) -> int:
    if os.environ.get("HEED_DEBUG"):
        traceback.print_exc()
    typer.echo(
        f"heed: this is a fault of ours, not of yours: {type(problem).__name__}: {problem}\n"
        f"Set HEED_DEBUG=1 and run it again to see where, and please report it.",
        err=True,
    )
    return 3
