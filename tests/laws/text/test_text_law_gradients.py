"""Every parameter of a classifier learns, and every word that was read, save where the mathematics says zero.

As in the other law of gradients: with a dot product as the score the key's bias moves all scores of a query alike, and
the location score does not read keys. Evaluation mode: dropout would blur, and batch statistics cancel biases.
"""

import torch
from key_gradients import check_gradients
from torch.nn import functional


def test_every_parameter_gets_a_gradient_except_where_it_must_be_zero(make_model, case) -> None:
    model = make_model(seed=5)
    functional.cross_entropy(model(case.texts), torch.tensor([0, 1, 2])).backward()
    check_gradients(model)


def test_words_get_a_gradient_exactly_when_they_were_read(make_model, case) -> None:
    model = make_model(seed=5)
    functional.cross_entropy(model(case.texts), torch.tensor([0, 1, 2])).backward()
    read = torch.cat([text.token_ids[text.keep] for text in case.texts]).unique()
    moved_V = model.encoder.embedding.weight.grad.abs().amax(dim=1) > 0
    assert torch.equal(moved_V.nonzero().flatten(), read)
