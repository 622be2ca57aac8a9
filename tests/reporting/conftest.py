"""Let the tests here import `made_runs`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
