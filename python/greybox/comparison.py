"""Comparisons: ways to learn, side by side."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _core
from ._control import Cancel, controlled
from ._errors import InputError, warn_all
from ._html import escape, number, table, warnings
from ._optional import need
from ._progress import ProgressArgument
from ._result import Result
from ._training import Mode, check_mode
from .model import Model
from .table import explained, table_for

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class Row:
    """One mode at one λ, on the test windows: means over trials and their standard errors."""

    mode: str
    #: None in mode aphynity.
    lambda_: float | None
    #: Finished, without those that diverged.
    trials: int
    loss: float
    loss_error: float
    regularizer: float
    regularizer_error: float


class Comparison(Result):
    """Loss and regularizer on test data for several ways to learn."""

    _handle: _core.Comparison

    def __init__(self, core: _core.Comparison) -> None:
        self._handle = core
        fields = core.fields()
        self.model: str = fields["model"]
        self.regularizer: str = fields["regularizer"]
        #: By mode, then λ.
        self.rows = [_row(one) for one in fields["rows"]]
        #: Trials that an earlier call had finished, and trials that are not finished.
        self.n_kept: int = fields["n_kept"]
        self.n_missing: int = fields["n_missing"]
        self.note: str = fields["note"]
        self.warnings = list(fields["warnings"])

    def to_pandas(self) -> pd.DataFrame:
        """One row per mode and λ."""
        pandas = need("pandas", "Comparison.to_pandas()")
        frame: pd.DataFrame = pandas.DataFrame(
            [{name.rstrip("_"): value for name, value in vars(row).items()} for row in self.rows]
        )
        return frame

    def save(self, folder: str | os.PathLike[str]) -> list[Path]:
        """Write CSV and pictures as `greybox compare` does; returns the files."""
        return [Path(file) for file in self._handle.write(os.fspath(folder))]

    def plot(self, *, ax: Any = None) -> list[Axes]:
        """Draw loss and regularizer against λ.

        Args:
            ax: two axes to draw on; None: a new figure.
        """
        from ._plot_comparison import plot_comparison

        return plot_comparison(self, ax)

    def __repr__(self) -> str:
        modes = ", ".join(dict.fromkeys(row.mode for row in self.rows))
        return f"<greybox.Comparison of {modes} under {self.regularizer}>"

    def _repr_html_(self) -> str:
        rows = [
            [
                escape(row.mode),
                "–" if row.lambda_ is None else number(row.lambda_),
                str(row.trials),
                f"{number(row.loss)} ± {number(row.loss_error)}",
                f"{number(row.regularizer)} ± {number(row.regularizer_error)}",
            ]
            for row in self.rows
        ]
        return table(["mode", "λ", "trials", "L", f"R {self.regularizer}"], rows) + warnings(self.warnings)

    def __reduce__(self) -> tuple[Any, ...]:
        return Comparison, (self._handle,)


def _row(fields: dict[str, Any]) -> Row:
    loss, regularizer = fields["loss"], fields["regularizer"]
    errors = (loss["mean"], loss["standard_error"], regularizer["mean"], regularizer["standard_error"])
    return Row(fields["mode"], fields["lambda"], fields["trials"], *errors)


def compare(
    model: Model,
    data: Any = None,
    *,
    modes: Sequence[Mode] = ("adaptive", "inductive", "transductive"),
    lambdas: Sequence[float] = (1e-3, 1e-2, 1e-1),
    trials: int = 20,
    regularizer: str | None = None,
    epochs: int | None = None,
    estimate_steps: int = 2000,
    seed: int = 0,
    folder: str | os.PathLike[str] | None = None,
    time_unit: str | None = None,
    threads: int = 0,
    progress: ProgressArgument = True,
    cancel: Cancel | None = None,
) -> Comparison:
    """Train in several modes at several λ, over trials that differ at random.

    Args:
        model: what to train.
        data: as for `Model.fit`; None: the model's own file.
        modes: ways to learn.
        lambdas: factors of the regularizer.
        trials: trial k splits, initialises, shuffles and draws with seed + k.
        regularizer: a name or an expression; None: the model file's.
        epochs: of each training; None: the model file's.
        estimate_steps: steps of the estimation of θ with an adaptive network.
        seed: of the first trial.
        folder: where trials are kept, and an earlier comparison is continued; None: in memory.
        time_unit: as for `Model.fit`.
        threads: trials at once; 0 for one per core.
        progress: as for `Model.fit`.
        cancel: once set, trials under way are given up and those finished kept.
    """
    for mode in modes:
        check_mode(mode)
    options = {
        "modes": list(modes),
        "lambdas": [float(value) for value in lambdas],
        "trials": trials,
        "regularizer": regularizer,
        "epochs": epochs,
        "estimate": {"steps": estimate_steps},
        "seed": seed,
        "folder": None if folder is None else os.fspath(folder),
    }
    if data is None:
        table_, left_out = model._handle.read_table(), dict[str, str]()
    else:
        table_, _, left_out = table_for(model, data, time_unit=time_unit)
    try:
        with controlled(threads, progress, cancel) as control:
            comparison = Comparison(_core.compare(model._handle, table_, options, control))
    except InputError as error:
        raise explained(error, left_out) from None
    comparison.warnings = warn_all(comparison.warnings)
    return comparison
