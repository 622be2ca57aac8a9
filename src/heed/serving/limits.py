"""How much a server takes at a time, and for how long it waits: everything that a client could make large is here."""

from heed.errors import SettingsError
from heed.settings import settings


@settings
class Limits:
    """What one request may hold, what may wait, and every deadline."""

    body_bytes: int = 14_500_000  # of a request; a picture of the largest size, as base64, and some words
    bodies_bytes: int = 64_000_000  # of all requests together that are being read or answered
    texts: int = 64  # inputs of a request
    text_characters: int = 20_000  # of one input, both texts of a pair together; about ten pages
    picture_bytes: int = 10_000_000
    picture_pixels: int = 16_000_000  # decoded, 64 MB; a photograph of a telephone fits
    beams: int = 16  # more than 8 seldom helps, and time grows with them
    results: int = 100  # labels, answers, neighbours or candidates that are told
    written_tokens: int = 500  # that a language model writes on
    explained_weights: int = 64_000_000  # of attention in an explanation, 256 MB; 12 layers of 12 heads have 38 million

    batch_tokens: int = 8_192  # predicted together; more gains nothing on a CPU and others wait for it
    queue_tokens: int = 65_536  # that may wait, some seconds of work
    queue_requests: int = 512  # that may wait, or be answered at a time; the next is refused before it is read
    gather_seconds: float = 0.002  # for companions of the first request of a batch

    connections: int = 1_000  # open at a time; the next is closed at once
    header_seconds: float = 10.0  # from the first byte, or the last answer, to the end of the headers
    body_seconds: float = 30.0  # to the end of the body
    answer_seconds: float = 60.0  # in the queue and in the model
    request_seconds: float = 120.0  # from the headers to the last byte that the client has taken
    idle_seconds: int = 5  # between two requests of a connection
    shutdown_seconds: float = 10.0  # to finish what runs

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if value <= 0:
                raise SettingsError(f"limits.{name} is {value}. Give more than 0.")


@settings
class ServingSettings:
    """What `heed serve --set` may change."""

    limits: Limits = Limits()
