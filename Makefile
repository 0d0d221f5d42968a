# Targets for users and developers. On Windows, use the commands in docs/hosting.md and CONTRIBUTING.md.

VENV   ?= .venv
PYTHON ?= $(firstword $(foreach name,python3 python3.14 python3.13 python3.12 python3.11,\
            $(shell $(name) -c 'import sys; sys.version_info >= (3, 11) and print("$(name)")' 2>/dev/null)))
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-input --require-hashes
PIN     = $(BIN)/uv pip compile --quiet --generate-hashes --universal \
            --no-emit-index-url --python-version 3.11 --custom-compile-command "make lock"
COMPILE = $(PIN) pyproject.toml

.DEFAULT_GOAL := help
.PHONY: help run demo test test-slow test-times engines lint pictures bench soak audit messages lock

help:  ## Show this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1 \t/' | expand -t 20

run: $(VENV)/installed-run  ## Serve to this machine and phones in the same network (PORT=9000 make run)
	@$(BIN)/python manage.py serve

demo: $(VENV)/installed-run  ## Serve a demo with example data in a separate folder
	@$(BIN)/python manage.py demo

# One process per core, at most four, because each starts a Chromium.
PYTEST  = $(BIN)/python -m pytest --numprocesses auto --maxprocesses 4 --dist worksteal

# Unset, because otherwise each server that tests start would compile all modules again.
test: $(VENV)/installed-dev  ## Run the tests that most changes need, in a browser too (minutes)
	@$(BIN)/python -m tests.browser.chromium </dev/null
	@unset PYTHONDONTWRITEBYTECODE; $(PYTEST) -m "not slow and not engines" --junitxml .times/test.xml

test-slow: $(VENV)/installed-dev  ## Run all other tests: servers, photo sets, backups, PostgreSQL
	@$(BIN)/python -m tests.browser.chromium </dev/null
	@unset PYTHONDONTWRITEBYTECODE; failed=0; \
	  $(PYTEST) -m "slow and not engines" --junitxml .times/test-slow.xml || failed=1; \
	  $(BIN)/python -m tests.servers --junitxml .times/second-database.xml || failed=1; exit $$failed

test-times: $(VENV)/installed-dev  ## Show how many seconds the last runs took, by folder and by kind of test
	@$(BIN)/python -m tests.durations

engines: $(VENV)/installed-dev  ## Run browser tests in Firefox and WebKit, if installed (some minutes)
	@$(BIN)/python -m pytest -m engines tests/engines

lint: $(VENV)/installed-dev  ## Check format, style, imports and types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports --no-cache --no-logo
	$(BIN)/python -m tests.site.browser_support
	find templates -name '*.html' -exec $(BIN)/djade --check {} +
	$(BIN)/djhtml --tabwidth 2 --check templates
	$(BIN)/mypy

pictures: $(VENV)/installed-dev  ## Take the pictures of the docs again, mostly from the demo
	@$(BIN)/python -m tests.browser.pictures
	@$(BIN)/python -m tests.printing.pictures
	@$(BIN)/python -m training.docs_picture

bench: $(VENV)/installed-bench  ## Run all benchmarks of bench/
	@set -e; for script in bench/[!_]*.py; do echo "== $$script"; PYTHONPATH=. $(BIN)/python $$script; done

soak: $(VENV)/installed-dev  ## Soak test: break servers under load and count lost data (some minutes)
	@$(BIN)/python -m tests.soak $(SOAK)

audit: $(VENV)/installed-dev  ## Look up vulnerabilities of the pinned packages in OSV (DATA="PyPI.zip npm.zip": offline)
	@$(BIN)/python -m tests.audit $(if $(DATA),--data $(DATA))

messages: $(VENV)/installed-dev  ## Update locale/ from the texts in code and templates (needs gettext)
	@$(BIN)/python manage.py makemessages --all
	@$(BIN)/python manage.py compilemessages --ignore '$(VENV)'

lock: $(VENV)/installed-dev  ## Pin the dependencies of pyproject.toml with hashes in requirements/
	$(COMPILE) --output-file requirements/run.txt
	$(COMPILE) --extra server --constraint requirements/run.txt --output-file requirements/server.txt
	$(COMPILE) --extra server --extra dev --constraint requirements/server.txt \
	  --output-file requirements/dev.txt
	$(COMPILE) --extra server --extra dev --extra bench --constraint requirements/dev.txt \
	  --output-file requirements/bench.txt
	$(PIN) --group build --constraint requirements/dev.txt --output-file requirements/build.txt

# Stamp files: the pinned packages are installed.
$(VENV)/installed-run: requirements/run.txt | $(BIN)/python
	@echo "Installing dependencies (once) ..."
	@$(PIP) -r requirements/run.txt
	@touch $@

# No compilation: Python compiles modules at their import, and compiling all of them takes half a minute.
$(VENV)/installed-dev: requirements/dev.txt | $(BIN)/python
	@echo "Installing developer dependencies (once) ..."
	@$(PIP) --no-compile -r requirements/dev.txt
	@touch $@

$(VENV)/installed-bench: requirements/bench.txt | $(VENV)/installed-dev
	@echo "Installing benchmark dependencies (once) ..."
	@$(PIP) -r requirements/bench.txt
	@touch $@

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed, and was not found." >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.maxsize < 2**32)' || { \
	  echo "A 64-bit system is needed, and this Python has 32 bits. See docs/reference.md#platforms" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); \
	  echo "Python cannot make an environment here. On Debian: sudo apt install python3-venv" >&2; exit 1; }
