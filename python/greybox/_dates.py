"""Dates in any form as numpy's, in UTC."""

from __future__ import annotations

import datetime
from typing import Any

import numpy as np

from ._optional import is_instance

Array = np.ndarray[Any, Any]


def as_dates(values: Array) -> Array | None:
    """Objects or texts that are all dates, or missing, as `datetime64[ns]`; None when one is none."""
    if values.dtype.kind not in "OU":
        return None
    try:
        return np.array([_date(value) for value in values], dtype="M8[ns]")
    except (TypeError, ValueError):
        return None


def _date(value: Any) -> Any:
    """One date; raises when it is none."""
    if value is None or (isinstance(value, float) and np.isnan(value)):
        return np.datetime64("NaT", "ns")
    if is_instance(value, "pandas", "Period"):
        value = value.to_timestamp()
    if isinstance(value, str):
        value = datetime.datetime.fromisoformat(value.strip().removesuffix("Z"))
    if isinstance(value, datetime.datetime) and value.tzinfo is not None:
        value = value.astimezone(datetime.timezone.utc).replace(tzinfo=None)
    if isinstance(value, datetime.date):
        return np.datetime64(value, "ns")
    if isinstance(value, np.datetime64):
        return value
    raise TypeError(f"{type(value).__name__} is no date")
