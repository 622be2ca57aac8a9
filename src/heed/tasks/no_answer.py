"""When to say nothing: the margin by which "no answer" must lead the best span, chosen where answers are known.

A model trained on questions that some paragraphs do not answer has a score for that, too. Its margin is that score
less the score of the best span (Devlin et al. 2019, section 4.3). Where the line is best drawn depends on the model, so
it is drawn on validation data: where F1 is highest.
"""

from collections.abc import Sequence

import numpy as np

from heed.data.records import Question
from heed.tasks.answer_scores import NO_ANSWER, score_each


def choose_threshold(margins: Sequence[float], spans: Sequence[str], questions: Sequence[Question]) -> float:
    """Return the threshold with the highest F1: a margin above it means no answer.

    `spans` are the best answers of the model, whatever their margins.
    """
    said = np.array([score.f1 for score in score_each(spans, questions)])
    unsaid = np.array([score.f1 for score in score_each([NO_ANSWER] * len(questions), questions)])
    order = np.argsort(margins, kind="stable")
    margins_N = np.asarray(margins, dtype=np.float64)[order]
    # Entry n: the first n questions, those with the lowest margins, are answered, and the others are not.
    totals = np.concatenate([[0.0], np.cumsum(said[order])]) + np.concatenate(
        [np.cumsum(unsaid[order][::-1])[::-1], [0.0]]
    )
    edges = np.concatenate([[margins_N[0] - 1], (margins_N[1:] + margins_N[:-1]) / 2, [margins_N[-1] + 1]])
    # Between two equal margins no line can be drawn.
    possible = np.concatenate([[True], margins_N[1:] > margins_N[:-1], [True]])
    return float(edges[np.where(possible, totals, -np.inf).argmax()])
