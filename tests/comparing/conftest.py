"""Let the tests here import `fake_comparisons`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
