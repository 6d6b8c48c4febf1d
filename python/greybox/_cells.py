"""Cells of columns: texts that are numbers, and values that are missing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


def is_missing(value: Any) -> bool:
    """Whether it is None, NaN, NaT or pandas' NA."""
    if value is None:
        return True
    try:
        return bool(value != value)
    except TypeError:  # NA is neither equal nor unequal
        return True


def numbers_of_texts(values: Array, missing_words: Sequence[str]) -> Array:
    """Texts that are all numbers, missing, or one of the words for it, as numbers; others as they are."""
    try:
        return np.array([_number(value, missing_words) for value in values.tolist()])
    except (TypeError, ValueError):
        return values


def _number(value: Any, missing_words: Sequence[str]) -> float:
    if isinstance(value, bytes):
        raise TypeError
    if is_missing(value) or (isinstance(value, str) and (not value.strip() or value.strip() in missing_words)):
        return float("nan")
    return float(value)


def without_words(values: Array, missing_words: Sequence[str]) -> Array:
    """Numbers, NaN where they are one of the words for a missing value, such as -9999."""
    numbers = []
    for word in missing_words:
        try:
            numbers.append(float(word))
        except ValueError:
            continue
    found = np.isin(values, numbers)
    return np.where(found, values.dtype.type(np.nan), values) if found.any() else values


def without_mask(values: np.ma.MaskedArray[Any, Any]) -> Array:
    """A masked array with its masked values missing."""
    kind = values.dtype.kind
    missing: Any = np.array("NaT", values.dtype) if kind in "mM" else np.nan if kind in "fiub" else None
    return np.where(np.ma.getmaskarray(values), missing, np.ma.getdata(values))


def first_text(values: Array) -> tuple[int, Any]:
    """The row of the first value that is no number, and the value."""
    for row, value in enumerate(values.tolist()):
        try:
            float("nan" if is_missing(value) else value)
        except (TypeError, ValueError):
            return row, value
    return 0, values[0]


def names_of_cells(values: Array) -> list[str | None]:
    """What series or variables are called; None where the name is missing."""
    if values.dtype.kind in "mM":
        texts = np.datetime_as_string(values, unit="auto") if values.dtype.kind == "M" else values.astype(str)
        values = np.where(np.isnat(values), None, texts.astype(object))
    return [None if is_missing(value) else _name(value) for value in values.tolist()]


def _name(value: Any) -> str:
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
