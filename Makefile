# Everything works without make too: each target says the command it stands for.
#
#   make demo                      the whole flow on an invented community, no key, no network
#   make test                      the tests
#   make import AGENT=tilly        dump, curate, segment
#
# AGENT=name or path   APPLY=1 carry out a plan   STRICT=1 stop at "unfinished" (exit 3) too
# ARGS='…' is handed on to backfold as it stands

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
DEV_READY := $(VENV)/.ready-dev
BACKFOLD := $(BIN)/backfold
FLAGS := $(if $(AGENT),--agent '$(AGENT)') $(if $(APPLY),--apply) $(ARGS)

# Exit 3 means: done as far as it went, something in scope is left. Told, and not a stop.
unless_strict = || { code=$$?; test $$code = 3 && test -z '$(STRICT)' && echo 'make: unfinished (exit 3), going on; STRICT=1 would stop here' >&2 || exit $$code; }

.DEFAULT_GOAL := help
.PHONY: help setup setup-dev import dump curate segment warmup audit probe explore status doctor demo test check bench e2e lock readme clean

help: ## this list
	@grep -hE '^[a-z0-9-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14
	@echo
	@echo "variables     AGENT=name or path, APPLY=1, STRICT=1, ARGS='...'"

$(READY): requirements.lock pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
	touch $@

$(DEV_READY): requirements-dev.lock $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.lock
	touch $@

setup: $(READY) ## make the virtual environment (the other targets do it by themselves)

setup-dev: $(DEV_READY)

import: $(READY) ## dump, curate, segment
	@$(BACKFOLD) run dump curate segment $(FLAGS) $(unless_strict)

dump: $(READY) ## bring history out of Discord or export files into raw/
	@$(BACKFOLD) run dump $(FLAGS) $(unless_strict)

curate: $(READY) ## keep what the agent perceived, as it reads live
	@$(BACKFOLD) run curate $(FLAGS) $(unless_strict)

segment: $(READY) ## cut the transcript at silences
	@$(BACKFOLD) run segment $(FLAGS) $(unless_strict)

warmup: $(READY) ## fold the chunks into memories; prints its plan first
	@$(BACKFOLD) run warmup $(FLAGS) $(unless_strict)

audit: $(READY) ## every way in which memories or talk have gone wrong; reads only
	@$(BACKFOLD) run audit $(FLAGS) $(unless_strict)

probe: $(READY) ## does search find it, and do the memories still hold it?
	@$(BACKFOLD) run probe $(FLAGS) $(unless_strict)

explore: $(READY) ## one page of the whole pyramid to look at: reports/explorer.html
	@$(BACKFOLD) run explore $(FLAGS) $(unless_strict)

status: $(READY) ## what is fresh, what is stale, and why
	@$(BACKFOLD) status $(if $(AGENT),--agent '$(AGENT)') $(ARGS)

doctor: $(READY) ## is this machine and folder ready?
	@$(BACKFOLD) doctor $(if $(AGENT),--agent '$(AGENT)') $(ARGS) $(unless_strict)

demo: $(READY) ## the whole flow on an invented community: no key, no network
	@$(BACKFOLD) demo $(ARGS)

test: $(DEV_READY) ## run the tests
	$(BIN)/python -m pytest -n 2 $(ARGS)

check: $(DEV_READY) ## lint, format, types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(DEV_READY) ## figures against peers in the same run
	@$(BIN)/python -m pipeline.testing.bench $(ARGS)

e2e: $(DEV_READY) ## the models against a real local server (downloads its packages once)
	BACKFOLD_E2E=1 $(BIN)/python -m pytest tests/e2e $(ARGS)

lock: $(DEV_READY) ## bring the lock files up to date with pyproject.toml
	$(BIN)/uv pip compile pyproject.toml --extra anthropic --extra offline --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --quiet -o requirements.lock
	$(BIN)/uv pip compile pyproject.toml --all-extras --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --quiet -c requirements.lock -o requirements-dev.lock

readme: $(READY) ## draw README's tables and knobs from the code
	@$(BIN)/python -m pipeline.testing.readme

clean: ## remove the virtual environment and caches (never an agent's folder)
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache build *.egg-info
