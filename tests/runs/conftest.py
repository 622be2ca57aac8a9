"""Let the tests here, and the programs that they start, import `faulty_disk`; a folder in memory for the long ones."""

import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from trained_bases import train_bases


@pytest.fixture(scope="session")
def bases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of pictures, and of four runs: a BERT, two language models and a ViT."""
    return train_bases(tmp_path_factory.mktemp("bases"))


@pytest.fixture
def memory_path(tmp_path: Path) -> Iterator[Path]:
    """A folder for thousands of saves; what a kill leaves there is the same as on a disk, and the wait is not."""
    memory = Path("/dev/shm")
    if not memory.is_dir():
        yield tmp_path
        return
    folder = Path(tempfile.mkdtemp(dir=memory))
    yield folder
    shutil.rmtree(folder)
