"""Tables: data in the form that models read."""

from __future__ import annotations

import difflib
import os
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from ._calendar import Calendar, durations_as_numbers, suggested_unit, unit_named
from ._columns import SERIES, Array, Columns, columns_of
from ._dates import as_dates
from ._errors import Diagnostic, InputError, refuse

if TYPE_CHECKING:
    from .model import Model


class Table:
    """Data prepared once, for several uses; functions that take data make one themselves.

    Args:
        data: a pandas or polars DataFrame, an xarray Dataset, a dictionary of arrays, a list of these (one per series)
            or a dictionary of them (by the name of the series). A missing value is NaN.
        series: the column that tells trajectories apart; by default `series` if there is one.
        time: the column of times; by default `time` if there is one, else the rows are counted.
        time_unit: what dates are counted in: `"s"`, `"min"`, `"h"`, `"day"`, `"week"` or `"year"`. Needed for dates.
        origin: the date that is time 0; by default the first one.
        name: what messages call the table.

    Examples:
        >>> table = Table({"x": [0.0, 0.5, 1.0], "y": [1.0, 0.6, 0.4]})
        >>> table
        <greybox.Table: 3 rows of x, y>
    """

    _handle: _core.Table
    #: How dates became numbers; None when the times were numbers.
    calendar: Calendar | None
    #: Columns that hold no numbers, and what they hold instead.
    left_out: dict[str, str]

    def __init__(
        self,
        data: Any,
        *,
        series: str = "",
        time: str = "",
        time_unit: str | None = None,
        origin: Any = None,
        name: str = "table",
    ) -> None:
        columns = columns_of(data, series, time)
        if not columns:
            refuse("the table has no columns", "give the measured variables", place=name)
        _check_lengths(columns, name)
        builder = _Builder(columns, name, time_unit, origin)
        builder.set_series(series)
        builder.set_time(time)
        builder.add_columns()
        self._handle, self.calendar, self.left_out = builder.core, builder.calendar, builder.left_out

    @property
    def columns(self) -> list[str]:
        """Names of the columns with numbers, without series and time."""
        return self._handle.columns()

    def __len__(self) -> int:
        return self._handle.n_rows()

    def __repr__(self) -> str:
        since = f", {self.calendar.unit}s since {self.calendar.origin}" if self.calendar else ""
        return f"<greybox.Table: {len(self)} rows of {', '.join(self.columns)}{since}>"


def _check_lengths(columns: Columns, name: str) -> None:
    lengths = {column: len(values) for column, values in columns.items()}
    if len(set(lengths.values())) > 1:
        listed = ", ".join(f"`{column}` has {length}" for column, length in lengths.items())
        refuse(f"the columns differ in length: {listed}", "give one value per row in each", place=name)
    if next(iter(lengths.values())) == 0:
        refuse("the table has no rows", "give at least one row of data", place=name)


