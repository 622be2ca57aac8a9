"""The guard: other sites, strangers, large and slow bodies stay outside, and no answer tells of this machine."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from serving_client import Served

from heed.errors import UsageError
from heed.serving.doors import Doors, doors_for, is_local, new_token
from heed.serving.limits import Limits
from heed.serving.models import Models
from heed.serving.policy import POLICY
from heed.serving.refusals import Refusal, without_paths
from heed.serving.web_files import web_paths

TOKEN = "a token of the tests".replace(" ", "-")


def checked(doors: Doors, path: str = "/v1/models", **headers: str) -> int:
    """Return the status with which the doors refuse, or 200."""
    try:
        doors.check(path, headers)
    except Refusal as refusal:
        return refusal.status
    return 200


@pytest.mark.parametrize("host", ["localhost:8000", "127.0.0.1", "127.0.0.1:9", "[::1]:8000", "LOCALHOST"])
def test_names_of_this_computer_are_let_in(host: str) -> None:
    assert checked(doors_for("127.0.0.1"), host=host) == 200


@pytest.mark.parametrize("host", ["evil.example:8000", "", "127.0.0.1.evil.example", "10.0.0.1", "localhost.", "[::2]"])
def test_other_names_are_refused_although_they_point_here(host: str) -> None:
    assert checked(doors_for("127.0.0.1"), host=host) == 421


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://localhost:9", "http://127.0.0.1:8000.evil"])
def test_other_origins_are_refused(origin: str) -> None:
    assert checked(doors_for("127.0.0.1"), host="127.0.0.1:8000", origin=origin) == 403


def test_the_page_of_the_server_itself_may_ask() -> None:
    assert checked(doors_for("127.0.0.1"), host="127.0.0.1:8000", origin="http://127.0.0.1:8000") == 200


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (f"Bearer {TOKEN}", 200),
        (f"bearer {TOKEN}", 200),
        (f"Bearer {TOKEN}x", 401),
        (TOKEN, 401),
        ("Bearer ", 401),
        ("", 401),
    ],
)
def test_bound_wider_a_token_is_needed(sent: str, status: int) -> None:
    assert checked(doors_for("0.0.0.0", TOKEN), host="10.0.0.1:8000", authorization=sent) == status


def test_bound_wider_the_page_and_health_are_open_and_foreign_names_are_not() -> None:
    doors = doors_for("0.0.0.0", TOKEN, ["lab.example"])
    assert checked(doors, "/", host="10.0.0.1") == checked(doors, "/health", host="lab.example") == 200
    assert checked(doors, "/", host="evil.example") == 421
    assert {checked(doors, path, host="10.0.0.1") for path in web_paths()} == {200}
    assert checked(doors, "/v1/examples/colours", host="10.0.0.1") == 401


def test_a_server_for_others_without_a_good_token_does_not_start() -> None:
    with pytest.raises(UsageError, match=r"0\.0\.0\.0 can be reached"):
        doors_for("0.0.0.0")
    with pytest.raises(UsageError, match="has 5 characters"):
        doors_for("0.0.0.0", "short")
    assert len({new_token() for _ in range(3)}) == 3
    assert all(is_local(host) for host in ("127.0.0.1", "::1", "localhost"))
    assert not any(is_local(host) for host in ("0.0.0.0", "example.org"))


def test_the_guard_uses_the_doors_and_every_answer_has_the_headers(served: Served) -> None:
    async def act(client: httpx.AsyncClient) -> list[httpx.Response]:
        evil = await client.get("/health", headers={"host": "evil.example"})
        return [await client.get("/"), await client.get("/v1/models"), await client.get("/nothing"), evil]

    replies = served.told(act, host="0.0.0.0", token=TOKEN)
    assert [reply.status_code for reply in replies] == [200, 401, 401, 421]
    for reply in replies:
        assert reply.headers["content-security-policy"] == POLICY
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert reply.headers["referrer-policy"] == "no-referrer"
    assert replies[1].headers["www-authenticate"] == "Bearer"


async def dripped(parts: int, seconds: float) -> AsyncIterator[bytes]:
    for _ in range(parts):
        await asyncio.sleep(seconds)
        yield b"a" * 30


@pytest.mark.parametrize(
    ("limits", "parts", "seconds", "status", "detail"),
    [
        (Limits(body_bytes=100), 9, 0.0, 413, "120 bytes or more; at most 100"),
        (Limits(body_seconds=0.05), 9, 0.02, 408, r"within 0.05 seconds"),
        (Limits(bodies_bytes=100), 9, 0.0, 429, "120 bytes of requests are held"),
    ],
)
def test_bodies_that_are_large_slow_or_too_many_are_refused_while_they_come(
    served: Served, limits: Limits, parts: int, seconds: float, status: int, detail: str
) -> None:
    def post(client: httpx.AsyncClient) -> "asyncio.Future[httpx.Response]":
        return asyncio.ensure_future(client.post("/v1/predict", content=dripped(parts, seconds)))

    async def twice(client: httpx.AsyncClient) -> httpx.Response:
        await post(client)
        return await post(client)

    reply = served.told(twice, limits)
    assert reply.status_code == status and detail in reply.json()["detail"]
    assert reply.headers["connection"] == "close"


def test_a_length_that_is_too_large_is_refused_before_anything_is_read(served: Served) -> None:
    headers = {"content-length": "14500001", "content-type": "application/json"}
    reply = served.told(lambda client: client.post("/v1/predict", content=dripped(1, 0), headers=headers))
    assert reply.status_code == 413 and "14,500,001 bytes" in reply.json()["detail"]


def test_a_fault_of_ours_is_told_without_its_words(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: Models) -> list[object]:
        raise KeyError("what a user wrote")

    monkeypatch.setattr(Models, "facts", broken)
    reply = served.get("/v1/models")
    assert (reply.status_code, reply.json()["error"]) == (500, "fault")
    assert "user wrote" not in reply.text


def test_a_run_that_cannot_be_loaded_says_so_by_its_name(colours: Path, tmp_path: Path) -> None:
    copy = tmp_path / "damaged"
    copy.mkdir()
    for file in colours.iterdir():
        if file.is_file():
            (copy / file.name).write_bytes(file.read_bytes())
    (copy / "model.safetensors").write_bytes(b"nothing of use")
    models = Models([colours, copy])
    served = Served(models)
    assert [facts["state"] for facts in served.get("/v1/models").json()["models"]] == ["loading", "loading"]
    early = served.post("/v1/predict", {"model": "colours", "inputs": ["sky"]})
    assert (early.status_code, early.json()["error"], early.headers["retry-after"]) == (503, "loading", "2")
    models.start()
    models.wait(60)
    reply = served.get("/v1/models")
    assert [facts["state"] for facts in reply.json()["models"]] == ["ready", "failed"]
    assert "damaged" in reply.json()["models"][1]["problem"] and str(tmp_path) not in reply.text
    late = served.post("/v1/predict", {"model": "damaged", "inputs": ["sky"]})
    assert (late.status_code, late.json()["error"]) == (503, "failed") and str(tmp_path) not in late.text
    assert "retry-after" not in late.headers  # it will never be loaded


def test_two_runs_of_one_name_get_two_names_and_none_is_refused(colours: Path) -> None:
    assert [run.name for run in Models([colours, colours]).runs] == ["colours", "colours-2"]
    with pytest.raises(UsageError, match="There are 0 runs"):
        Models([])


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        ("data/one is bad: /home/me/runs/one/x.json.", "one is bad: …"),
        ("<object at 0x7f2ad1576490>", "<object at …>"),
        ("and/or 3/4 a/b", "and/or 3/4 a/b"),
    ],
)
def test_sentences_lose_paths_and_addresses_and_nothing_else(sentence: str, told: str) -> None:
    assert without_paths(sentence, [(Path("data/one"), "one")]) == told
