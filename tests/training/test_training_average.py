"""The moving average of the weights: the formula by hand, and a model that comes back as it went in."""

import pytest
import torch
from torch import nn

from heed.errors import RunError
from heed.models.weights import weights_of
from heed.training.average import WeightAverage


def model_at(value: float) -> nn.Linear:
    model = nn.Linear(2, 3)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.fill_(value)
    return model


def test_the_average_is_the_value_worked_by_hand() -> None:
    model = model_at(0.0)
    average = WeightAverage(model, decay=0.5)
    with torch.no_grad():
        model.weight.fill_(1.0)
    average.update(model, step=1)
    # Early steps move faster: the decay is (1 + 1) / (10 + 1), not 0.5.
    torch.testing.assert_close(average.weights()["weight"], torch.full((3, 2), 1 - 2 / 11))
    average.update(model, step=1000)
    torch.testing.assert_close(average.weights()["weight"], torch.full((3, 2), 1 - 1 / 11))
    assert average.weights()["bias"].tolist() == [0.0, 0.0, 0.0]


def test_with_decay_zero_the_average_is_the_model_itself() -> None:
    torch.manual_seed(1)
    model = nn.Linear(4, 5)
    average = WeightAverage(model, decay=0.0)
    nn.init.normal_(model.weight)
    average.update(model, step=3)
    assert torch.equal(average.weights()["weight"], model.weight)


def test_inside_the_model_carries_the_average_in_evaluation_mode() -> None:
    model = model_at(0.0)
    average = WeightAverage(model, decay=0.9)
    nn.init.ones_(model.weight)
    with average.inside(model):
        assert not model.training
        assert float(model.weight.detach().sum()) == 0
    assert model.training
    assert float(model.weight.detach().sum()) == 6


def test_what_is_validated_and_kept_is_rounded_and_what_training_goes_on_with_is_not() -> None:
    model = model_at(1 / 3)
    average = WeightAverage(model, decay=0.9)
    third, rounded = torch.tensor(1 / 3), torch.tensor(1 / 3).half().float()
    with average.inside(model):
        assert (model.weight == rounded).all()
        assert (model.bias == third).all()
    assert (average.rounded()["weight"] == rounded).all()
    assert (average.weights()["weight"] == third).all()
    assert (model.weight == third).all()


@pytest.mark.parametrize("training", [True, False])
def test_an_error_inside_leaves_weights_and_mode_as_they_were(training: bool) -> None:
    torch.manual_seed(1)
    model = nn.Linear(2, 3).train(training)
    average = WeightAverage(model, decay=0.9)
    nn.init.normal_(model.weight)
    before = {name: tensor.clone() for name, tensor in weights_of(model).items()}
    with pytest.raises(KeyError), average.inside(model):
        raise KeyError
    assert model.training is training
    assert all(torch.equal(tensor, before[name]) for name, tensor in weights_of(model).items())
    assert not torch.equal(average.weights()["weight"], model.weight)


def test_a_shared_table_is_averaged_once_and_whole_numbers_are_left_alone() -> None:
    model = nn.Sequential(nn.Linear(3, 3, bias=False), nn.Linear(3, 3, bias=False), nn.BatchNorm1d(3))
    model[1].weight = model[0].weight
    average = WeightAverage(model, decay=0.9)
    model(torch.randn(4, 3))
    average.update(model, step=1)
    assert "1.weight" not in average.weights()
    assert average.weights()["2.num_batches_tracked"].dtype == torch.int64


def test_the_average_of_another_model_is_refused_with_the_names() -> None:
    average = WeightAverage(nn.Linear(2, 3), decay=0.9)
    with pytest.raises(RunError, match=r"the average in step-7 do not fit.*bias is missing; weight is \(3, 3\)"):
        average.restore({"weight": torch.zeros(3, 3)}, "step-7")
