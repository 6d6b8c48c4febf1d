"""Dates as the numbers that equations need, and back."""

from __future__ import annotations

import datetime
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ._dates import as_dates
from ._errors import refuse

_NANOSECONDS = {"s": 10**9, "min": 60 * 10**9, "h": 3600 * 10**9, "day": 86400 * 10**9}
_NANOSECONDS |= {"ms": 10**6, "week": 7 * _NANOSECONDS["day"], "year": round(365.25 * _NANOSECONDS["day"])}
_ALIASES = {"second": "s", "sec": "s", "minute": "min", "hour": "h", "hr": "h", "d": "day", "D": "day", "w": "week"}
_FILE = "calendar.json"


def unit_named(name: str) -> str:
    """`day` for `days`, `d` or `D`; refuses what is no unit."""
    known = _ALIASES.get(name, name)
    if known not in _NANOSECONDS:
        known = name.lower().removesuffix("s") if len(name) > 2 else name
        known = _ALIASES.get(known, known)
    if known not in _NANOSECONDS:
        refuse(f"`{name}` is no unit of time", f"one of {', '.join(_NANOSECONDS)}", argument="time_unit")
    return known


def suggested_unit(times: np.ndarray[Any, Any]) -> str:
    """The largest unit that the typical step is at least one of."""
    steps = np.diff(np.unique(times.astype("datetime64[ns]").astype(np.int64)))
    typical = float(np.median(steps)) if steps.size else 0.0
    for unit in ("year", "week", "day", "h", "min", "s"):
        if unit not in ("year", "week") and typical >= 0.99 * _NANOSECONDS[unit]:
            return unit
    return "s"


@dataclass(frozen=True)
class Calendar:
    """Times are numbers of `unit` since `origin`."""

    unit: str
    #: UTC, without a time zone.
    origin: np.datetime64

    def numbers(self, times: np.ndarray[Any, Any]) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Dates as numbers."""
        since = (times.astype("datetime64[ns]") - self.origin.astype("datetime64[ns]")).astype(np.int64)
        return np.asarray(since / float(_NANOSECONDS[self.unit]), dtype=np.float64)

    def dates(self, numbers: Any) -> np.ndarray[Any, Any]:
        """Numbers as dates; NaN becomes NaT."""
        values = np.asarray(numbers, dtype=np.float64)
        nanoseconds = np.where(np.isnan(values), 0, np.round(values * _NANOSECONDS[self.unit])).astype(np.int64)
        dates = self.origin.astype("datetime64[ns]") + nanoseconds.astype("timedelta64[ns]")
        return np.where(np.isnan(values), np.datetime64("NaT", "ns"), dates)

    def save(self, folder: Path) -> None:
        """Beside the run's other files."""
        text = json.dumps({"unit": self.unit, "origin": str(self.origin.astype("datetime64[ns]"))}, indent=2)
        (folder / _FILE).write_text(text + "\n", encoding="utf-8")

    @staticmethod
    def of_folder(folder: Path) -> Calendar | None:
        """The calendar that a run was saved with; None when its times are numbers."""
        file = folder / _FILE
        if not file.exists():
            return None
        given = json.loads(file.read_text(encoding="utf-8"))
        return Calendar(unit_named(given["unit"]), np.datetime64(given["origin"], "ns"))


def moment(given: Any, calendar: Calendar | None, argument: str) -> Any:
    """A time as equations count it, of a date where the run's data have dates."""
    if given is None or (calendar is None and isinstance(given, (int, float, np.number))):
        return given
    if calendar is None:
        refuse(f"`{given}` is no number", "the run's times are numbers: give one", argument=argument)
    date = as_dates(np.array([given], dtype=object))
    if date is None or np.isnat(date[0]):
        refuse(f"`{given}` is no date", f"the run's times are dates, such as {calendar.origin}", argument=argument)
    return float(calendar.numbers(date)[0])


def duration(given: Any, calendar: Calendar | None, argument: str) -> Any:
    """A length of time as equations count it."""
    if not isinstance(given, (datetime.timedelta, np.timedelta64)):
        return given
    if calendar is None:
        refuse("the run's times are numbers", "give a number, in their unit", argument=argument)
    return float(durations_as_numbers(np.array([given], dtype="m8[ns]"), calendar.unit)[0])


def durations_as_numbers(times: np.ndarray[Any, Any], unit: str) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Lengths of time as numbers of a unit."""
    return times.astype("timedelta64[ns]").astype(np.int64) / float(_NANOSECONDS[unit])
