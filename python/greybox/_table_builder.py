"""Columns of numpy arrays into a table of the library, as it reads the columns of a file."""

from __future__ import annotations

import difflib
from typing import Any

import numpy as np

from . import _core
from ._calendar import Calendar, durations_as_numbers, suggested_unit, unit_named
from ._cells import first_text, names_of_cells, numbers_of_texts, without_words
from ._columns import Array, Columns
from ._dates import as_dates
from ._errors import refuse
from ._long import wide
from ._order import refuse_disorder

_NO_TIME = "none"


class TableBuilder:
    """Finds series and time, makes numbers of dates, and leaves out what holds no numbers."""

    core: _core.Table
    calendar: Calendar | None
    #: Columns that hold no numbers, and what they hold instead.
    left_out: dict[str, str]

    def __init__(
        self, columns: Columns, options: dict[str, Any], name: str, time_unit: str | None, origin: Any
    ) -> None:
        self._options, self._name, self._origin = options, name, origin
        self._columns = columns if self._is_long else self._renamed(columns)
        self._asked_unit = None if time_unit is None else unit_named(time_unit)
        self._unit = self._agreed_unit(options.get("time_unit", ""))
        self.calendar, self.left_out = None, {}
        self.core = _core.Table()
        self.core.set_name(name)
        self._build()

    @property
    def _is_long(self) -> bool:
        return bool(self._options.get("variable_column"))

    def _build(self) -> None:
        _check_lengths(self._columns, self._name)
        series_name, time_name = self._roles()
        series = None if series_name is None else self._names("series", series_name)
        time = None if time_name is None else self._time(time_name)
        if time is None:
            self._refuse_forgotten_dates()
        if self._is_long:
            series, time = self._widen(series, time)
        elif time is not None and time_name is not None and self._options.get("needs_time", False):
            columns = [name for name in (series_name, time_name) if name is not None]
            may_repeat = bool(self._options.get("may_repeat_times"))
            refuse_disorder(time, series, columns, may_repeat, self._shown, self._name)
        if series is not None:
            self.core.set_series(series)
        if time is not None:
            self.core.set_time(time)
        self._add_columns()

    def _agreed_unit(self, of_model: str) -> str | None:
        if not of_model:
            return self._asked_unit
        unit = unit_named(of_model)
        if self._asked_unit not in (None, unit):
            refuse(
                f"the model counts time in {of_model}",
                f'leave `time_unit` out, or write `time_unit = "{self._asked_unit}s"` into [data] of the model',
                argument="time_unit",
            )
        return unit

    def _renamed(self, columns: Columns) -> Columns:
        """By [data.rename]; a frame may have the new names already."""
        new_names = {}
        for new, old in self._options.get("renamed", ()):
            if old in columns:
                new_names[old] = new
            elif new not in columns:
                hint = _nearest(old, columns)
                refuse(f"no column `{old}`, which [data.rename] calls `{new}`", hint, place=self._name)
        renamed = {new_names.get(name, name): values for name, values in columns.items()}
        if len(renamed) < len(columns):
            twice = next(new for old, new in new_names.items() if new in columns)
            refuse(f"[data.rename] gives two columns the name `{twice}`", "rename or drop one", place=self._name)
        return renamed

    def _roles(self) -> tuple[str | None, str | None]:
        """Names of the columns of series and time."""
        chosen = (self._options.get("series_column", ""), self._options.get("time_column", ""))
        for wanted in chosen:
            if wanted and wanted not in self._columns and wanted != _NO_TIME:
                refuse(f"there is no column `{wanted}`", _nearest(wanted, self._columns), place=self._name)
        names = list(self._columns)
        series, time = _core.column_roles(names, self._options, self._name)
        return None if series is None else names[series], None if time is None else names[time]

    def _names(self, role: str, column: str) -> list[str]:
        """The name of each row's series or variable."""
        names = names_of_cells(self._columns.pop(column))
        if None in names:
            place = f"{self._name}, row {names.index(None) + 1}, column `{column}`"
            refuse(f"every row needs the name of its {role}", "fill the cell or remove the row", place=place)
        return [name for name in names if name is not None]

    def _widen(self, series: list[str] | None, time: Array | None) -> tuple[list[str] | None, Array]:
        """One column per variable, of a table with one value per row."""
        variable, value = self._options["variable_column"], self._options["value_column"]
        for wanted in (variable, value):
            if wanted not in self._columns:
                refuse(f"there is no column `{wanted}`", _nearest(wanted, self._columns), place=self._name)
        if time is None:
            help_ = "set `time` in [data]"
            refuse("a table with one value per row needs a column of times", help_, place=self._name)
        words = self._options.get("missing_words", ())
        numbers = without_words(self._float(value, numbers_of_texts(self._columns[value], words)), words)
        variables = self._names("variable", variable)
        series, time, columns = wide(variables, numbers, series, time, self._name)
        self._columns = self._renamed(columns)
        return series, time

    def _time(self, name: str) -> Array:
        values = self._columns.pop(name)
        dates = as_dates(values)
        if dates is not None:
            values = dates
        elif values.dtype.kind in "OU":
            values = numbers_of_texts(values, self._options.get("missing_words", ()))
        if values.dtype.kind in "mM":
            values = self._numbers_of(name, values.astype("timedelta64[ns]" if values.dtype.kind == "m" else "M8[ns]"))
        elif values.dtype.kind in "OU":
            place, value = first_text(values)
            refuse(
                f"`{value}` is neither a number nor a date",
                "convert the column with the format that it has, such as with pandas: "
                f'`frame["{name}"] = pd.to_datetime(frame["{name}"], format="%d.%m.%Y")`',
                place=f"{self._name}, row {place + 1}, column `{name}`",
            )
        elif self._asked_unit is not None:
            help_ = "leave `time_unit` out: numbers are taken as they are"
            refuse(f"the times of `{name}` are no dates", help_, argument="time_unit")
        numbers = self._float(name, values).astype(np.float64, copy=False)
        self._refuse_missing_time(name, np.isnan(numbers))
        return numbers

    def _refuse_missing_time(self, name: str, is_missing: Array) -> None:
        if is_missing.any():
            place = f"{self._name}, row {int(np.flatnonzero(is_missing)[0]) + 1}, column `{name}`"
            refuse("a time is needed in every row", "fill the cell or remove the row", place=place)

    def _numbers_of(self, name: str, values: Array) -> Array:
        self._refuse_missing_time(name, np.isnat(values))
        if self._unit is None:
            guess = suggested_unit(values.astype(np.int64).astype("M8[ns]"))
            refuse(
                f"column `{name}` holds dates, and the equations need numbers",
                f'say in which unit they count time: `time_unit="{guess}"` (or s, min, h, day, week, year)',
                place=self._name,
            )
        if values.dtype.kind == "m":
            return durations_as_numbers(values, self._unit)
        origin = values.min() if self._origin is None else self._origin_given()
        self.calendar = Calendar(self._unit, origin)
        return self.calendar.numbers(values)

    def _origin_given(self) -> np.datetime64:
        date = as_dates(np.array([self._origin], dtype=object))
        if date is None or np.isnat(date[0]):
            refuse(f"`{self._origin}` is no date", 'such as "2024-05-01"', argument="origin")
        origin: np.datetime64 = date[0]
        return origin

    def _shown(self, time: float) -> str:
        """A time as it was given."""
        if self.calendar is None:
            return f"{time:g}"
        return str(np.datetime_as_string(self.calendar.dates(time), unit="auto"))

    def _refuse_forgotten_dates(self) -> None:
        if self._options.get("time_column") == _NO_TIME or not self._options.get("needs_time", True):
            return
        for name, values in self._columns.items():
            if values.dtype.kind in "mM" or (values.dtype.kind in "OU" and as_dates(values) is not None):
                refuse(
                    f"column `{name}` holds dates, but no column is the time",
                    f'write `time = "{name}"` into [data] of the model (or "none" to count rows), or call the '
                    "column `time`",
                    place=self._name,
                )

    def _add_columns(self) -> None:
        words = self._options.get("missing_words", ())
        for name, given in self._columns.items():
            values = numbers_of_texts(given, words) if given.dtype.kind in "OUS" else given
            if values.dtype.kind in "mM":
                self.left_out[name] = "dates"
            elif values.dtype.kind in "USO":
                place, value = first_text(values)
                self.left_out[name] = f"text (`{value}` in row {place + 1})"
            else:
                self.core.add(name, without_words(self._float(name, values), words))
        if not self.core.columns():
            listed = "; ".join(f"`{name}` holds {kind}" for name, kind in self.left_out.items())
            help_ = "convert what was measured to numbers, for instance with `pd.to_numeric`"
            refuse("no column holds numbers" + (f": {listed}" if listed else ""), help_, place=self._name)

    def _float(self, name: str, values: Array) -> Array:
        if values.dtype.kind not in "fiub":
            place = f"{self._name}, column `{name}`"
            refuse(f"values of type {values.dtype} are no numbers", "convert them to float64", place=place)
        return np.ascontiguousarray(values, dtype=np.float32 if values.dtype == np.float32 else np.float64)


def _nearest(wanted: str, columns: Columns) -> str:
    near = difflib.get_close_matches(wanted, columns, 1)
    return f"did you mean `{near[0]}`?" if near else f"it has {', '.join(columns)}"


def _check_lengths(columns: Columns, name: str) -> None:
    lengths = {column: len(values) for column, values in columns.items()}
    if len(set(lengths.values())) > 1:
        listed = ", ".join(f"`{column}` has {length}" for column, length in lengths.items())
        refuse(f"the columns differ in length: {listed}", "give one value per row in each", place=name)
    if next(iter(lengths.values())) == 0:
        refuse("the table has no rows", "give at least one row of data", place=name)
