"""Attention equals `torch.nn.MultiheadAttention` with the same weights: self, causal, cross, with padding."""

import pytest
import torch
from torch import Tensor, nn

from heed.layers.attention import Attend, CrossAttention, SelfAttention
from heed.layers.masks import attend_to_past, attend_to_real, keep_from_lengths
from heed.layers.scores import build_score
from heed.layers.trace import Trace

WIDTH, HEADS = 12, 3
KEEP_S = keep_from_lengths(torch.tensor([5, 2]), 5)


@pytest.fixture
def reference() -> nn.MultiheadAttention:
    torch.manual_seed(1)
    reference = nn.MultiheadAttention(WIDTH, HEADS, batch_first=True)
    for parameter in reference.parameters():
        nn.init.normal_(parameter, std=0.5)
    return reference.eval()


def attend() -> Attend:
    return Attend(build_score("scaled", HEADS, WIDTH // HEADS, places=9), "here")


def copied_self(reference: nn.MultiheadAttention) -> SelfAttention:
    ours = SelfAttention(WIDTH, HEADS, attend())
    with torch.no_grad():
        ours.project.weight.copy_(reference.in_proj_weight)
        ours.project.bias.copy_(reference.in_proj_bias)
    ours.output.load_state_dict(reference.out_proj.state_dict())
    return ours.eval()


def copied_cross(reference: nn.MultiheadAttention) -> CrossAttention:
    ours = CrossAttention(WIDTH, HEADS, attend())
    with torch.no_grad():
        ours.query.weight.copy_(reference.in_proj_weight[:WIDTH])
        ours.query.bias.copy_(reference.in_proj_bias[:WIDTH])
        ours.key_value.weight.copy_(reference.in_proj_weight[WIDTH:])
        ours.key_value.bias.copy_(reference.in_proj_bias[WIDTH:])
    ours.output.load_state_dict(reference.out_proj.state_dict())
    return ours.eval()


def random_input(positions: int) -> Tensor:
    return torch.randn(2, positions, WIDTH, generator=torch.Generator().manual_seed(positions))


def test_self_attention_equals_torch(reference: nn.MultiheadAttention) -> None:
    x_BSD, trace = random_input(5), Trace()
    expected_BSD, weights_BHSS = reference(x_BSD, x_BSD, x_BSD, key_padding_mask=~KEEP_S, average_attn_weights=False)
    actual_BSD = copied_self(reference)(x_BSD, attend_to_real(KEEP_S), trace)
    torch.testing.assert_close(actual_BSD, expected_BSD)
    torch.testing.assert_close(trace.weights["here"], weights_BHSS)


def test_causal_self_attention_equals_torch(reference: nn.MultiheadAttention) -> None:
    x_BTD, trace = random_input(4), Trace()
    future_TT = torch.ones(4, 4, dtype=torch.bool).triu(diagonal=1)
    expected_BTD, weights_BHTT = reference(x_BTD, x_BTD, x_BTD, attn_mask=future_TT, average_attn_weights=False)
    actual_BTD = copied_self(reference)(x_BTD, attend_to_past(4), trace)
    torch.testing.assert_close(actual_BTD, expected_BTD)
    torch.testing.assert_close(trace.weights["here"], weights_BHTT)


def test_cross_attention_equals_torch(reference: nn.MultiheadAttention) -> None:
    x_BTD, memory_BSD, trace = random_input(4), random_input(5), Trace()
    expected_BTD, weights_BHTS = reference(
        x_BTD, memory_BSD, memory_BSD, key_padding_mask=~KEEP_S, average_attn_weights=False
    )
    ours = copied_cross(reference)
    actual_BTD = ours(x_BTD, ours.keys_and_values(memory_BSD), attend_to_real(KEEP_S), trace)
    torch.testing.assert_close(actual_BTD, expected_BTD)
    torch.testing.assert_close(trace.weights["here"], weights_BHTS)
