"""Built-in corpora: `load_demo` for pairs, `load_labelled_demo`, `load_tagged_demo`, `load_text_demo` …"""

from heed.data.demos.catalogue import (
    CAPTION_DEMOS,
    DEMOS,
    IMAGE_DEMOS,
    QUESTION_DEMOS,
    TAGGED_DEMOS,
    TEXT_DEMOS,
    labelled_demos,
    load_caption_demo,
    load_demo,
    load_image_demo,
    load_labelled_demo,
    load_question_demo,
    load_tagged_demo,
    load_text_demo,
)

__all__ = [
    "CAPTION_DEMOS",
    "DEMOS",
    "IMAGE_DEMOS",
    "QUESTION_DEMOS",
    "TAGGED_DEMOS",
    "TEXT_DEMOS",
    "labelled_demos",
    "load_caption_demo",
    "load_demo",
    "load_image_demo",
    "load_labelled_demo",
    "load_question_demo",
    "load_tagged_demo",
    "load_text_demo",
]
