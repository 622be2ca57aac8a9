"""The character model: it learns its word, by memory, the same every time."""

import pytest
import torch

from heed.errors import UsageError
from heed.inspection.given import Given
from heed.inspection.shown import Note
from heed.inspection.topics.hello import learn, show_hello
from heed.runs.telling import silent


def test_hello_is_learnt_letter_by_letter_with_three_hidden_numbers(numbers, table) -> None:
    shown = show_hello(Given(), silent)
    assert table(shown, "Scores").columns == ("h", "e", "l", "o")
    chances = numbers(shown, "Their softmax")
    assert chances.argmax(dim=1).tolist() == [1, 2, 2, 3]
    assert chances.max(dim=1).values.min() > 0.9
    assert numbers(shown, "Hidden states").shape == (4, 3)
    [written] = [part.text for part in shown.parts if isinstance(part, Note) and part.heading == "Writing"]
    assert written.endswith("hello")


def test_inputs_are_one_hot_and_both_ls_are_the_same_input_with_other_states(numbers) -> None:
    shown = show_hello(Given(), silent)
    inputs, hidden = numbers(shown, "Inputs"), numbers(shown, "Hidden states")
    assert torch.equal(inputs.sum(dim=1), torch.ones(4, dtype=torch.float64))
    assert torch.equal(inputs[2], inputs[3])
    assert (hidden[2] - hidden[3]).abs().max() > 0.1


def test_learning_is_the_same_every_time_and_leaves_the_random_state_alone() -> None:
    torch.manual_seed(5)
    before = torch.get_rng_state()
    one, other = learn("abab", silent), learn("abab", silent)
    assert torch.equal(torch.get_rng_state(), before)
    assert one.losses == other.losses
    assert one.losses[1] < one.losses[0]


@pytest.mark.parametrize(
    ("texts", "fault"), [(("a",), "'a' has 1 char"), (("x" * 13,), "has 13 char"), (("ab", "cd"), "2 texts")]
)
def test_words_that_cannot_be_shown_are_refused(texts: tuple[str, ...], fault: str) -> None:
    with pytest.raises(UsageError, match=fault):
        show_hello(Given(texts=texts), silent)
