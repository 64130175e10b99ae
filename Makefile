# Thin on purpose: every target is a command of scripts/dev.py, which needs no make.
PYTHON ?= python3

.PHONY: setup demo test lint types reference docs notebooks bench soak reproduce clean

setup demo test lint types reference docs notebooks bench soak reproduce:
	@$(PYTHON) scripts/dev.py $@

clean:
	rm -rf .venv site build dist runs .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis .coverage
