# Two commands do everything on a machine that has only Python, git and make: `make demo` and `make test`.
PYTHON ?= python3
BIN := .venv/bin
LOCK = $(BIN)/uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header -q

BESIDE = --dist loadscope --no-loadscope-reorder -n
# Layers run side by side, most of them waiting for a server or a sandbox; tests/conftest.py says what may.

.PHONY: help install install-dev demo unit lint tests test soak test-torch bench lock clean

help:  ## Show this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST)

.venv/.installed: requirements.lock pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install -q --no-deps --require-hashes -r requirements.lock
	$(BIN)/pip install -q --no-deps --no-build-isolation -e .
	$(BIN)/xkg setup
	@touch $@

.venv/.installed-dev: .venv/.installed requirements-dev.lock
	$(BIN)/pip install -q --no-deps --require-hashes -r requirements-dev.lock
	@touch $@

install: .venv/.installed  ## Install into .venv and fetch all that later commands need
install-dev: .venv/.installed-dev  ## The same, with what tests and checks need

demo: install  ## Ingest the examples, run some of their code, show their technique trees, answer two searches
	XKG_HOME=$(CURDIR)/.xkg-demo bash examples/demo.sh

unit: install-dev  ## The fast tests: no database, no browser
	$(BIN)/pytest -q $(BESIDE) logical -m "not (db or crash or e2e or browser or docker or sandbox or dockerd or torch)"

lint: install-dev  ## Format, lint, types, import direction
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/mypy xkg.py
	$(BIN)/lint-imports --no-cache

tests: install-dev
	$(BIN)/pytest -q $(BESIDE) 3 -m "not torch"

test: install-dev  ## Everything, the checks beside the tests
	$(MAKE) -j2 lint tests

soak: install-dev  ## The crash tests at many more points than `make test` tries, and all traps: an hour
	$(BIN)/pytest -q --soak --timeout 3600 -m "crash and not torch"
	$(BIN)/pytest -q --soak tests/traps

test-torch:  ## The sentence-transformers path, in an environment of its own (several GB)
	$(PYTHON) -m venv .venv-torch
	.venv-torch/bin/pip install -q -r requirements-dev.lock --no-deps
	.venv-torch/bin/pip install -q --no-build-isolation -e ".[torch]"
	.venv-torch/bin/pytest -q -m torch

bench: install-dev  ## Speed and quality into docs/results.md; PAPERS=DIR LABELS=FILE GRAPHS=DIR add quality on real papers and graphs, ONLY=NAME runs one
	$(BIN)/python -m benchmarks $(if $(PAPERS),--papers $(PAPERS)) $(if $(LABELS),--labels $(LABELS)) $(if $(GRAPHS),--graphs $(GRAPHS)) $(addprefix --only ,$(ONLY)) $(if $(BEFORE),--before $(BEFORE))

lock: install-dev  ## Resolve the dependencies anew
	$(LOCK) pyproject.toml requirements.in -o requirements.lock
	$(LOCK) pyproject.toml requirements.in --extra dev -c requirements.lock -o requirements-dev.lock

clean:  ## Remove what was built here
	rm -rf .venv .venv-torch .xkg-demo .mypy_cache .ruff_cache .pytest_cache .hypothesis
