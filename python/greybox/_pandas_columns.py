"""Frames of pandas as named numpy arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from . import _core
from ._errors import refuse
from ._optional import is_instance

Array = np.ndarray[Any, Any]


def columns_of_pandas(frame: Any, options: Mapping[str, Any]) -> dict[str, Array]:
    """The columns of a frame or series, and the levels of its index that have a name."""
    if is_instance(frame, "pandas", "Series"):
        frame = frame.to_frame("value" if frame.name is None else frame.name)
    if frame.columns.nlevels > 1:
        help_ = 'make them one, such as `frame.columns = ["_".join(map(str, name)) for name in frame.columns]`'
        refuse(f"the names of the columns have {frame.columns.nlevels} levels", help_, place="table")
    frame = _with_index(frame, options)
    names = [str(name) for name in frame.columns]
    for name in names:
        if names.count(name) > 1:
            refuse(f"the column `{name}` is there twice", "give each column a name of its own", place="table")
    return {name: pandas_column(frame.iloc[:, place]) for place, name in enumerate(names)}


def _with_index(frame: Any, options: Mapping[str, Any]) -> Any:
    """Named levels of the index as columns, and dates without a name as the time."""
    index = frame.index
    names = [name for name in index.names if name is not None and name not in frame.columns]
    if index.nlevels > 1 and None in index.names:
        help_ = (
            'name them, such as `frame.index.names = ["series", "time"]`, or drop them with `reset_index(drop=True)`'
        )
        refuse("levels of the index have no name", help_, place="table")
    if names:
        return frame.reset_index(level=names)
    if index.nlevels > 1 or index.name is not None:
        return frame
    time = options.get("time_column") or "time"
    kind = index.dtype.kind if hasattr(index.dtype, "kind") else ""
    if kind in "mM" and time not in frame.columns and time != "none":
        return frame.rename_axis(time).reset_index()
    if kind == "f" and _counts_rows(frame, options):
        help_ = 'if it is the time, `frame.rename_axis("time")`; if not, `frame.reset_index(drop=True)`'
        refuse("the index holds numbers and has no name, and no column is the time", help_, place="table")
    return frame


def _counts_rows(frame: Any, options: Mapping[str, Any]) -> bool:
    """Whether no column is the time, where one is wanted."""
    if options.get("time_column") or not options.get("needs_time", True):
        return False
    wanted = {key: value for key, value in options.items() if key != "series_column"}
    return _core.column_roles([str(name) for name in frame.columns], wanted, "table")[1] is None


def pandas_column(column: Any) -> Array:
    """One column or index; categories as what they stand for, missing values as NaN."""
    import pandas as pd

    column = column.to_series() if isinstance(column, pd.Index) else column
    if isinstance(column.dtype, pd.CategoricalDtype):
        column = column.astype(column.cat.categories.dtype)
    if isinstance(column.dtype, pd.DatetimeTZDtype):
        column = column.dt.tz_convert("UTC").dt.tz_localize(None)
    if pd.api.types.is_numeric_dtype(column.dtype) and not isinstance(column.dtype, np.dtype):
        numbers: Array = column.to_numpy(dtype=np.float64, na_value=np.nan)
        return numbers
    values: Array = column.to_numpy()
    return values
