"""`quote`: a piece of a user's text, made fit to stand in a message."""


def quote(text: str, longest: int = 60) -> str:
    """Return the text in double quotes, cut to `longest` characters, with what cannot be printed escaped."""
    cut = text if len(text) <= longest else text[: longest - 1] + "…"
    return '"' + "".join(map(_printable, cut)) + '"'


def _printable(character: str) -> str:
    # A control character in a message could move the cursor of the terminal or forge a second line in a log.
    return character if character.isprintable() else character.encode("unicode_escape").decode("ascii")
