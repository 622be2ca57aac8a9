"""What holds for every command of `heed`."""

from collections.abc import Iterator

import pytest
from click import Command
from typer.main import get_command

from heed.cli.main import app


def commands(command: Command, name: str = "heed") -> Iterator[tuple[str, Command]]:
    """Yield every command that does something, with all of its names."""
    inner = getattr(command, "commands", {})
    if not inner:
        yield name, command
    for each, child in inner.items():
        yield from commands(child, f"{name} {each}")


ALL = dict(commands(get_command(app)))


@pytest.mark.parametrize("name", ALL)
def test_every_command_has_json(name: str) -> None:
    assert "--json" in [option for parameter in ALL[name].params for option in parameter.opts]


@pytest.mark.parametrize("name", ALL)
def test_every_command_and_every_option_says_what_it_is(name: str) -> None:
    assert ALL[name].help
    silent = [parameter.name for parameter in ALL[name].params if not getattr(parameter, "help", None)]
    assert silent == []
