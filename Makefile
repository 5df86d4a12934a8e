# One command for each thing a person does here. `make` alone lists them.
# The environment is made on first use and again when pyproject.toml or constraints.txt changed.
# Written for GNU make 3.81 (macOS) and later.

BIN := .venv/bin
READY := .venv/.ready
PYTHONS := $(or $(PYTHON),python3 python3.13 python3.12 python3.11)
USABLE := import sys, venv, ensurepip; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))
FIND = found=; for python in $(PYTHONS); do "$$python" -c '$(USABLE)' 2>/dev/null && found=$$python && break; done; \
    [ -n "$$found" ] || { echo "no usable Python among $(PYTHONS): 3.11, 3.12 or 3.13 with its venv module is needed" \
    "(Debian: python3-venv); name one with make PYTHON=/path/to/python3" >&2; exit 1; }
JOBS ?= 2
MAKEFLAGS += --no-print-directory

export PYRIGHT_PYTHON_IGNORE_WARNINGS := 1

# An environment whose interpreter is gone, or that was made in another folder, is made again.
ifneq ($(shell test -x $(BIN)/python && cat $(READY) 2>/dev/null),$(CURDIR))
.PHONY: $(READY)
endif

.DEFAULT_GOAL := help
.PHONY: help setup demo ui test check fix bench profiles soak watchdog golden formats pins clean python

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1|\2/p' Makefile | awk -F'|' '{ printf "%-15s %s\n", $$1, $$2 }'
	@echo
	@echo "  make PYTHON=python3.12       chooses the interpreter for a new .venv"
	@echo "  make test ARGS='-k cursor'   passes arguments on, in demo and ui as well"
	@echo "  make test JOBS=4             tests in four processes"

setup: $(READY) ## make .venv with the pinned packages (the other targets do this themselves)
	@:

demo: $(READY) ## run the whole pipeline over a sample mailbox and print what it found
	@$(BIN)/orders-pipeline demo $(ARGS)

ui: $(READY) ## start the Dagster UI with the daemon
	@$(BIN)/orders-pipeline ui $(ARGS)

test: $(READY) ## run the tests
	@$(BIN)/python -m pytest -q -n $(JOBS) --dist loadgroup $(ARGS)

check: $(READY) ## lint, format, types, import rules
	@$(BIN)/ruff check --quiet --output-format concise
	@$(BIN)/ruff format --check --quiet --output-format concise || { echo "some files are not formatted: run 'make fix'" >&2; exit 1; }
	@$(BIN)/pyright
	@$(BIN)/python -m pytest -q orders_pipeline_tests/test_imports.py orders_pipeline_tests/test_repository.py

fix: $(READY) ## format, and mend what the linter can
	@$(BIN)/ruff check --fix --quiet; $(BIN)/ruff format --quiet; $(BIN)/ruff check --quiet

bench: $(READY) ## measure everything beside its comparison (ARGS="--quick" or names of areas)
	@$(BIN)/python -m bench $(ARGS)

profiles: $(READY) ## draw where the time goes into docs/profiles (ARGS="tick" for one picture)
	@$(BIN)/python -m bench.profiles $(ARGS)

soak: $(READY) ## kill the pipeline 200 times at random, up to 30 minutes (ARGS="--kills 40 --trees 2" for a short one)
	@$(BIN)/python -m orders_pipeline_tests.soak $(ARGS)

watchdog: $(READY) ## replay the frozen cursor and the lying watermark, and plot the backlog
	@$(BIN)/python -m orders_pipeline_tests.watchdog

golden: $(READY) ## write the expected output of every fixture again; read the diff before you commit it
	@$(BIN)/python -m orders_pipeline_tests.golden
	@git --no-pager diff --stat -- orders_pipeline_tests/fixtures

formats: $(READY) ## load and score an exported golden set with the real evaluation tools (.venv-formats, up to 2 GB)
	@$(BIN)/python -m orders_pipeline_tests.formats

# One version a name for Python 3.11 to 3.13 on every platform. Present pins stay unless they no longer fit.
PINS := .venv/.pins
# Without the set-up where uv is there: pins that no longer fit pyproject.toml are what this mends.
pins: $(if $(wildcard $(BIN)/uv),,$(READY)) ## write constraints.txt again from pyproject.toml (UPGRADE=1 moves every pin to the newest)
	@cp constraints.txt $(PINS)
	@printf 'uv\nsetuptools\n' | $(BIN)/uv pip compile --quiet --universal --fork-strategy fewest --python-version 3.11 \
	    --extra dev --no-header --no-annotate --no-emit-index-url --no-emit-find-links $(if $(UPGRADE),--upgrade) \
	    --output-file $(PINS) pyproject.toml - >/dev/null
	@sed 's/ *;.*//' $(PINS) > constraints.txt
	@echo "constraints.txt: $$(wc -l < constraints.txt | tr -d ' ') pins"

clean: ## remove the environment and caches; data stays
	@rm -rf .venv .venv-formats .venv-bench build dist .pytest_cache .ruff_cache .hypothesis *.egg-info
	@find orders_pipeline orders_pipeline_tests tools bench -name __pycache__ -type d -prune -exec rm -rf {} +

python: ## print the interpreter that .venv is made with
	@$(FIND); echo "$$found"

$(READY): pyproject.toml constraints.txt tools/set_up.py
	@$(FIND); "$$found" tools/set_up.py
