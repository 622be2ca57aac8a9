"""Which test examples a reader is shown: where contenders contradict each other, and what none gets right."""

import time
from collections.abc import Sequence
from dataclasses import replace

import pytest
from fake_comparisons import labelled, numbered, translated, with_one_seed_of

from heed.comparing.disagreements import JudgedExample, find_disagreements
from heed.comparing.opinions import sentence_bleu
from heed.comparing.results import Comparison
from heed.tasks.translation_scores import sentence_counts

YES, NO = "yes", "no"


def said(
    expected: Sequence[str],
    answers: dict[str, Sequence[Sequence[str]]],
    confidence: dict[str, Sequence[Sequence[float]]] | None = None,
) -> Comparison:
    """Return a comparison in which each contender's seeds say just this, in the order of the names."""
    comparison = labelled(names=tuple(answers), seeds=max(map(len, answers.values())), examples=len(expected))
    trials = []
    for name, runs in answers.items():
        own = [trial for trial in comparison.trials if trial.contender == name]
        for number, run in enumerate(runs):
            sure = confidence[name][number] if confidence else []
            trials.append(replace(own[number], predicted=run, confidence=sure))
    standings = [
        replace(standing, name=name, seeds=len(runs))
        for standing, (name, runs) in zip(comparison.standings, answers.items(), strict=True)
    ]
    examples = [replace(example, expected=label) for example, label in zip(comparison.examples, expected, strict=True)]
    return replace(comparison, trials=trials, standings=standings, examples=examples)


def numbers(examples: Sequence[JudgedExample]) -> list[int]:
    return [example.number for example in examples]


def test_examples_on_which_all_say_the_same_are_not_contested() -> None:
    found = find_disagreements(said([YES, YES, NO], {"a": [[YES, NO, NO]], "b": [[YES, YES, NO]]}))
    assert numbers(found.contested) == [1]
    assert found.contested_count == 1


def test_a_contender_says_what_most_of_its_seeds_say() -> None:
    found = find_disagreements(said([YES], {"a": [[YES], [NO], [NO]], "b": [[YES], [YES], [YES]]}))
    first, second = found.contested[0].answers
    assert (first.said, first.votes, first.seeds, first.right) == (NO, 2, 3, False)
    assert (second.said, second.votes, second.seeds, second.right) == (YES, 3, 3, True)


def test_between_as_many_seeds_the_surer_one_speaks() -> None:
    found = find_disagreements(
        said([YES], {"a": [[YES], [NO]], "b": [[YES], [YES]]}, {"a": [[0.6], [0.9]], "b": [[0.7], [0.8]]})
    )
    first, second = found.contested[0].answers
    assert (first.said, first.confidence) == (NO, pytest.approx(0.9))
    assert (second.said, second.confidence) == (YES, pytest.approx(0.75))


def test_between_equals_in_everything_the_first_seed_speaks() -> None:
    found = find_disagreements(said([NO], {"a": [[YES], [NO]], "b": [[NO], [NO]]}))
    assert found.contested[0].answers[0].said == YES


def test_the_surest_contradiction_comes_first() -> None:
    answers = {"a": [[YES, YES, YES]], "b": [[NO, NO, NO]]}
    sure = {"a": [[0.6, 0.9, 0.9]], "b": [[0.9, 0.9, 0.5]]}
    assert numbers(find_disagreements(said([YES] * 3, answers, sure)).contested) == [1, 0, 2]


def test_two_against_two_is_a_stronger_disagreement_than_one_against_three() -> None:
    answers = {"a": [[NO, NO]], "b": [[YES, NO]], "c": [[YES, YES]], "d": [[YES, YES]]}
    assert numbers(find_disagreements(said([YES, YES], answers)).contested) == [1, 0]


