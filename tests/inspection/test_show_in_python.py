"""`heed.show` gives what the command shows, and a notebook draws it."""

import pytest

import heed
from heed.errors import UsageError
from heed.inspection.show import show


def test_a_topic_is_the_object_that_the_command_prints() -> None:
    assert heed.show("mask").parts == show("mask").parts
    own = heed.show("mask", matrix="1 2 3; 0 1 2; 3 0 1")
    assert own.topic == "mask"
    assert own.parts != heed.show("mask").parts


def test_one_text_needs_no_list() -> None:
    assert heed.show("self-attention", "Jane visite Paris") == heed.show("self-attention", ["Jane visite Paris"])


def test_a_notebook_gets_the_picture() -> None:
    assert heed.show("mask")._repr_png_().startswith(b"\x89PNG\r\n")


def test_a_topic_that_does_not_exist_is_refused() -> None:
    with pytest.raises(UsageError, match="maks"):
        heed.show("maks")
