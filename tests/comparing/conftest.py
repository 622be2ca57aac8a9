"""Let the tests here import `fake_comparisons`, `read_pages` and what `benchmarks/` simulates."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1] / "pages"))
sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
