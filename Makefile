# Two commands do everything from a fresh clone: `make run` and `make test`.
PYTHON ?= python3
VENV := .venv
# More than there are cores: much of what tests do is to wait for clients, daemons and deadlines.
WORKERS ?= 3
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.DEFAULT_GOAL := help
.PHONY: help run test check fix bench mutate fuzz clean clients servers hosts docs programs

help:  ## show this list
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /\1\t/' | expand -t 10

$(STAMP): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Interlock needs Python 3.11 or newer; this is " + sys.version.split()[0] + ". Try: make PYTHON=python3.12 run")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

run: $(STAMP)  ## set up, then show the page with sessions that play into it; DEMO=once plays one in the terminal
	@$(BIN)/interlock demo $(if $(filter once,$(DEMO)),,--page)

check: $(STAMP)  ## lint and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# The real client is large, and nothing but its own tests needs it: without it they are skipped by name.
$(VENV)/.e2e: $(STAMP)
	-@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[e2e,browser]' && touch $@

# With everything that is installed already, so that no version is replaced by one that does not fit the others.
$(VENV)/.frameworks: $(VENV)/.e2e
	-@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,e2e,browser,frameworks]' && touch $@

clients: ## an older Claude Code from npm, for the tests that try two
	npm install --silent --no-fund --no-audit --prefix .clients @anthropic-ai/claude-code@2.1.197

servers:  ## MCP servers of other people, for the tests of the proxy
	$(PYTHON) -m venv .servers
	.servers/bin/python -m pip install --quiet --disable-pip-version-check mcp-server-time mcp-server-git
	npm install --silent --no-fund --no-audit --prefix .servers @modelcontextprotocol/server-filesystem \
	  @modelcontextprotocol/server-everything

hosts: $(STAMP)  ## the other agents from npm (2 GB), in pinned versions, then tests that drive them, for ten minutes
	@$(BIN)/python -m tools.hosts
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal tests/live

test: check $(VENV)/.frameworks  ## lint, types and every test
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal

fix: $(STAMP)  ## let ruff mend what it can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

programs: $(STAMP)  ## compile the descriptions in src/interlock/programs, after trying their cases
	@$(BIN)/python -m tools.programs

$(VENV)/.docs: $(STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[docs]' && touch $@

docs: $(VENV)/.docs  ## build the site of the documentation into site/; a broken link fails
	@$(BIN)/python -m tools.site

bench: $(STAMP)  ## speed, as ratios taken in one run; BASE=commit compares, PARTS="gate cold" picks
	@$(BIN)/python -m bench $(if $(BASE),--base $(BASE)) $(PARTS)

# SEED chooses other mutants, COUNT more of them, ONLY="receipts store" some rooms of tools/mutate/rooms.py.
SEED ?= 1
COUNT ?= 60
mutate: $(STAMP)  ## change the code a little, many times, and see whether a test notices
	@$(BIN)/python -m tools.mutate --seed $(SEED) --count $(COUNT) $(foreach room,$(ONLY),--only $(room))

LINES ?= 2000
fuzz: $(STAMP)  ## hold the shell reader against bash: SEED chooses other lines, LINES more of them
	@$(BIN)/python -m tools.fuzz --seed $(SEED) --lines $(LINES)

clean:  ## remove everything that was set up
	rm -rf $(VENV) .clients .servers .hosts .mypy_cache .ruff_cache .pytest_cache .hypothesis site
