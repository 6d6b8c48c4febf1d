"""Tables: data in the form that models read."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from . import _core
from ._calendar import Calendar
from ._columns import columns_of
from ._errors import Diagnostic, InputError, refuse
from ._table_builder import TableBuilder

if TYPE_CHECKING:
    from .model import Model


class Table:
    """Data prepared once, for several uses; functions that take data make one themselves.

    Args:
        data: a pandas or polars DataFrame, an xarray Dataset, a dictionary of arrays, a list of these (one per series)
            or a dictionary of them (by the name of the series). A missing value is NaN.
        series: the column that tells trajectories apart; by default `series` if there is one.
        time: the column of times; by default the one with a usual name (`time`, `t`, `timestamp`, `date`, `time [s]`,
            …) if there is one, else the rows are counted. `"none"`: the rows are counted.
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
        for argument, given in (("series", series), ("time", time)):
            if not isinstance(given, str):
                refuse(f"`{given}` is no name of a column", "names are texts", argument=argument)
        self._fill(data, {"series_column": series, "time_column": time}, time_unit, origin, name)

    def _fill(self, data: Any, options: dict[str, Any], time_unit: str | None, origin: Any, name: str) -> None:
        columns = columns_of(data, options)
        if not columns:
            refuse("the table has no columns", "give the measured variables", place=name)
        builder = TableBuilder(columns, options, name, time_unit, origin)
        self._handle, self.calendar, self.left_out = builder.core, builder.calendar, builder.left_out

    @classmethod
    def _of_model(cls, data: Any, options: dict[str, Any], time_unit: str | None, calendar: Calendar | None) -> Table:
        """As [data] of a model says; `calendar` is that of an earlier table."""
        if calendar is not None and time_unit is None:
            time_unit = calendar.unit
        table = cls.__new__(cls)
        table._fill(data, options, time_unit, None if calendar is None else calendar.origin, "data")
        return table

    def input(self, name: str, data: Any, *, series: str = "", time: str = "") -> Table:
        """Gives an input of the model a table of its own, at its own times, in place of the file that the model names.

        Args:
            name: of the input.
            data: as for the table itself, or a `Table`. Dates are counted as those of this table.
            series: the column that says which series a value is for; without one values are for all.
            time: the column of times.

        Returns:
            The table itself.
        """
        if not isinstance(data, Table):
            unit, origin = (self.calendar.unit, self.calendar.origin) if self.calendar else (None, None)
            data = Table(data, series=series, time=time, time_unit=unit, origin=origin, name=f"input {name}")
        self._handle.set_input(name, data._handle)
        return self

    @property
    def columns(self) -> list[str]:
        """Names of the columns with numbers, without series and time."""
        return self._handle.columns()

    def __len__(self) -> int:
        return self._handle.n_rows()

    def __copy__(self) -> Table:
        table = Table.__new__(Table)
        table._handle, table.calendar, table.left_out = self._handle.copy(), self.calendar, dict(self.left_out)
        return table

    def __deepcopy__(self, memo: dict[int, Any]) -> Table:
        return self.__copy__()  # columns are shared until one of the two is changed

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError("a table does not pickle: send the data that it was made of, or a run, which has its data")

    def __repr__(self) -> str:
        since = f", {self.calendar.unit}s since {self.calendar.origin}" if self.calendar else ""
        return f"<greybox.Table: {len(self)} rows of {', '.join(self.columns)}{since}>"


def table_for(
    model: Model, data: Any, *, time_unit: str | None = None, calendar: Calendar | None = None
) -> tuple[_core.Table, Calendar | None, dict[str, str]]:
    """The table of any kind of data as a model reads it; `calendar` is that of an earlier table of the run."""
    if time_unit is not None and isinstance(data, (str, os.PathLike, Table)):
        help_ = "write `time_unit` into [data] of the model" if not isinstance(data, Table) else "give it to `Table`"
        refuse("it is for frames and arrays alone", help_, argument="time_unit")
    if isinstance(data, (str, os.PathLike)):
        return model._handle.read_table(os.fspath(data)), None, {}
    if not isinstance(data, Table):
        try:
            data = Table._of_model(data, model._handle.table_options(), time_unit, calendar)
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
