"""Let the tests here import `trained_tfidf`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
