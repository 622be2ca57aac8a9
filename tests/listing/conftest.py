"""Let the tests here import `made_runs` from beside the tests of reports."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "reporting"))
