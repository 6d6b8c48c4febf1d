"""The order of a frame's rows: in each series the time increases."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ._errors import refuse

Array = np.ndarray[Any, Any]


def numbered(texts: Sequence[str]) -> tuple[list[str], Array]:
    """Distinct texts in order of their appearance, and the number of each."""
    known = {text: number for number, text in enumerate(dict.fromkeys(texts))}
    return list(known), np.array([known[text] for text in texts], dtype=np.int64)


def refuse_disorder(
    time: Array,
    series: list[str] | None,
    columns: list[str],
    may_repeat: bool,
    shown: Callable[[float], str],
    place: str,
) -> None:
    """Refuses the first row whose time is not after that of the row before it in its series.

    Args:
        time: of every row.
        series: the name of every row's series; None: all rows are one.
        columns: names of those of series and time, as `frame.sort_values` wants them.
        may_repeat: two rows of one time are a step of the model's inputs.
        shown: a time as the caller gave it.
        place: what messages call the table.
    """
    which = np.zeros(len(time), dtype=np.int64) if series is None else numbered(series)[1]
    order = np.argsort(which, kind="stable")
    steps = np.diff(time[order])
    wrong = np.flatnonzero(((steps < 0) if may_repeat else (steps <= 0)) & (np.diff(which[order]) == 0))
    if wrong.size == 0:
        return
    before, row = int(order[wrong[0]]), int(order[wrong[0] + 1])
    what = shown(time[row]) + (f" of series `{series[row]}`" if series is not None else "")
    more = f", and so in {wrong.size - 1} more rows" if wrong.size > 1 else ""
    refuse(
        f"{what} stands in row {before + 1} too{more}"
        if time[row] == time[before]
        else f"{what} comes after {shown(time[before])} of row {before + 1}{more}",
        _advice(columns, time[row] == time[before], series is None),
        place=f"{place}, row {row + 1}, column `{columns[-1]}`",
    )


def _advice(columns: list[str], is_twice: bool, is_one_series: bool) -> str:
    listed = "[" + ", ".join(f'"{column}"' for column in columns) + "]"
    if is_twice:
        advice = f"keep one row of each time, with pandas `frame.drop_duplicates({listed})` or a mean by `groupby`"
    else:
        advice = f"sort the rows, with pandas `frame.sort_values({listed})`"
    if is_one_series:
        advice += '; if a column tells several series apart, name it: `series = "…"` in [data] of the model'
    return advice
