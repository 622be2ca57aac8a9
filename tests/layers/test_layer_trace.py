"""The trace keeps what was asked for, and nothing that would hold a graph in memory."""

import torch
from torch import nn

from heed.layers.attention import Attend
from heed.layers.scores import build_score
from heed.layers.trace import Trace, sites_of

SITES = ["encoder.0.self", "decoder.0.self", "decoder.0.cross", "decoder.1.cross"]


def wanted(*patterns: str) -> list[str]:
    return [site for site in SITES if Trace(*patterns).wants(site)]


def test_without_patterns_every_site_is_wanted() -> None:
    assert wanted() == SITES


def test_a_site_is_wanted_when_any_pattern_matches() -> None:
    assert wanted("decoder.*.cross", "encoder.0.self") == ["encoder.0.self", "decoder.0.cross", "decoder.1.cross"]


def test_case_matters_on_every_system() -> None:
    assert wanted("Decoder.*") == []


def test_a_recorded_tensor_holds_no_graph() -> None:
    trace = Trace()
    trace.record("here", torch.ones(1, 1, 2, 2, requires_grad=True) * 2)
    assert not trace.weights["here"].requires_grad


def test_the_sites_of_a_model_come_in_the_order_in_which_they_were_made() -> None:
    parts = [Attend(build_score("dot", 1, 2, 3), site) for site in SITES]
    assert sites_of(nn.Sequential(parts[0], nn.Linear(2, 2), nn.ModuleList(parts[1:]))) == SITES
