"""The test examples that the page shows: those that tell contenders apart, and those that none gets right."""

from collections.abc import Sequence

from heed.comparing.disagreements import Answer, Disagreements, JudgedExample
from heed.comparing.results import Comparison
from heed.comparing.wording import percent
from heed.pages.markup import Child, Markup, element, together
from heed.pages.parts import MOST, name, passage, table

MOST_SAID = 400  # characters of an answer; labels are shorter, translations seldom longer

ORDER_OF_DISAGREEMENT = {
    "spearman": "First come those whose predicted numbers lie furthest apart.",
    "bleu": "First come those where the best and the worst translation, by sentence BLEU, lie furthest apart.",
}
ORDER_OF_FAILURE = {
    "spearman": "First come those on which even the nearest prediction is furthest off.",
    "bleu": "No model gives the expected text; first come those where even the nearest has least in common with it.",
}


def contested_examples(comparison: Comparison, found: Disagreements) -> Markup:
    """Return the examples on which contenders disagree."""
    if len(comparison.standings) == 1:
        return element("p", "There is one model only: nothing to disagree with.")
    if not found.contested:
        return element("p", "The models say the same of every test example.")
    order = ORDER_OF_DISAGREEMENT.get(
        comparison.metric,
        "First come those where the most models contradict each other with the highest probabilities.",
    )
    counted = _counted(comparison, found.contested_count, len(found.contested))
    caption = "Examples on which the models disagree, the strongest disagreement first"
    return together([element("p", f"{counted} {order} {_voice(comparison)}"), _examples(caption, found.contested)])


def failed_examples(comparison: Comparison, found: Disagreements) -> Markup:
    """Return the examples that every contender gets wrong."""
    if not found.failed:
        return element("p", "There is none: every test example is answered rightly by at least one model.")
    order = ORDER_OF_FAILURE.get(
        comparison.metric,
        "First come those where the models agree most surely on another answer: look there for wrong labels.",
    )
    counted = _counted(comparison, found.failed_count, len(found.failed))
    caption = "Examples that every model gets wrong"
    return together([element("p", f"{counted} {order}"), _examples(caption, found.failed)])


def _counted(comparison: Comparison, count: int, shown: int) -> str:
    examples = len(comparison.examples)
    if comparison.metric == "spearman":  # no two numbers are quite the same, so that there is nothing to count
        return f"Here are {shown} of {examples:,} test examples."
    more = f"; here are {shown}" if shown < count else ""
    return f"{count:,} of {examples:,} test examples ({percent(count / examples)} %){more}."


def _voice(comparison: Comparison) -> str:
    if max(standing.seeds for standing in comparison.standings) == 1:
        return ""
    if comparison.metric == "spearman":
        return "A model's number is the mean of its seeds."
    if comparison.metric == "bleu":
        return "A model's answer is what most of its seeds say, else what the first says."
    return "A model's answer is what most of its seeds say; between equals the surer one counts, then the first seed."


def _examples(caption: str, examples: Sequence[JudgedExample]) -> Markup:
    return table(caption, ["Where", "Text", "Expected", "Said"], [_row(each) for each in examples], kind="examples")


def _row(judged: JudgedExample) -> list[Child]:
    example = judged.example
    where = name(example.place) if example.place else f"{judged.number + 1:,}"
    texts = [passage(text, MOST // len(example.texts)) for text in example.texts]
    return [where, together(texts), passage(example.expected, MOST_SAID), _answers(judged.answers)]


def _answers(answers: Sequence[Answer]) -> Markup:
    """Return what was said, with those who said it; what most say comes first."""
    by_said: dict[str, list[Answer]] = {}
    for answer in answers:
        by_said.setdefault(answer.said, []).append(answer)
    groups = sorted(by_said.values(), key=len, reverse=True)
    return element("ul", *(_group(group) for group in groups), class_="answers")


def _group(group: Sequence[Answer]) -> Markup:
    voices: list[Child] = [{None: "", True: "✓ right: ", False: "✗ wrong: "}[group[0].right]]
    for answer in group:
        voices += [name(answer.contender), _sureness(answer), ", "]
    return element("li", passage(group[0].said, MOST_SAID), element("span", *voices[:-1]))


def _sureness(answer: Answer) -> str:
    sure = "" if answer.confidence is None else f" {answer.confidence:.0%}"
    return sure if answer.votes == answer.seeds else f"{sure} ({answer.votes} of {answer.seeds} seeds)"
