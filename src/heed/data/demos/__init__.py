"""Built-in corpora: `load_demo` for pairs, `load_labelled_demo`, `load_tagged_demo`, `load_text_demo` …"""

from heed.data.demos.catalogue import (
    DEMOS,
    QUESTION_DEMOS,
    TAGGED_DEMOS,
    TEXT_DEMOS,
    labelled_demos,
    load_demo,
    load_labelled_demo,
    load_question_demo,
    load_tagged_demo,
    load_text_demo,
)

__all__ = [
    "DEMOS",
    "QUESTION_DEMOS",
    "TAGGED_DEMOS",
    "TEXT_DEMOS",
    "labelled_demos",
    "load_demo",
    "load_labelled_demo",
    "load_question_demo",
    "load_tagged_demo",
    "load_text_demo",
]
