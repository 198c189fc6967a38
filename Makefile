# One file of commands. `make help` lists them.
#
# The environment lives in .venv and comes from requirements.lock alone (exact releases, hashes).
# Stamps inside it make second runs quick.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := help

BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -qq
HOST ?= 127.0.0.1
PORT ?= 8000
# Cases for `make accuracy`: JSON Lines with a paste and the expected entry each.
FILES ?= $(wildcard tests/lab/*.jsonl) bench/accuracy/reports.jsonl
# Options for pytest: make test ARGS="-k lora -x"
ARGS ?=

.PHONY: help
help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/make \1\t\2/' | expand -t 16

# ---- the environment -----------------------------------------------------------------------

.PHONY: env
env: .venv/.project $(if $(shell command -v npm),node_modules/.installed,no-npm) ## create or update .venv (and the browser's Python, where npm is there)
	@:

# flock keeps two makes from building it at once; where it is missing (macOS), they are not kept.
.venv/.lock: requirements.lock
	@python=""; for name in python3 python3.14 python3.13 python3.12 python3.11; do \
	    if $$name -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 15))' 2>/dev/null; then \
	        python=$$name; break; fi; done; \
	if [ -z "$$python" ]; then \
	    echo "No Python 3.11 to 3.14 on PATH. Install one (on Debian: apt-get install python3 python3-venv)," >&2; \
	    echo "then run make again." >&2; exit 1; fi; \
	mkdir -p build; (flock 9 2>/dev/null || true; \
	if [ ! -f $@ ] || [ requirements.lock -nt $@ ]; then \
	    echo "Creating .venv with $$($$python --version) from requirements.lock ..."; \
	    $$python -m venv --clear .venv; \
	    $(PIP) install --require-hashes --no-deps -r requirements.lock; \
	    touch $@; fi) 9> build/.env-lock

# The project itself, as an editable install: no network, no build isolation.
.venv/.project: .venv/.lock pyproject.toml
	@$(PIP) install --no-deps --no-build-isolation --no-index --editable .
	@touch $@

node_modules/.installed: package-lock.json
	@echo "Installing the browser's Python (npm) ..."
	@npm ci --silent --ignore-scripts
	@touch $@

.PHONY: no-npm
no-npm:
	@echo "npm is not there: the site is built without the in-browser matcher." >&2

# ---- daily work ----------------------------------------------------------------------------

.PHONY: serve
serve: env ## build index and site and serve both on one port (HOST=, PORT=)
	@exec $(BIN)/kb serve --host $(HOST) --port $(PORT)

.PHONY: test
test: env chromium ## everything, browser included (ARGS="-k word")
	@if ! command -v node >/dev/null; then \
	    echo "Tests of the browser build need Node.js 20.19 or later and npm. Install them, then run make again." >&2; exit 1; fi
	@$(BIN)/python -m pytest $(ARGS)

# All parts report, whatever the ones before said.
.PHONY: check
check: env ## in seconds: lint, format, types, import directions, entries, known vulnerabilities
	@failed=0; \
	$(BIN)/ruff check --quiet . || failed=1; \
	out=$$($(BIN)/ruff format --check . 2>&1) || { echo "$$out" >&2; echo "'$(BIN)/ruff format .' formats them." >&2; failed=1; }; \
	$(BIN)/mypy --no-error-summary || failed=1; \
	out=$$($(BIN)/lint-imports --no-logo 2>&1) || { echo "$$out" >&2; failed=1; }; \
	$(BIN)/kb check || failed=1; \
	$(BIN)/python -m bench.audit --quiet || failed=1; \
	exit $$failed

.PHONY: audit
audit: env ## known vulnerabilities of the pinned packages (asked once a day, or FAULTBOOK_ADVISORIES=FOLDER)
	@$(BIN)/python -m bench.audit

.PHONY: bench
bench: env ## speed, memory and start-up
	@for file in bench/bench_*.py; do $(BIN)/python "$$file"; done

.PHONY: soak
soak: env ## ten thousand hostile requests to one server; some minutes
	@$(BIN)/kb build
	@$(BIN)/python -m bench.soak

.PHONY: accuracy
accuracy: env ## right and wrong answers for files of cases (FILES="a.jsonl b.jsonl")
	@if [ -z "$(strip $(FILES))" ]; then echo "No files of cases. Name some: make accuracy FILES='cases.jsonl'" >&2; exit 1; fi
	@$(BIN)/kb build --index-only
	@$(BIN)/python -m bench.accuracy $(FILES)
	@$(BIN)/python bench/reading.py $(FILES)
	@$(BIN)/python bench/quiet/measure.py
	@$(BIN)/python bench/messy/measure.py

.PHONY: pins
pins: env ## whether pinned messages still stand in the named releases (needs the network)
	@$(BIN)/python -m bench.pins --report bench/pins/report.md

# ---- rarely --------------------------------------------------------------------------------

# The tests drive the system's chromium; playwright never downloads a browser of its own.
.PHONY: chromium
chromium:
	@if command -v chromium >/dev/null; then exit 0; fi; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    echo "Installing Debian's chromium for the browser tests ..."; \
	    mkdir -p build; (apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
	        chromium) >build/apt.log 2>&1 || { tail -20 build/apt.log >&2; \
	        echo "apt-get could not install chromium (above); without it the browser tests cannot run." >&2; exit 1; }; \
	else \
	    echo "The browser tests need chromium on PATH, and this user may not install it." >&2; \
	    echo "Install it (on Debian, as root: apt-get update && apt-get install chromium), then run make again." >&2; \
	    exit 1; fi

.PHONY: lock
lock: ## write both requirements.lock from pyproject.toml (newest releases allowed; needs the network)
	@python3 -m venv build/lock
	@build/lock/bin/python -m pip --disable-pip-version-check -qq install uv==0.13.9
	@build/lock/bin/uv pip compile --quiet --upgrade --universal --fork-strategy fewest --python-version 3.11 --generate-hashes \
	    --no-annotate --no-header \
	    pyproject.toml --group dev --output-file requirements.lock
	@build/lock/bin/uv pip compile --quiet --universal --fork-strategy fewest --python-version 3.11 --generate-hashes \
	    --no-annotate --no-header \
	    pyproject.toml --constraint requirements.lock --output-file deploy/requirements.lock
	@! grep -nE '://|^-' requirements.lock deploy/requirements.lock

.PHONY: clean
clean: ## remove what was built (keeps the environment)
	@rm -rf build site .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
