"""Which requests are known to have come whole without being read."""

import pytest

from heed.serving.connection import is_whole

HEAD = b"POST /v1/predict HTTP/1.1\r\nhost: localhost\r\n"


@pytest.mark.parametrize("header", [b"content-length: 3", b"Content-Length:3", b"CONTENT-LENGTH:\t3 "])
def test_a_request_is_whole_when_its_body_is_as_long_as_it_says(header: bytes) -> None:
    request = HEAD + header + b"\r\n\r\nabc"
    assert is_whole(request)
    assert not is_whole(request[:-1])
    assert not is_whole(request + b"P")


@pytest.mark.parametrize(
    "headers",
    [
        b"",  # no length
        b"content-length: 3\r\ncontent-length: 3\r\n",  # twice
        b"content-length: 3\r\ntransfer-encoding: chunked\r\n",
        b"content-length: 3\r\nTransfer-Encoding: chunked\r\n",
        b"x-content-length: 3\r\n",
        b"content-length: +3\r\n",
        b"content-length: 3, 3\r\n",
        b"content-length: 0003000000\r\n",
    ],
)
def test_what_is_doubtful_is_not_taken_for_whole(headers: bytes) -> None:
    assert not is_whole(HEAD + headers + b"\r\nabc")


def test_headers_without_an_end_are_not_whole() -> None:
    assert not is_whole(HEAD + b"content-length: 0\r\n")
