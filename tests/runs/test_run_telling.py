"""Work before training says how far it is."""

from pathlib import Path

from heed.runs.defaults import resolve
from heed.runs.session import begun_run


def test_pre_training_tells_what_it_does_and_how_far_it_is(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("\n\n".join(f"Document {number} is here. It is short." for number in range(3500)))
    settings = resolve("pretrain", [str(tmp_path / "a.txt")], None, {"training": {"steps": 1}})
    told: list[tuple[str, float | None]] = []
    with begun_run(settings, tmp_path / "run", tell=lambda what, share: told.append((what, share))):
        pass
    assert [what for what, _ in told[:2]] == ["reading the corpus", "learning the vocabulary"]
    shares = [share for what, share in told if what == "encoding the corpus"]
    assert len(shares) == 4
    assert shares == sorted(shares)  # type: ignore[type-var]
    assert shares[0] == 0
    assert 0.8 < shares[-1] < 1  # type: ignore[operator]
