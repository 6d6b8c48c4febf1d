"""Tables with one value per row as tables with one column per variable."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._errors import refuse
from ._order import numbered

Array = np.ndarray[Any, Any]


def wide(
    variables: list[str], values: Array, series: list[str] | None, time: Array, place: str
) -> tuple[list[str] | None, Array, dict[str, Array]]:
    """Series, times and columns; rows are sorted by time in each series. NaN where a variable has no value."""
    kinds, kind = numbered(variables)
    names, which = numbered(series if series is not None else [""] * len(variables))
    order = np.lexsort((time, which))
    is_new = np.ones(len(order), dtype=bool)
    is_new[1:] = (np.diff(which[order]) != 0) | (np.diff(time[order]) != 0)
    row = np.empty(len(order), dtype=np.int64)
    row[order] = np.cumsum(is_new) - 1
    first = order[is_new]
    _refuse_second_values(kind * len(first) + row, variables, place)
    columns = np.full((len(kinds), len(first)), np.nan)
    columns[kind, row] = values
    of_rows = None if series is None else [names[number] for number in which[first]]
    return of_rows, time[first], dict(zip(kinds, columns, strict=True))


def _refuse_second_values(cells: Array, variables: list[str], place: str) -> None:
    _, firsts = np.unique(cells, return_index=True)
    if len(firsts) == len(cells):
        return
    second = int(np.setdiff1d(np.arange(len(cells)), firsts)[0])
    first = int(np.flatnonzero(cells == cells[second])[0])
    refuse(
        f"a second value of `{variables[second]}` at this time",
        f"keep one of them (the other stands in row {first + 1}), or tell series apart",
        place=f"{place}, row {second + 1}",
    )
