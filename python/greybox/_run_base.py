"""What a run is made of."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Union

import numpy as np
import numpy.typing as npt

from . import _core
from ._arguments import texts
from ._calendar import Calendar
from ._errors import InputError
from ._selection import On, selection
from .curves import Curves
from .dataset import Dataset
from .fit_judgement import FitJudgement, fit_judgement_of
from .model import Model
from .table import explained, table_for

if TYPE_CHECKING:
    from typing_extensions import Self

Outcome = Literal["running", "finished", "stopped_early", "interrupted", "diverged"]
Theta = Mapping[str, float]
PathLike = Union[str, "os.PathLike[str]"]


class RunBase:
    """Model, weights, record and data."""

    _handle: _core.Run

    @classmethod
    def _of(cls, core: _core.Run, source: str, calendar: Calendar | None) -> Self:
        run = cls.__new__(cls)
        run._handle, run._source, run.calendar = core, source, calendar
        run._keep_calendar()
        return run

    #: How dates of the data became times; None when the times were numbers.
    calendar: Calendar | None
    _source: str

    def _keep_calendar(self) -> None:
        if self.calendar is not None and self.folder is not None:
            self.calendar.save(self.folder)

    @property
    def model(self) -> Model:
        """What was trained."""
        return Model._of(self._handle.model(), self._source)

    @property
    def dataset(self) -> Dataset:
        """What the run learned from: windows and splits."""
        return Dataset(self._handle.dataset(), self.calendar)

    @property
    def record(self) -> dict[str, Any] | None:
        """How the run was trained, how that ended, and which data were used for what (`ledger`); run.json.

        None for a folder with weights that were made elsewhere.
        """
        text = self._handle.record()
        return None if text is None else json.loads(text)

    @property
    def folder(self) -> Path | None:
        """None: the run lives in memory alone."""
        path = os.fspath(self._handle.folder())
        return Path(path) if path not in ("", ".") else None

    @property
    def outcome(self) -> Outcome:
        """How the training ended."""
        return self._handle.outcome()  # type: ignore[return-value]

    @property
    def message(self) -> str:
        """A sentence about how the training ended, unless it simply finished."""
        return self._handle.message()

    @property
    def warnings(self) -> list[str]:
        """Of the training."""
        return self._handle.warnings()

    @property
    def fit_judgement(self) -> FitJudgement | None:
        """Whether the run fits its data: a word, a sentence, and the errors of every output.

        None before the training has ended, and for runs of versions that did not judge.
        """
        return fit_judgement_of(self.record)

    @property
    def theta(self) -> dict[str, float]:
        """The parameters that were learned or fixed with the weights; empty in mode adaptive."""
        record = self.record
        return {} if record is None else dict(record.get("theta") or {})

    @property
    def noise(self) -> dict[str, float]:
        """The parameter of each variable's noise that was estimated, as `[noise]` of the model file asks."""
        record = self.record
        return {} if record is None else dict((record.get("scales") or {}).get("noise") or {})

    @property
    def weights(self) -> dict[str, npt.NDArray[np.float64]]:
        """The networks' weights by name, in PyTorch's layout."""
        flat, weights, place = self._handle.weights(), {}, 0
        if flat.size == 0:
            return {}
        for name, shape in self._handle.model().weights():
            size = int(np.prod(shape))
            weights[name] = flat[place : place + size].reshape(shape)
            place += size
        return weights

    @property
    def curves(self) -> Curves:
        """Loss, regularizer and rate of every epoch."""
        return Curves(self._handle.curves())

    def _wrap(self, core: _core.Run) -> Self:
        return type(self)._of(core, self._source, self.calendar)

    def _table(self, data: Any) -> _core.Table | None:
        return None if data is None else table_for(self.model, data, calendar=self.calendar)[0]

    def _common(self, on: On, n_windows: int, data: Any, extra: Sequence[str]) -> dict[str, Any]:
        return {
            "regularizers": texts(extra, "extra"),
            "on": selection(on, self.calendar),
            "n_windows": n_windows,
            "data": self._table(data),
        }

    def _asked(self, data: Any, extra: Sequence[str] = ()) -> Explained:
        return Explained(self, data, bool(extra))


class Explained:
    """Errors about other data than the run's own say what is known of columns without numbers.

    Expressions that the library calls a regularizer are those of `extra`, where there are any.
    """

    def __init__(self, run: RunBase, data: Any, has_extra: bool = False) -> None:
        self._run, self._data, self._has_extra = run, data, has_extra

    def __enter__(self) -> None: ...

    def __exit__(self, kind: Any, error: Any, _: Any) -> None:
        if isinstance(error, InputError) and self._data is not None:
            left_out = table_for(self._run.model, self._data, calendar=self._run.calendar)[2]
            better = explained(error, left_out)
            if better is not error:
                raise better from None
        if isinstance(error, InputError) and self._has_extra and "argument `regularizer`" in str(error):
            raise error._renamed("regularizer", "extra") from None
