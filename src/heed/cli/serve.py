"""`heed serve`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from heed.cli.output import print_json
from heed.errors import DataError, MachineError
from heed.settings import from_dict, with_overrides

if TYPE_CHECKING:
    from heed.serving.server import Server

LARGEST_TOKEN = 4_096  # bytes of a token's file; one is a line


def serve(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="The folders of the runs.")],
    host: Annotated[
        str, typer.Option("--host", help="The address to listen at; other computers reach 0.0.0.0, with a token.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", help="The port to listen at; 0: any that is free.")] = 8000,
    token_file: Annotated[
        Path | None, typer.Option("--token-file", help="A file with the token that clients must send.")
    ] = None,
    allow_host: Annotated[
        list[str] | None, typer.Option("--allow-host", help="Another name that the server is reached by.")
    ] = None,
    assignments: Annotated[
        list[str] | None, typer.Option("--set", help="One limit, such as limits.queue_requests=64.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the address and the models as one line of JSON.")] = False,
) -> None:
    """Serve trained models: REST, and a page to try them."""
    try:
        from heed.serving.doors import doors_for, is_local, new_token
        from heed.serving.limits import ServingSettings
        from heed.serving.server import Server, bind
    except ModuleNotFoundError as problem:
        if problem.name not in ("fastapi", "uvicorn", "starlette"):
            raise
        raise MachineError(
            f"heed serve needs {problem.name}, which is not installed. Install it with: pip install 'heed[serve]'."
        ) from None

    limits = from_dict(ServingSettings, with_overrides({}, assignments or []), "settings").limits
    token = _read_token(token_file) if token_file is not None else None
    made = token is None and not is_local(host)
    token = new_token() if made else token
    doors = doors_for(host, token, allow_host or ())
    server = Server(runs, bind(host, port), doors, limits)
    _tell_start(server, token if made else None, json)
    if not server.run():
        _leave_at_once()


def _tell_start(server: "Server", made_token: str | None, json: bool) -> None:
    """Print where the server is reached; a token that was made for this start is shown here and nowhere else."""
    if json:
        models = [{"name": model.name, "task": model.task, "reads": model.reads} for model in server.models()]
        print_json({"address": str(server.address), "token": made_token, "models": models})
        return
    if made_token is not None:
        typer.echo(f"Clients must send this token, which is shown once: Authorization: Bearer {made_token}")
    typer.echo(f"Serving at {server.address} (stop with Ctrl-C)")


def _read_token(path: Path) -> str:
    from heed.files.whole import read_whole

    token = read_whole(path, LARGEST_TOKEN).strip()
    if not token:
        raise DataError(f"{path} holds no token. Write one into it, of 16 characters or more.")
    return token


def _leave_at_once() -> None:
    """End although a thread still computes: its time is up, and Python would wait for it."""
    import os
    import sys

    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)
