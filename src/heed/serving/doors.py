"""`Doors`: who may come in. A page of another site must not be able to use a server on this computer.

A browser sends requests of any page to 127.0.0.1, and a name that an attacker owns may point there. So the name in
`Host` must be one that is known, and `Origin`, which a browser adds, the server itself. Bound wider than this computer,
a token is needed too.
"""

import hmac
import ipaddress
import secrets
import socket
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from heed.errors import UsageError
from heed.serving.refusals import Refusal
from heed.serving.web_files import web_paths

LOCAL = frozenset({"localhost", "127.0.0.1", "::1"})
OPEN_PATHS = frozenset({*web_paths(), "/health"})  # nothing in them is secret
SHORTEST_TOKEN = 16  # characters


@dataclass(frozen=True)
class Doors:
    """Which names the server answers to, and the token that is needed, if one is."""

    hosts: frozenset[str]
    addresses: bool = False  # any numeric address will do: nobody can make a name of one
    token: str | None = None

    def check(self, path: str, headers: Mapping[str, str]) -> None:
        """Refuse a request that comes from elsewhere, or without the token."""
        host = headers.get("host", "")
        if not self._knows(name_in(host)):
            raise Refusal(421, "host", f"The host {host[:80]!r} is not one that this server answers to.")
        origin = headers.get("origin")
        if origin is not None and origin not in (f"http://{host}", f"https://{host}"):
            raise Refusal(403, "origin", f"The origin {origin[:80]!r} is another site.")
        if self.token is not None and path not in OPEN_PATHS:
            self._check_token(headers.get("authorization", ""))

    def _knows(self, name: str) -> bool:
        return name in self.hosts or (self.addresses and _is_address(name))

    def _check_token(self, given: str) -> None:
        kind, _, token = given.partition(" ")
        # Compared in a time that does not tell how much of it was right.
        right = hmac.compare_digest(token.strip().encode(), (self.token or "").encode())
        if kind.lower() != "bearer" or not right:
            raise Refusal(401, "token", "A token is needed: Authorization: Bearer TOKEN.")


def doors_for(host: str, token: str | None = None, names: Iterable[str] = ()) -> Doors:
    """Return the doors of a server that is bound to a host; `names` are others that it is known by."""
    known = LOCAL | {host.lower(), *(name.lower() for name in names)}
    if is_local(host):
        return Doors(known, token=token)
    if token is None:
        raise UsageError(f"The host {host} can be reached from other computers. Give a token.")
    if len(token) < SHORTEST_TOKEN or not token.isascii() or not token.isprintable() or " " in token:
        raise UsageError(f"The token has {len(token)} characters. Give {SHORTEST_TOKEN} or more, without spaces.")
    return Doors(known | {socket.gethostname().lower(), socket.getfqdn().lower()}, True, token)


def new_token() -> str:
    """Return a token that nobody can guess."""
    return secrets.token_urlsafe(32)


def is_local(host: str) -> bool:
    """Tell whether only this computer reaches a host."""
    return host.lower() == "localhost" or (_is_address(host) and ipaddress.ip_address(host).is_loopback)


def name_in(host: str) -> str:
    """Return the name in a `Host` header, without its port."""
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return host.partition(":")[0].lower()


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
