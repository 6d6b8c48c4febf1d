"""Datasets: a table prepared for a model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import _core
from ._calendar import Calendar
from ._html import escape, number, table
from ._optional import need

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Window:
    """Consecutive snapshots of a series."""

    series: str
    #: The time of its first snapshot: a number, or a date where the data had dates.
    start: Any
    n_snapshots: int
    #: "train", "validation" or "test".
    split: str


class Dataset:
    """The windows of a table, their splits, and what was dropped."""

    def __init__(self, core: _core.Dataset, calendar: Calendar | None) -> None:
        self._handle, self.calendar = core, calendar

    @property
    def windows(self) -> list[Window]:
        """All windows, in the order of the data."""
        fields = self._handle.windows()
        if self.calendar is not None:
            for one in fields:
                one["start"] = self.calendar.dates(one["start"])[()]
        return [Window(**one) for one in fields]

    @property
    def n_dropped_rows(self) -> int:
        """Rows left out because a value was missing (`missing = "drop"`)."""
        return self._handle.n_dropped_rows()

    @property
    def n_dropped_windows(self) -> int:
        """Windows left out by `drop`."""
        return self._handle.n_dropped_windows()

    def __len__(self) -> int:
        return self._handle.n_windows()

    def to_pandas(self) -> pd.DataFrame:
        """One row per window."""
        pandas = need("pandas", "Dataset.to_pandas()")
        frame: pd.DataFrame = pandas.DataFrame([vars(window) for window in self.windows])
        frame.index.name = "window"
        return frame

    def __deepcopy__(self, memo: dict[int, Any]) -> Dataset:
        return self  # immutable

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError("a dataset does not pickle: send the model and the data, or a run, which has both")

    def _counts(self) -> dict[str, int]:
        splits = [window.split for window in self.windows]
        return {split: splits.count(split) for split in ("train", "validation", "test")}

    def __repr__(self) -> str:
        counts = ", ".join(f"{n} {split}" for split, n in self._counts().items())
        dropped = f"; {self.n_dropped_rows} rows dropped" if self.n_dropped_rows else ""
        return f"<greybox.Dataset: {len(self)} windows ({counts}){dropped}>"

    def _repr_html_(self) -> str:
        rows = [[escape(split), number(n)] for split, n in self._counts().items()]
        return table(["split", "windows"], rows)
