"""Every check can fail: a fault planted in the package turns red the check that is there for it, and no other."""

import itertools
import json
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
import torch
from torch import Tensor

from heed import api
from heed.exchange import exporting
from heed.exchange.export_bert import export_bert
from heed.exchange.exported import Exported
from heed.layers import dropout, packed
from heed.layers.attention import Attend
from heed.layers.cache import BeamCache
from heed.layers.drawing import Hashes, example_keys
from heed.layers.norms import BatchNorm, TokenNorm
from heed.layers.pooling import MeanPooling
from heed.layers.trace import Trace
from heed.models import encoder, language_transformer
from heed.models.published.parts import WrittenModel
from heed.prediction.text_reader import NeuralReader
from heed.runs.folder import TokenizerTexts, open_run
from heed.tasks.write_training import LaneTraining
from heed.tokens.tokenizer import Tokenizer
from heed.training import trainer
from heed.training.trainer import Trainer

Make = Callable[[str], Path]


def failed(run: Path) -> list[str]:
    """Return the names of the checks that fail."""
    report = api.verify(run)
    assert not report.passed
    assert report.conclusion.startswith(f"{len(report.of('failed'))} of ")
    return [finding.name for finding in report.of("failed")]


@pytest.fixture
def plant(made: Make, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """Return what plants a fault after a run has been trained, and tells which checks fail then."""

    def planted(run: str, place: object, name: str, fault: object) -> list[str]:
        path = made(run)
        monkeypatch.setattr(place, name, fault)
        return failed(path)

    return planted


Plant = Callable[..., list[str]]


def test_a_mask_that_is_dropped_is_seen_in_batches(plant: Plant) -> None:
    assert plant("classify", encoder, "attend_to_real", lambda keep: None) == ["batching"]


def test_pooling_that_counts_padding_is_seen_in_batches(plant: Plant) -> None:
    def forward(self: MeanPooling, states_BTD: Tensor, keep: Tensor, trace: Trace | None = None) -> Tensor:
        return states_BTD.mean(dim=1)

    assert plant("classify", MeanPooling, "forward", forward) == ["batching"]


def test_a_norm_that_looks_at_the_batch_is_seen_in_batches(plant: Plant) -> None:
    sound = TokenNorm.forward

    def forward(self: TokenNorm, x_BTD: Tensor, keep: Tensor | None = None) -> Tensor:
        return sound(self, x_BTD if self.training else x_BTD - 0.5 * x_BTD.mean(dim=0), keep)

    assert plant("classify", TokenNorm, "forward", forward) == ["batching"]


@pytest.mark.slow
def test_a_batch_norm_that_counts_in_use_is_seen_in_batches(plant: Plant) -> None:
    def forward(self: BatchNorm, x_BTD: Tensor, keep: Tensor | None = None) -> Tensor:
        real_ND = x_BTD.flatten(0, -2)
        return (x_BTD - real_ND.mean(dim=0)) * self.weight + self.bias

    assert plant("classify-norm", BatchNorm, "forward", forward) == ["batching"]


def test_positions_that_padding_shifts_are_seen_in_batches(plant: Plant) -> None:
    sound = encoder.Encoder._states

    def states(self: encoder.Encoder, text: object, keep: Tensor, trace: Trace | None) -> Tensor:
        width = keep.shape[1]
        add = self.positions.forward
        self.positions.forward = lambda x_BTD, first=0: add(x_BTD, first=first + width)  # type: ignore[method-assign]
        try:
            return sound(self, text, keep, trace)
        finally:
            del self.positions.forward

    assert plant("classify", encoder.Encoder, "_states", states) == ["batching"]


def test_a_cache_that_is_off_by_one_is_seen_in_caching(plant: Plant) -> None:
    assert plant("translate", BeamCache, "position", property(lambda cache: len(cache.widths))) == ["caching"]


def test_beams_that_keep_the_past_of_others_are_seen_in_caching(plant: Plant) -> None:
    sound = BeamCache.reorder

    def reorder(self: BeamCache, sources: Tensor, beams: Tensor) -> BeamCache:
        return sound(self, sources, beams.sort(dim=1).values)

    assert plant("write", BeamCache, "reorder", reorder) == ["caching"]


def test_a_causal_mask_that_is_off_by_one_is_seen_in_causality(plant: Plant) -> None:
    def attend_to_past(positions: int, device: torch.device | None = None) -> Tensor:
        return torch.ones(positions, positions, dtype=torch.bool, device=device).tril(1)[None, None]

    assert plant("write", language_transformer, "attend_to_past", attend_to_past) == ["causality"]


def test_dropout_that_is_left_on_is_seen_in_determinism(plant: Plant) -> None:
    def forward(self: dropout.Dropout, x: Tensor) -> Tensor:
        return x * dropout.keep_or_drop(x, self.share, self) if self.share else x

    assert plant("classify", dropout.Dropout, "forward", forward) == ["determinism"]


def test_a_model_that_was_left_in_training_mode_is_seen_in_determinism(plant: Plant) -> None:
    sound = NeuralReader.__init__

    def init(self: NeuralReader, *given: object) -> None:
        sound(self, *given)  # type: ignore[arg-type]
        self.model.train()

    assert plant("classify-cnn", NeuralReader, "__init__", init) == ["determinism"]


def test_a_trace_that_changes_the_output_is_seen_in_looking(plant: Plant) -> None:
    sound = Attend.forward

    def forward(self: Attend, *given: Tensor, trace: Trace | None = None, places_S: Tensor | None = None) -> Tensor:
        trace = trace or (given[4] if len(given) > 4 else None)  # type: ignore[assignment]
        mixed_BHTK = sound(self, *given[:4], trace=trace, places_S=places_S)
        return mixed_BHTK if trace is None else mixed_BHTK * 1.001

    assert plant("translate", Attend, "forward", forward) == ["looking"]


def test_packed_weights_that_are_not_the_models_are_seen_in_packing(plant: Plant) -> None:
    sound = packed.PackedLinear.forward

    def forward(self: packed.PackedLinear, x: Tensor) -> Tensor:
        product = sound(self, x)
        return product if torch.is_grad_enabled() or x.dtype != torch.float32 else product * 1.01

    assert plant("classify", packed.PackedLinear, "forward", forward) == ["packing"]


def test_a_step_that_divides_by_batches_is_seen_in_accumulation(plant: Plant) -> None:
    def accumulate(self: Trainer, group: list[list[int]]) -> tuple[float, int]:
        parts = [self.task.batch(rows, self.position.epoch) for rows in group]
        for batch in parts:
            (self.objective(batch) / batch.targets / len(parts)).backward()
        return 1.0, sum(batch.tokens for batch in parts)

    assert plant("translate", Trainer, "_accumulate", accumulate) == ["accumulation"]


def test_a_resume_that_forgets_the_optimizer_is_seen_in_resuming(plant: Plant) -> None:
    assert plant("classify", trainer, "load_optimizer_state", lambda *given: None) == ["resuming"]


def test_a_resume_that_draws_other_numbers_is_seen_in_resuming(plant: Plant) -> None:
    calls = itertools.count()

    def keys(seed: int, epoch: int, examples: Sequence[int]) -> Hashes:
        return example_keys(seed, next(calls), examples)

    assert plant("classify", trainer, "example_keys", keys) == ["resuming"]


def test_a_resume_that_begins_its_epoch_again_is_seen_in_resuming(plant: Plant) -> None:
    sound = Trainer.restore

    def restore(self: Trainer, *given: object) -> None:
        sound(self, *given)  # type: ignore[arg-type]
        self.position = trainer.Position(step=self.position.step)

    assert plant("classify", Trainer, "restore", restore) == ["resuming"]


def test_a_state_that_is_not_carried_on_is_seen_in_resuming(plant: Plant) -> None:
    assert plant("write-rnn", LaneTraining, "carry", lambda self, tensors: None) == ["resuming"]


def test_an_export_with_two_weights_swapped_is_seen_in_exporting(plant: Plant) -> None:
    def swapped(*given: object) -> Exported:
        sound = export_bert(*given)  # type: ignore[arg-type]
        tensors = dict(sound.model.tensors)
        one, other = (f"bert.embeddings.LayerNorm.{part}" for part in ("weight", "bias"))
        tensors[one], tensors[other] = tensors[other], tensors[one]
        return Exported(WrittenModel(sound.model.config, tensors), sound.texts, sound.notes)

    assert plant("classify-bert", exporting, "export_bert", swapped) == ["exporting"]


def test_weights_that_eight_bits_cannot_hold_are_seen_in_quantising(made: Make, tmp_path: Path) -> None:
    shutil.copytree(made("classify"), tmp_path / "run")
    folder = open_run(tmp_path / "run")
    best = folder.read_best()
    tensors = {name: tensor.clone() for name, tensor in best.tensors.items()}
    # One large number in each row takes all the room from the others.
    tensors["head.weight"] *= 20
    tensors["head.weight"][:, 0] += 4000
    folder.write_best(tensors, best.facts)
    assert failed(tmp_path / "run") == ["quantising"]


def test_a_vocabulary_of_the_same_size_in_another_order_is_not_loaded(made: Make, tmp_path: Path) -> None:
    shutil.copytree(made("classify"), tmp_path / "run")
    folder = open_run(tmp_path / "run")
    values = json.loads(folder.read_tokenizers().source)
    vocabulary = values["model"]["vocab"]
    vocabulary["one"], vocabulary["two"] = vocabulary["two"], vocabulary["one"]
    folder.write_tokenizers(TokenizerTexts(json.dumps(values)))
    report = api.verify(tmp_path / "run")
    assert [finding.name for finding in report.findings] == ["loading"]
    assert not report.passed
    assert "another vocabulary" in report.findings[0].detail


def test_a_text_that_does_not_come_back_is_seen_in_the_vocabulary(plant: Plant) -> None:
    sound = Tokenizer.decode

    def decode(self: Tokenizer, ids: Sequence[int]) -> str:
        return sound(self, list(ids)[::-1])

    assert plant("translate", Tokenizer, "decode", decode) == ["vocabulary"]
