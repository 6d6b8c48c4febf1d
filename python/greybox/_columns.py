"""Frames of any kind as named numpy arrays, one value (or field) per row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from . import _core
from ._cells import without_mask
from ._errors import refuse
from ._optional import is_instance
from ._pandas_columns import columns_of_pandas, pandas_column

Array = np.ndarray[Any, Any]
Columns = dict[str, Array]

#: The column that tells the frames of a list apart.
SERIES = "series"

_KINDS = (
    "a pandas or polars DataFrame, an xarray Dataset, a dictionary of arrays, a list or dictionary of these (one per "
    "series), a greybox.Table or the path of a CSV or npz file"
)


def columns_of(data: Any, options: Mapping[str, Any]) -> Columns:
    """The columns of any kind of data; `options` are the library's for tables."""
    if is_instance(data, "pandas", "DataFrame", "Series"):
        return columns_of_pandas(data, options)
    if is_instance(data, "polars", "DataFrame", "LazyFrame"):
        return _of_polars(data)
    if is_instance(data, "xarray", "Dataset", "DataArray"):
        return _of_xarray(data, options)
    if isinstance(data, Mapping):
        if any(_is_frame(value) for value in data.values()):
            return _joined([str(name) for name in data], list(data.values()), options)
        return {str(name): _array(str(name), values) for name, values in data.items()}
    if isinstance(data, np.ndarray) and data.dtype.names:
        return {name: _array(name, data[name]) for name in data.dtype.names}
    if isinstance(data, Sequence) and not isinstance(data, (str, bytes)) and data and all(map(_is_frame, data)):
        if all(_is_record(one) for one in data):
            refuse("it has a dictionary per row", "make a table of it, such as `pd.DataFrame(data)`", argument="data")
        return _joined([str(index) for index in range(len(data))], list(data), options)
    refuse(f"{type(data).__name__} is no table", f"give {_KINDS}", argument="data")


def _is_frame(value: Any) -> bool:
    return (
        isinstance(value, Mapping)
        or is_instance(value, "pandas", "DataFrame")
        or is_instance(value, "polars", "DataFrame", "LazyFrame")
        or is_instance(value, "xarray", "Dataset", "DataArray")
    )


def _is_record(value: Any) -> bool:
    """Whether it is one row: single values by name."""
    return isinstance(value, Mapping) and all(
        isinstance(one, str) or not hasattr(one, "__len__") for one in value.values()
    )


def _array(name: str, values: Any) -> Array:
    if is_instance(values, "pandas", "Series", "Index"):
        return pandas_column(values)
    if is_instance(values, "torch", "Tensor"):
        values = values.detach().cpu()
    if isinstance(values, np.ma.MaskedArray):
        return without_mask(values)
    try:
        array = np.asarray(values)
    except ValueError:
        refuse("its values differ in shape", "one value per row", place=f"table, column `{name}`")
    if array.ndim in (1, 2, 3):
        return array
    refuse(
        f"the array has {array.ndim} axes",
        "one value per row, or for a field rows × width or rows × height × width",
        place=f"table, column `{name}`",
    )


def _joined(names: list[str], frames: list[Any], options: Mapping[str, Any]) -> Columns:
    """Frames below each other; each is a series unless it says so itself."""
    parts = [columns_of(frame, options) for frame in frames]
    key = options.get("series_column") or SERIES
    for name, part in zip(names, parts, strict=True):
        missing = set(parts[0]) ^ set(part)
        if missing - {key}:
            columns = ", ".join(f"`{one}`" for one in sorted(missing))
            refuse(f"{columns} is not in every frame", "give all frames the same columns", place=f"frame {name}")
        if key not in part:
            part[key] = np.full(len(next(iter(part.values()), np.empty(0))), name, dtype=object)
    return {column: np.concatenate([part[column] for part in parts]) for column in parts[0]}


def _of_polars(frame: Any) -> Columns:
    if is_instance(frame, "polars", "LazyFrame"):
        frame = frame.collect()
    return {column.name: _polars_column(column) for column in frame.get_columns()}


def _polars_column(column: Any) -> Array:
    import polars as pl

    kind = column.dtype
    if kind == pl.Float32 and column.null_count() == 0:
        single: Array = column.to_numpy()
        return single
    if kind.is_numeric() or kind == pl.Boolean:
        numbers: Array = column.cast(pl.Float64).fill_null(float("nan")).to_numpy()
        return numbers
    if kind == pl.Date or isinstance(kind, pl.Datetime):
        if getattr(kind, "time_zone", None):
            column = column.dt.convert_time_zone("UTC").dt.replace_time_zone(None)
        dates: Array = column.cast(pl.Datetime("ns")).to_numpy()
        return dates
    if isinstance(kind, pl.Duration):
        lengths: Array = column.cast(pl.Duration("ns")).to_numpy()
        return lengths
    values = np.empty(len(column), dtype=object)
    values[:] = column.to_list()
    return values


def _of_xarray(dataset: Any, options: Mapping[str, Any]) -> Columns:
    if is_instance(dataset, "xarray", "DataArray"):
        dataset = dataset.to_dataset(name=dataset.name or "value")
    series = options.get("series_column") or SERIES
    dims = _row_dims(dataset, series, options.get("time_column", ""))
    shape = tuple(dataset.sizes[dim] for dim in dims)
    columns: Columns = {}
    for name, variable in {**dataset.coords, **dataset.data_vars}.items():
        others = [dim for dim in variable.dims if dim not in dims]
        if name in dataset.coords and others:
            continue  # axes of a field
        full = variable.expand_dims({dim: dataset.sizes[dim] for dim in dims if dim not in variable.dims})
        values = np.asarray(full.transpose(*dims, *others).values)
        columns[str(name)] = _array(str(name), values.reshape(int(np.prod(shape)), *values.shape[len(dims) :]))
    for dim in dims:  # a series dimension without names counts
        if dim not in columns and dim == series:
            index = np.arange(dataset.sizes[dim]).reshape([-1 if one == dim else 1 for one in dims])
            columns[str(dim)] = np.broadcast_to(index, shape).reshape(-1)
    return columns


def _row_dims(dataset: Any, series: str, time: str) -> list[Any]:
    """The dimensions that rows run over, the series first."""
    dims = [dim for dim in (series, time or "time") if dim in dataset.dims]
    if (time or "time") not in dims:
        others = [dim for dim in dataset.dims if dim != series]
        usual = _core.column_roles([str(dim) for dim in others], {}, "xarray Dataset")[1]
        dims += [] if usual is None else [others[usual]]
    if dims:
        return dims
    if len(dataset.dims) == 1:
        return list(dataset.dims)
    refuse(
        f"of the dimensions {', '.join(map(str, dataset.dims))} none is called `{time or 'time'}`",
        "rename the dimension of time, with `dataset.rename(…)`",
        place="xarray Dataset",
    )
