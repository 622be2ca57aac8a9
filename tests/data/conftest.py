"""Let the tests here import the `mutations` of the file readers."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "files"))
