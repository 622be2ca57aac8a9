"""Let the tests here import `foreign` and the `mutations` of the file readers."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1] / "files"))
