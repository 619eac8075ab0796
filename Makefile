# Two commands matter: `make run` and `make test`. `make help` lists the rest.
PORT ?= 8000
HOST ?= 127.0.0.1
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
# Where it is set, every process compiles every module again: 4 s instead of 1.5 s for each of the many started here.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help run test lint format types unit browser coverage mutants bench screenshots picture lock schemas clean

help:            ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

run: $(VENV)/.run  ## play: everything on one machine (PORT=, HOST=)
	@exec $(BIN)/python manage.py up --host "$(HOST)" --port "$(PORT)" --follow-parent

test: $(VENV)/.dev  ## prove: every check and every test
	@$(BIN)/python -m tests.everything

lint: $(VENV)/.dev  ## style and import directions: Python, templates, style sheets, scripts
	$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/lint-imports
	$(BIN)/djlint templates --check --quiet && $(BIN)/oxfmt --check static/css static/js && $(BIN)/oxlint static/js
	$(BIN)/python tools/long_lines.py

format: $(VENV)/.dev  ## lay out Python, templates, style sheets and scripts
	$(BIN)/ruff format . && $(BIN)/djlint templates --reformat --quiet; $(BIN)/oxfmt static/css static/js

types: $(VENV)/.dev  ## mypy --strict
	$(BIN)/mypy

unit: $(VENV)/.dev  ## the quick tests: no browser, nothing slow; doctests too
	$(BIN)/python -m pytest -n auto -m "not browser and not slow" engine apps tests

browser: $(VENV)/.dev  ## the browser tests
	$(BIN)/python -m pytest -m browser tests

coverage: $(VENV)/.dev  ## which lines no test runs through: engine 95 %, apps 90 %
	@$(BIN)/python -m tests.everything coverage

mutants: $(VENV)/.dev  ## change the rules a little, many times: does a test notice? (ONLY='engine.dice.*' for a part; hours)
	$(BIN)/mutmut run $(ONLY) && $(BIN)/mutmut results

bench: $(VENV)/.dev  ## speed, as ratios against a baseline (ROOM=dicee for one room)
	@$(BIN)/python -m benchmarks $(ROOM)

screenshots: $(VENV)/.dev  ## PNGs of every page, phone and desktop, light and dark, in var/screenshots/
	@$(BIN)/python -m tests.browser.screenshots

picture: $(VENV)/.dev  ## README's picture of the home page, docs/images/home.png (URL= of a running site, or one is started)
	@$(BIN)/python -m tests.browser.screenshots --picture $(URL)

schemas: $(VENV)/.dev  ## export JSON Schemas of events and messages to docs/schemas/
	@$(BIN)/python manage.py export_schemas

lock: $(VENV)/.dev  ## pin every dependency again
	$(BIN)/uv pip compile -q --universal --python-version 3.11 --no-header --no-annotate --upgrade pyproject.toml -o requirements.txt
	$(BIN)/uv pip compile -q --universal --python-version 3.11 --no-header --no-annotate -c requirements.txt pyproject.toml --group dev -o requirements-dev.txt

clean:           ## forget everything that can be made again (keeps var/)
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

$(VENV)/.run: requirements.txt
	@PYTHON="$(PYTHON)" sh .ci/install $(VENV) requirements.txt && touch $@

$(VENV)/.dev: requirements-dev.txt
	@PYTHON="$(PYTHON)" sh .ci/install $(VENV) requirements-dev.txt && touch $@ $(VENV)/.run
