# Each target makes the environment that it needs; none needs another to have run first.
# PYTHON  the interpreter that the environment is made from (3.11 or newer)
# PIP     extra flags for pip, for instance an index that has the CPU build of PyTorch

PYTHON ?= python3
PIP ?=
BIN := .venv/bin

.PHONY: demo test check lint types contracts quality format clean

demo: .venv/installed
	$(BIN)/pincite demo

test: .venv/installed-dev
	$(BIN)/python -m pytest

check: lint types contracts test

lint: .venv/installed-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: .venv/installed-dev
	$(BIN)/mypy

contracts: .venv/installed-dev
	$(BIN)/lint-imports

quality: .venv/installed-dev
	$(BIN)/python -m eval.baselines

format: .venv/installed-dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

.venv/bin/python:
	$(PYTHON) -m venv .venv

.venv/installed: .venv/bin/python pyproject.toml constraints.txt
	$(BIN)/python -m pip install $(PIP) --constraint constraints.txt --editable .
	touch $@

.venv/installed-dev: .venv/installed
	$(BIN)/python -m pip install $(PIP) --constraint constraints.txt --editable '.[dev]'
	touch $@

clean:
	rm -rf .venv demo-output
