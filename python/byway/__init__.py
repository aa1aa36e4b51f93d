# SPDX-License-Identifier: Apache-2.0
"""Reads byway's results as rows, or as a pandas frame.

    import byway
    for row in byway.rows("compare.json"):
        print(row["workload"], row["policy"], row["ipc"], row["l1d.hits"])
    frame = byway.frame("results")          # a folder of byway sweep; needs pandas

A source is a file of `byway run -o`, `byway compare --json` or `byway sweep` (results.csv,
results.sqlite), or a folder of a sweep.  A row is one run, or with per="kernel" one launch of a
kernel, which only JSON has.  Its keys are those of results.csv: members of members are joined by
dots ("l1d.reservation_fails.mshr"); the configuration has the prefix "config.".
"""
from __future__ import annotations

import csv
import json
import os
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Literal, Union

if TYPE_CHECKING:
    import pandas

Value = Union[int, float, str, bool, None]
Row = Dict[str, Value]
Per = Literal["run", "kernel"]
Source = Union[str, "os.PathLike[str]"]

__all__ = ["Error", "Per", "Row", "Source", "Value", "frame", "rows"]

_RUN = "byway.run/"
_COMPARE = "byway.compare/"


class Error(Exception):
    """A source that is not a result of byway; the text names it and says what is expected."""


def _flat(members: Dict[str, Any], prefix: str = "") -> Iterator["tuple[str, Value]"]:
    for key, value in members.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{key}.")
        elif not isinstance(value, list):
            yield prefix + key, value


def _rows_of_run(run: Dict[str, Any], per: Per, where: str) -> Iterator[Row]:
    if not str(run.get("schema", "")).startswith(_RUN):
        raise Error(f"{where}: not a result; expected a member schema that begins with {_RUN}")
    if per == "run":
        yield dict(_flat(run))
        return
    names: Row = {key: run[key] for key in ("workload", "machine", "policy")}
    for launch in run["per_kernel"]:
        row = dict(names)
        for key, value in _flat(launch):
            row["kernel" if key == "name" else key] = value
        yield row


def _rows_of_json(path: Path, per: Per) -> Iterator[Row]:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise Error(f"{path}: not JSON: {error}") from error
    if not isinstance(data, dict):
        raise Error(f"{path}: not a result; expected an object")
    if str(data.get("schema", "")).startswith(_COMPARE):
        for i, run in enumerate(data["runs"]):
            yield from _rows_of_run(run, per, f"{path}: run {i + 1}")
    else:
        yield from _rows_of_run(data, per, str(path))


def _value(cell: str) -> Value:
    """A cell of results.csv; an apostrophe marks a text that a spreadsheet would run."""
    for kind in (int, float):
        try:
            return kind(cell)
        except ValueError:
            pass
    return cell[1:] if cell.startswith("'") else cell if cell != "" else None


_TEXTS = ("run_id", "workload", "machine", "policy", "status")


def _rows_of_csv(path: Path) -> Iterator[Row]:
    with path.open(newline="", encoding="utf-8") as file:
        table = csv.DictReader(file)
        if table.fieldnames is None or "workload" not in table.fieldnames:
            raise Error(f"{path}: not a table of byway; expected a column workload")
        for line in table:
            yield {key: cell.lstrip("'") if key in _TEXTS else _value(cell) for key, cell in line.items()}


def _rows_of_sqlite(path: Path) -> Iterator[Row]:
    base = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
    try:
        for names in base.execute("SELECT run_id, workload, machine, policy, status FROM run ORDER BY run_id").fetchall():
            row: Row = dict(zip(_TEXTS, names))
            row.update(base.execute("SELECT name, value FROM metric WHERE run_id = ?", names[:1]))
            row.update(base.execute("SELECT 'config.' || key, value FROM setting WHERE run_id = ?", names[:1]))
            yield row
    except sqlite3.DatabaseError as error:
        raise Error(f"{path}: not a database of byway sweep: {error}") from error
    finally:
        base.close()


def rows(source: Source, per: Per = "run") -> List[Row]:
    """All rows of a source, in its order; of a folder, by the names of its files.

    Error: it is not a result of byway.  OSError: it cannot be read.
    """
    path = Path(source)
    if per not in ("run", "kernel"):
        raise ValueError(f"per is {per!r}; expected 'run' or 'kernel'")
    if path.is_dir():
        files = sorted((path / "runs").glob("*.json"))
        if not files:
            raise Error(f"{path}: no runs; expected the folder of a sweep")
        return [row for file in files for row in _rows_of_json(file, per)]
    if path.suffix in (".csv", ".sqlite"):
        if per == "kernel":
            raise Error(f"{path}: has one row per run; expected JSON or the folder of the sweep for kernels")
        return list(_rows_of_csv(path) if path.suffix == ".csv" else _rows_of_sqlite(path))
    return list(_rows_of_json(path, per))


def frame(source: Source, per: Per = "run") -> "pandas.DataFrame":
    """The rows as a pandas frame."""
    import pandas

    return pandas.DataFrame(rows(source, per))
