"""Comparisons: ways to learn, side by side."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from . import _core
from ._arguments import numbers, path_or_none, texts
from ._control import Cancel, controlled
from ._errors import InputError, refuse, warn_all
from ._html import escape, number, table, warnings
from ._mpi import Communicator
from ._optional import need
from ._progress import ProgressArgument
from ._result import Result
from ._training import Mode, check_mode
from .fit_judgement import OutputError, errors_by_name
from .model import Model
from .table import explained, table_for

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class ComparisonRow:
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
    #: Of folds: mean log-likelihood of a measured value of what each was tested on, else NaN.
    log_likelihood: float
    log_likelihood_error: float


@dataclass(frozen=True)
class Fold:
    """One trial of a comparison over folds, on what it did not learn from."""

    mode: str
    lambda_: float | None
    #: From 0.
    fold: int
    #: Names of series, or the times of a part.
    tested_on: str
    loss: float
    regularizer: float
    log_likelihood: float
    outputs: dict[str, OutputError]


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
        #: By mode, then λ, then fold; empty without folds.
        self.folds = [_fold(one) for one in fields["folds"]]
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


def _row(fields: dict[str, Any]) -> ComparisonRow:
    loss, regularizer = fields["loss"], fields["regularizer"]
    likelihood = fields["log_likelihood"]
    errors = [one[key] for one in (loss, regularizer, likelihood) for key in ("mean", "standard_error")]
    return ComparisonRow(fields["mode"], fields["lambda"], fields["trials"], *errors)


def _fold(fields: dict[str, Any]) -> Fold:
    values = (fields["loss"], fields["regularizer"], fields["log_likelihood"])
    where = (fields["mode"], fields["lambda"], fields["fold"], fields["tested_on"])
    return Fold(*where, *values, errors_by_name(fields["outputs"]))


def compare(
    model: Model,
    data: Any = None,
    *,
    modes: Mode | Sequence[Mode] | None = None,
    lambdas: float | Sequence[float] | None = None,
    trials: int | None = None,
    folds: Literal["series", "time"] | None = None,
    regularizer: str | None = None,
    epochs: int | None = None,
    estimate_steps: int = 2000,
    seed: int = 0,
    folder: str | os.PathLike[str] | None = None,
    time_unit: str | None = None,
    threads: int = 0,
    progress: ProgressArgument = True,
    cancel: Cancel | None = None,
    comm: Communicator | None = None,
) -> Comparison:
    """Train in several modes at several λ, over trials that differ at random or in what they hold out.

    Args:
        model: what to train.
        data: as for `Model.fit`; None: the model's own file.
        modes: ways to learn; None: adaptive, inductive and transductive, with folds adaptive alone.
        lambdas: factors of the regularizer; None: 1e-3, 1e-2 and 1e-1, with folds that of the model file.
        trials: trial k splits, initialises, shuffles and draws with seed + k; None: 20, with folds in time 5.
        folds: what trials hold out: "series" leaves each series out once (in groups, where there are more than
            `trials`), "time" learns from the parts of each series up to an origin that rolls on, and is tested on
            the next part; None: as the model file splits.
        regularizer: a name or an expression; None: the model file's.
        epochs: of each training; None: the model file's.
        estimate_steps: steps of the estimation of θ with an adaptive network.
        seed: of the first trial.
        folder: where trials are kept, and an earlier comparison is continued; None: in memory.
        time_unit: as for `Model.fit`.
        threads: trials at once; 0 for one per core.
        progress: as for `Model.fit`.
        cancel: once set, trials under way are given up and those finished kept.
        comm: processes that share the trials, as for `Model.fit`; the result is of use in the first.
    """
    if not isinstance(model, Model):
        refuse(f"{type(model).__name__} is no model", "give greybox.Model(…)", argument="model")
    if folds not in (None, "series", "time"):
        refuse(f"there are no folds by {folds!r}", 'give "series" or "time"', argument="folds")
    if modes is None:
        modes = ("adaptive", "inductive", "transductive") if folds is None else ()
    if lambdas is None:
        lambdas = (1e-3, 1e-2, 1e-1) if folds is None else ()
    modes_ = texts(modes, "modes")
    for mode in modes_:
        check_mode(mode, "modes")
    options = {
        "modes": modes_,
        "lambdas": numbers(lambdas, "lambdas"),
        "trials": trials if trials is not None else 5 if folds == "time" else 20,
        "folds": folds or "",
        "regularizer": regularizer,
        "epochs": epochs,
        "estimate": {"steps": estimate_steps},
        "seed": seed,
        "folder": path_or_none(folder, "folder"),
    }
    if data is None:
        model._need_file()
        table_, left_out = model._handle.read_table(), dict[str, str]()
    else:
        table_, _, left_out = table_for(model, data, time_unit=time_unit)
    try:
        with controlled(threads, progress, cancel, comm=comm) as control:
            comparison = Comparison(_core.compare(model._handle, table_, options, control))
    except InputError as error:
        raise explained(error, left_out) from None
    comparison.warnings = warn_all(comparison.warnings)
    return comparison