def test_examples_of_equal_strength_stay_in_the_order_of_the_data() -> None:
    answers = {"a": [[YES] * 9], "b": [[NO] * 9]}
    assert numbers(find_disagreements(said([YES] * 9, answers), most_contested=4).contested) == [0, 1, 2, 3]


def test_what_all_get_wrong_begins_with_what_they_agree_on_most_surely() -> None:
    answers = {"a": [["x", "x", YES, "x"]], "b": [["y", "x", NO, "x"]]}
    sure = {"a": [[0.9, 0.6, 0.9, 0.9]], "b": [[0.9, 0.6, 0.9, 0.9]]}
    found = find_disagreements(said([YES] * 4, answers, sure))
    assert numbers(found.failed) == [3, 1, 0]
    assert found.failed_count == 3


def test_one_contender_contradicts_nobody_and_may_still_be_wrong() -> None:
    found = find_disagreements(said([YES, YES], {"a": [[YES, NO]]}))
    assert found.contested == ()
    assert numbers(found.failed) == [1]


def test_a_contender_with_fewer_seeds_is_judged_by_its_own() -> None:
    found = find_disagreements(with_one_seed_of(labelled(), "gru"))
    seeds = {answer.contender: answer.seeds for answer in found.contested[0].answers}
    assert seeds["gru"] == 1
    assert seeds["lstm"] == 3


def test_an_answer_is_right_where_it_is_what_was_expected() -> None:
    found = find_disagreements(labelled(labels=("a", "b", "c")))
    for judged in (*found.contested, *found.failed):
        assert [each.right for each in judged.answers] == [
            each.said == judged.example.expected for each in judged.answers
        ]


def test_no_more_are_shown_than_a_person_reads_but_all_are_counted() -> None:
    comparison = labelled(examples=1600, labels=("a", "b", "c"))
    found = find_disagreements(comparison)
    assert len(found.contested) == 50
    assert len(found.failed) == 20
    assert found.contested_count > 50
    assert found.failed_count > 20


def test_numbers_disagree_by_how_far_their_means_lie_apart() -> None:
    comparison = replace(
        said(["3", "3", "3"], {"a": [["3", "4", "1"], ["3", "2", "1"]], "b": [["3.5", "3", "2"]] * 2}),
        metric="spearman",
        labels=(),
    )
    found = find_disagreements(comparison)
    assert numbers(found.contested) == [2, 0]
    assert [answer.said for answer in found.contested[0].answers] == ["1.000", "2.000"]
    assert found.contested[0].answers[0].right is None
    assert numbers(found.failed) == [2]


def test_translations_disagree_by_how_much_better_one_is() -> None:
    found = find_disagreements(translated())
    assert found.contested_count > 10
    assert all(len({answer.said for answer in example.answers}) > 1 for example in found.contested)
    assert all(answer.confidence is None for example in found.contested for answer in example.answers)
    expected = [example.example.expected for example in found.failed]
    assert all(answer.said not in expected for example in found.failed for answer in example.answers)


def test_bleu_of_a_sentence_is_one_for_the_expected_text_and_falls_with_every_wrong_word() -> None:
    expected = "the film was never less than warm"
    others = [expected, "the film was never less than cold", "the film was never cold", "nothing", ""]
    scores = sentence_bleu(sentence_counts(others, [expected] * len(others)).tolist()).tolist()
    assert scores[0] == pytest.approx(1)
    assert scores[0] > scores[1] > scores[2] > scores[3] == scores[4] == 0


def test_numbers_without_confidence_are_found_without_a_warning(recwarn: pytest.WarningsRecorder) -> None:
    find_disagreements(numbered())
    find_disagreements(translated())
    assert not recwarn.list


def test_ten_thousand_examples_of_eight_contenders_take_about_a_second() -> None:
    comparison = labelled(names=tuple("abcdefgh"), seeds=3, examples=10_000)
    began = time.process_time()
    find_disagreements(comparison)
    assert time.process_time() - began < 2  # half a second where nothing else runs
