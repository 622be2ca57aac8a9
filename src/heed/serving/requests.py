"""What a client may ask: strict, bounded, and nothing beside. Sizes that a server chooses are checked by `limits`."""

import base64
import binascii
from dataclasses import dataclass
from typing import Annotated, Literal

from PIL import Image
from pydantic import BaseModel, ConfigDict, Field

from heed.files.images import decode_image
from heed.serving.limits import Limits
from heed.serving.refusals import Refusal

STRICT = ConfigDict(strict=True, extra="forbid", frozen=True)

Name = Annotated[str, Field(max_length=255)]
Count = Annotated[int, Field(ge=1, le=10_000)]


class Picture(BaseModel):
    """A picture as an input: the bytes of a JPEG, PNG, WebP, GIF, BMP or TIFF file in base64."""

    model_config = STRICT

    picture: str


Pair = Annotated[list[str], Field(min_length=2, max_length=2)]
Input = str | Pair | Picture


class Options(BaseModel):
    """How to predict; what is left out is as the run has it. Which of them mean something, the model tells."""

    model_config = STRICT

    beam: Annotated[Count | None, Field(description="Beam search with so many beams.")] = None
    normalise: Annotated[
        Literal["none", "mean", "gnmt"] | None, Field(description="How beams of unequal length compare.")
    ] = None
    alpha: Annotated[float | None, Field(ge=0, le=100, allow_inf_nan=False)] = None
    greedy: Annotated[bool, Field(description="Take the most probable piece at each step.")] = False
    sample: Annotated[bool, Field(description="Draw each piece at random by its probability.")] = False
    temperature: Annotated[float | None, Field(gt=0, le=100, allow_inf_nan=False)] = None
    top_k: Annotated[int | None, Field(ge=0, le=10_000_000)] = None
    top_p: Annotated[float | None, Field(gt=0, le=1)] = None
    seed: Annotated[int | None, Field(ge=0, lt=2**63)] = None
    best: Annotated[Count | None, Field(description="How many translations, answers or words to tell.")] = None
    length: Annotated[Count | None, Field(description="Of language models: write so many pieces.")] = None
    line: Annotated[bool, Field(description="Of language models: stop at the end of the line.")] = False
    threshold: Annotated[
        float | None,
        Field(allow_inf_nan=False, description="How far 'no answer' must lead to be said."),
    ] = None

    def given(self) -> dict[str, object]:
        """Return the options that were given."""
        return {name: value for name, value in self if value is not None and value is not False}


class PredictRequest(BaseModel):
    """Inputs for one model: texts; pairs of texts, or questions with their paragraphs; or pictures."""

    model_config = STRICT

    model: Name
    inputs: Annotated[list[Input], Field(min_length=1, max_length=10_000)]
    options: Options = Options()


class ExplainRequest(BaseModel):
    """One input, and what to look at while the model reads it."""

    model_config = STRICT

    model: Name
    input: Input
    sites: Annotated[list[Name], Field(max_length=100, description='Such as "decoder.*.cross"; none: all.')] = []
    heads: Annotated[bool, Field(description="Also tell what the answer becomes without each head.")] = False
    steps: Annotated[int, Field(ge=0, le=100, description="Of integrated gradients; 0: none.")] = 0
    answer: Annotated[str | None, Field(max_length=1_000, description="Explain this answer instead.")] = None
    beam: Count | None = None


@dataclass(frozen=True)
class SentPicture:
    """A picture that came with a request; it is decoded where it is needed."""

    name: str
    data: bytes
    most_pixels: int

    def draw(self) -> Image.Image:
        """Return the picture, or raise DataError."""
        return decode_image(self.data, self.name, self.most_pixels)


Given = str | tuple[str, str] | SentPicture


def read_inputs(inputs: list[Input], limits: Limits) -> list[Given]:
    """Return the inputs as predictors take them; refuse what is too many or too large."""
    if len(inputs) > limits.texts:
        raise _too_large(f"{len(inputs):,} inputs", f"{limits.texts:,}", "Send them in several requests.")
    return [_read(each, number, limits) for number, each in enumerate(inputs, start=1)]


def check_beams(beams: int | None, limits: Limits) -> None:
    """Refuse more beams than the server searches with."""
    if beams is not None and beams > limits.beams:
        raise Refusal(
            400, "limit", f"{beams:,} beams are asked for; at most {limits.beams} are searched. Ask for less."
        )


def _read(given: Input, number: int, limits: Limits) -> Given:
    match given:
        case str():
            _check_length(len(given), number, limits)
            return given
        case Picture():
            return SentPicture(f"picture {number}", _decoded(given.picture, number, limits), limits.picture_pixels)
        case [first, second]:
            _check_length(len(first) + len(second), number, limits)
            return first, second
    raise Refusal(422, "invalid", f"inputs.{number - 1}: {len(given)} texts came. Give one text, or a pair of two.")


def _check_length(characters: int, number: int, limits: Limits) -> None:
    if characters > limits.text_characters:
        most = f"{limits.text_characters:,}"
        raise _too_large(f"Text {number} has {characters:,} characters", most, "Send a shorter one.")


def _decoded(text: str, number: int, limits: Limits) -> bytes:
    if len(text) * 3 // 4 > limits.picture_bytes + 3:
        most = f"{limits.picture_bytes:,} bytes"
        raise _too_large(f"Picture {number} has about {len(text) * 3 // 4:,} bytes", most, "Make it smaller.")
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        shown = text[:20]
        raise Refusal(
            400, "picture", f"Picture {number} begins with {shown!r} and is no base64. Send the bytes of its file so."
        ) from None


def _too_large(what: str, most: str, cure: str) -> Refusal:
    return Refusal(413, "large", f"{what}; at most {most} are taken. {cure}")
