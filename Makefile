# make doctor   a diagnosis of a real report, from a fresh clone
# make test     everything that CI checks
# make bench    the tables of benchmarks/README.md
# make eval     the right incident first, on labelled cases
# make bedside  real jobs with planted faults: is the right incident named first?
# make gpu      everything that only a machine with GPUs can prove, in nine minutes; GPU='--out DIR --python PATH'
# make gpu-carry  what to bring to such a machine where it has no network: dist/
# make fit      the table of belief anew from labelled cases (needs torch)
# make contexts the words around a line that tell of an error anew, from contexts (needs torch)
# make site-engine  build/site with the engine in its search page (fetches the npm package pyodide)
# make pyz      dist/gpudoctor.pyz, one file for nodes without network or pip
# make fuzz     ten minutes of random knowledge bases, rule engine against reference; a million mutated inputs;
#               the worst megabyte for every reader; 200 kills

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Where a machine forbids it, each of the thousand processes of the tests would compile all modules anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: bedside contexts gpu gpu-carry torch doctor test lint types kb bench eval fit fuzz pyz pyodide screens site-engine clean

doctor: $(VENV)/installed
	$(BIN)/gpudoctor --report tests/reports/vllm-two-cards-stuck.log; test $$? -le 1

test: $(VENV)/tested $(VENV)/old-ray/installed lint types kb screens pyodide
	GPUDOCTOR_OLD_RAY=$(VENV)/old-ray/bin/python $(BIN)/python -m pytest -n 3

lint: $(VENV)/tested
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-logo --no-cache

# Types are checked on the installed package, as a user's type checker sees it.
types: $(VENV)/tested
	rm -rf build $(VENV)/typed
	$(BIN)/pip install --quiet --no-deps --target $(VENV)/typed .
	cd $(VENV)/typed && MYPYPATH=. ../bin/mypy --strict --python-executable ../bin/python \
		--cache-dir ../mypy -p gpudoctor

kb: $(VENV)/tested
	$(BIN)/gpudoctor kb lint

# The site is tested in Chromium and the conversation in tmux. Where they are not there and cannot be installed, their
# tests are skipped and say so.
screens:
	@{ command -v chromedriver && command -v tmux; } >/dev/null || test "$$(id -u)" != 0 || \
		! command -v apt-get >/dev/null || \
		{ apt-get update -qq && apt-get install -qq -y --no-install-recommends chromium chromium-driver tmux; } \
		>/dev/null 2>&1 || echo "chromium and tmux could not be installed"

# Python for browsers: one package of npm, 6 MB. Where it cannot be had, the tests of the engine in the page are skipped.
PYODIDE := 314.0.7
pyodide: $(VENV)/tested
	@test -f $(VENV)/pyodide/package/pyodide.mjs || { mkdir -p $(VENV)/pyodide && cd $(VENV)/pyodide && \
		npm pack --silent pyodide@$(PYODIDE) >/dev/null && tar xzf pyodide-$(PYODIDE).tgz; } || \
		echo "the npm package pyodide could not be fetched"

site-engine: pyodide
	$(BIN)/gpudoctor site build/site --engine $(VENV)/pyodide

pyz: $(VENV)/installed
	$(BIN)/python deploy/pyz/build.py

bench: $(VENV)/tested
	$(BIN)/python benchmarks/run.py

# Real jobs with planted faults, and healthy ones, on gloo: about ten minutes; some need root.
bedside: $(VENV)/tested
	$(BIN)/python -m tests.bedside.wards

# Installs nothing: with this repository's environment where there is one, else with the machine's own Python.
gpu:
	@if [ -x $(BIN)/python ]; then $(BIN)/python -m tests.gpu $(GPU); else $(PYTHON) -m tests.gpu $(GPU); fi

gpu-carry: $(VENV)/tested pyz
	cp $(BIN)/py-spy dist/py-spy

fuzz: $(VENV)/tested
	$(BIN)/python tests/engine/differential.py --seconds 600
	$(BIN)/python -m tests.fuzz 1000000
	$(BIN)/python -m tests.trust.worst
	$(BIN)/python -m tests.trust.kills 200

$(VENV)/installed: pyproject.toml setup.py
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --editable .
	touch $@

$(VENV)/tested: $(VENV)/installed
	$(BIN)/pip install --quiet --editable '.[test]'
	$(MAKE) --no-print-directory torch
	touch $@

# The oldest Ray that is supported; it has no wheels for Python 3.12 and later, and its tests are skipped there.
$(VENV)/old-ray/installed:
	$(PYTHON) -m venv $(VENV)/old-ray
	-$(VENV)/old-ray/bin/pip install --quiet 'ray==2.9.3' 'setuptools<80' || rm -f $(VENV)/old-ray/bin/python
	touch $@

# The tests of real collectives need torch and are skipped without it. This release in this spelling, and for this
# Python alone, is a build for CPUs of 200 MB where it was tried; others bring gigabytes of CUDA.
torch:
	@if $(BIN)/python -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))'; then \
		$(BIN)/pip install --quiet torch==2.13.0 || echo 'no torch: tests of real collectives are skipped'; \
	else echo 'torch is installed for Python 3.11 only: tests of real collectives are skipped'; fi

clean:
	rm -rf $(VENV) build *.egg-info

eval: $(VENV)/tested
	$(BIN)/python benchmarks/evaluate.py $(EVAL)

contexts: $(VENV)/tested
	$(BIN)/python -m benchmarks.contexts

fit: $(VENV)/tested
	$(BIN)/python benchmarks/fit.py $(FIT)