class _Builder:
    def __init__(self, columns: Columns, name: str, time_unit: str | None, origin: Any) -> None:
        self.columns, self.name, self.origin = columns, name, origin
        self.unit = None if time_unit is None else unit_named(time_unit)
        self.core = _core.Table()
        self.core.set_name(name)
        self.calendar: Calendar | None = None
        self.left_out: dict[str, str] = {}

    def _take(self, wanted: str, default: str) -> tuple[str, Array | None]:
        if wanted and wanted not in self.columns:
            near = difflib.get_close_matches(wanted, self.columns, 1)
            hint = f"did you mean `{near[0]}`?" if near else f"it has {', '.join(self.columns)}"
            refuse(f"there is no column `{wanted}`", hint, place=self.name)
        name = wanted or default
        return name, self.columns.pop(name, None)

    def set_series(self, wanted: str) -> None:
        name, values = self._take(wanted, SERIES)
        if values is not None:
            self.core.set_series([self._series_name(name, row, value) for row, value in enumerate(values.tolist())])

    def _series_name(self, name: str, row: int, value: Any) -> str:
        if value is None or value != value:  # NaN, NaT
            place = f"{self.name}, row {row + 1}, column `{name}`"
            refuse("every row needs the name of its series", "fill the cell or remove the row", place=place)
        return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)

    def set_time(self, wanted: str) -> None:
        name, values = self._take(wanted, "time")
        if values is None:
            self._refuse_forgotten_dates()
            return
        dates = as_dates(values)
        if dates is not None:
            values = dates
        if values.dtype.kind in "mM":
            values = self._numbers_of(name, values.astype("timedelta64[ns]" if values.dtype.kind == "m" else "M8[ns]"))
        elif values.dtype.kind in "OU":
            place, value = _first_text(values)
            refuse(
                f"`{value}` is neither a number nor a date",
                f'convert the column, for instance with pandas: `frame["{name}"] = pd.to_datetime(frame["{name}"])`',
                place=f"{self.name}, row {place + 1}, column `{name}`",
            )
        elif self.unit is not None:
            help_ = "leave `time_unit` out: numbers are taken as they are"
            refuse(f"the times of `{name}` are no dates", help_, argument="time_unit")
        self.core.set_time(self._float(name, values))

    def _numbers_of(self, name: str, values: Array) -> Array:
        if np.isnat(values).any():
            row = int(np.flatnonzero(np.isnat(values))[0]) + 1
            place = f"{self.name}, row {row}, column `{name}`"
            refuse("a time is needed in every row", "fill the cell or remove the row", place=place)
        if self.unit is None:
            guess = suggested_unit(values.astype(np.int64).astype("M8[ns]"))
            refuse(
                f"column `{name}` holds dates, and the equations need numbers",
                f'say in which unit they count time: `time_unit="{guess}"` (or s, min, h, day, week, year)',
                place=self.name,
            )
        if values.dtype.kind == "m":
            return durations_as_numbers(values, self.unit)
        origin = values.min() if self.origin is None else np.datetime64(self.origin, "ns")
        self.calendar = Calendar(self.unit, origin)
        return self.calendar.numbers(values)

    def _refuse_forgotten_dates(self) -> None:
        for name, values in self.columns.items():
            if values.dtype.kind in "mM":
                refuse(
                    f"column `{name}` holds dates, but no column is the time",
                    f'write `time = "{name}"` into [data] of the model, or call the column `time`',
                    place=self.name,
                )

    def add_columns(self) -> None:
        for name, values in self.columns.items():
            if values.dtype.kind in "mM":
                self.left_out[name] = "dates"
            elif values.dtype == object or values.dtype.kind in "USO":
                place, value = _first_text(values)
                self.left_out[name] = f"text (`{value}` in row {place + 1})"
            else:
                self.core.add(name, self._float(name, values))
        if not self.core.columns():
            listed = "; ".join(f"`{name}` holds {kind}" for name, kind in self.left_out.items())
            help_ = "convert what was measured to numbers, for instance with `pd.to_numeric`"
            refuse("no column holds numbers" + (f": {listed}" if listed else ""), help_, place=self.name)

    def _float(self, name: str, values: Array) -> Array:
        if values.dtype.kind not in "fiub":
            place = f"{self.name}, column `{name}`"
            refuse(f"values of type {values.dtype} are no numbers", "convert them to float64", place=place)
        return np.ascontiguousarray(values, dtype=np.float32 if values.dtype == np.float32 else np.float64)


def _first_text(values: Array) -> tuple[int, Any]:
    """The first value that is no number, and its row."""
    for row, value in enumerate(values.tolist()):
        try:
            float("nan" if value is None else value)
        except (TypeError, ValueError):
            return row, value
    return 0, values[0]


def table_for(
    model: Model, data: Any, *, time_unit: str | None = None, calendar: Calendar | None = None
) -> tuple[_core.Table, Calendar | None, dict[str, str]]:
    """The table of any kind of data as a model reads it; `calendar` is that of an earlier table of the run."""
    if isinstance(data, (str, os.PathLike)):
        return model._handle.read_table(os.fspath(data)), None, {}
    if not isinstance(data, Table):
        options = model._handle.table_options()
        if calendar is not None and time_unit is None:
            time_unit = calendar.unit
        try:
            data = Table(
                data,
                series=options["series_column"],
                time=options["time_column"],
                time_unit=time_unit,
                origin=None if calendar is None else calendar.origin,
                name="data",
            )
        except InputError as error:
            if calendar is None or not any(one.argument == "time_unit" for one in error.diagnostics):
                raise
            refuse("the run was trained on dates, and these times are numbers", "give dates", argument="data")
    return data._handle, data.calendar, data.left_out


def explained(error: InputError, left_out: dict[str, str]) -> InputError:
    """An error about columns, with what is known of those that hold no numbers."""
    named = {name: kind for name, kind in left_out.items() if f"`{name}`" in str(error)}
    if not named:
        return error
    notes = [
        f"column `{name}` holds {kind}, which no equation can read: convert it to numbers"
        for name, kind in named.items()
    ]
    text = str(error) + "".join(f"\n  note: {note}" for note in notes)
    return InputError(text, (*error.diagnostics, *(Diagnostic(note) for note in notes)))
