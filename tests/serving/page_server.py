"""A server on a port of its own in a thread, and pages in a browser whose faults are counted."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn

from heed.serving.app import Service, build_app
from heed.serving.batching import Batcher
from heed.serving.connection import connection_with
from heed.serving.doors import doors_for
from heed.serving.guard import Guard
from heed.serving.limits import Limits
from heed.serving.models import Models
from heed.serving.policy import POLICY
from heed.serving.server import bind
from heed.serving.web_files import web_files

PATIENCE = 60_000  # milliseconds: the machine may have other work
SITE = "http://heed.test"
# A refusal is part of a story; the browser writes each one down by itself.
EXPECTED = "Failed to load resource"
COUNT_VIOLATIONS = """
window.hits = 0;
addEventListener('securitypolicyviolation', (event) => console.error('refused by policy: ' + event.blockedURI));
"""

Answer = tuple[int, dict[str, str], str | bytes]


@contextmanager
def page_server(models: Models, token: str | None = None) -> Iterator[str]:
    """Yield the address of a server of these models."""
    limits = Limits()
    service = Service(models, Batcher(limits), limits)
    service.batcher.start()
    bound = bind("127.0.0.1", 0)
    guard = Guard(build_app(service), doors_for("127.0.0.1", token), limits)
    config = uvicorn.Config(guard, http=connection_with(limits), ws="none", lifespan="off", log_config=None)
    web = uvicorn.Server(config)
    thread = threading.Thread(target=web.run, args=([bound],), daemon=True)
    thread.start()
    while not web.started:
        time.sleep(0.01)
    yield f"http://127.0.0.1:{bound.getsockname()[1]}"
    web.should_exit = True
    service.batcher.abandon()
    thread.join(10)


class Pages:
    """Opens pages; what goes wrong on them is kept."""

    def __init__(self, browser: Any) -> None:
        self._browser = browser
        self._contexts: list[Any] = []
        self.faults: list[str] = []

    def open(self, address: str, **options: Any) -> Any:
        """Return a page at an address."""
        page = self._new(**options)
        page.goto(address)
        return page

    def open_told(self, answers: Callable[[str, Any], Answer], fragment: str = "", **options: Any) -> Any:
        """Return the page with answers that a test has made up; the files and the policy are the server's own."""
        page = self._new(**options)
        page.route("**/*", lambda route: self._fulfil(route, answers))
        page.goto(f"{SITE}/{fragment}")
        return page

    def close(self) -> None:
        """Close what was opened."""
        for context in self._contexts:
            context.close()

    def _new(self, **options: Any) -> Any:
        context = self._browser.new_context(**{"viewport": {"width": 1200, "height": 900}, **options})
        self._contexts.append(context)
        context.add_init_script(COUNT_VIOLATIONS)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("console", lambda message: EXPECTED in message.text or self.faults.append(message.text))
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("dialog", lambda dialog: (self.faults.append(f"dialog {dialog.message}"), dialog.dismiss()))
        return page

    def _fulfil(self, route: Any, answers: Callable[[str, Any], Answer]) -> None:
        path = route.request.url.removeprefix(SITE).partition("#")[0]
        file = web_files().get(path)
        if file is not None:
            headers = {"content-security-policy": POLICY, "content-type": file.content_type}
            route.fulfill(status=200, headers=headers, body=file.content)
            return
        status, headers, body = answers(path, route.request.post_data_json if route.request.post_data else None)
        route.fulfill(status=status, headers={"content-type": "application/json", **headers}, body=body)
