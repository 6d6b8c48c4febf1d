"""Estimates: the parameters at which a regularizer is lowest."""

from __future__ import annotations

import dataclasses
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import _core
from ._calendar import Calendar
from ._errors import warn_all
from ._html import escape, number, table, warnings
from ._optional import need
from ._result import Result
from .fit_judgement import errors_by_name
from .landscape import theta_text

if TYPE_CHECKING:
    import pandas as pd

    from .run import Run


@dataclass(frozen=True)
class Unconstrained:
    """Where R is lowest without regard to the fit: θ that fit the data worse were not taken as the estimate."""

    theta: dict[str, float]
    #: Of the predictions there.
    rmse: float


@dataclass(frozen=True)
class WindowEstimate:
    """The estimate of one window."""

    series: str
    #: The time of its first snapshot: a number, or a date where the data had dates.
    start: Any
    theta: dict[str, float]
    regularizer: float
    loss: float
    rmse: float
    nrmse: float
    n_evaluations: int
    #: Parameters that ended on a bound.
    at_bounds: list[str]
    #: Parameters that adam was still moving steadily when its steps were used up.
    unsettled: list[str] = dataclasses.field(default_factory=list)
    #: Where R is lowest without regard to the fit; None where that is the estimate itself.
    unconstrained: Unconstrained | None = None


class Estimate(Result):
    """The parameters at which a regularizer is lowest: one θ, or one per window."""

    _handle: _core.Estimate

    def __init__(self, core: _core.Estimate, calendar: Calendar | None = None, trained: Run | None = None) -> None:
        self._handle, self._calendar = core, calendar
        fields = core.fields()
        self.regularizer: str = fields["regularizer_name"]
        #: "grid", "adam", …, or "amortised".
        self.method: str = fields["method"]
        #: The windows: a split, or the data.
        self.on: str = fields["on"]
        self.n_windows: int = fields["n_windows"]
        #: One θ for all windows; of estimates per window, their mean.
        self.theta: dict[str, float] = dict(fields["theta"] or fields["theta_mean"])
        #: Standard deviation over the windows; empty where there is one θ for all.
        self.theta_sd: dict[str, float] = dict(fields["theta_sd"])
        #: R at θ.
        self.value: float = fields["regularizer"]
        self.loss: float = fields["loss"]
        self.rmse: float = fields["rmse"]
        self.nrmse: float = fields["nrmse"]
        self.n_evaluations: int = fields["n_evaluations"]
        #: Parameters that ended on a bound.
        self.at_bounds: list[str] = fields["at_bounds"]
        #: Parameters that adam was still moving steadily when its steps were used up.
        self.unsettled: list[str] = fields["unsettled"]
        #: Errors of each observed variable there, by name.
        self.outputs = errors_by_name(fields["outputs"])
        #: Where R is lowest without regard to the fit; None where that is the estimate itself.
        self.unconstrained = _unconstrained(fields)
        #: One per window; empty where there is one θ for all.
        self.windows = [_window(one, calendar) for one in fields["windows"]]
        #: Amortised: the run with the trained estimator.
        self.trained = trained
        self.note: str = fields["note"]
        self.warnings = list(fields["warnings"])

    @classmethod
    def _made(cls, core: _core.Estimate, calendar: Calendar | None, trained: Run | None) -> Estimate:
        estimate = cls(core, calendar, trained)
        estimate.warnings = warn_all(estimate.warnings)
        return estimate

    def to_pandas(self) -> pd.DataFrame:
        """One row per estimate."""
        pandas = need("pandas", "Estimate.to_pandas()")
        if self.windows:
            rows = [
                {"series": w.series, "start": w.start, **w.theta, "R": w.regularizer, "rmse": w.rmse}
                for w in self.windows
            ]
        else:
            rows = [{**self.theta, "R": self.value, "rmse": self.rmse}]
        frame: pd.DataFrame = pandas.DataFrame(rows)
        return frame

    def save(self, file: str | os.PathLike[str]) -> None:
        """Write a CSV file as `greybox estimate` does."""
        self._handle.write(os.fspath(file))

    def __repr__(self) -> str:
        return f"<greybox.Estimate under {self.regularizer}: {theta_text(self.theta)}>"

    def _repr_html_(self) -> str:
        rows = []
        for name, value in self.theta.items():
            spread = f" ± {number(self.theta_sd[name])} over windows" if name in self.theta_sd else ""
            bound = " (on a bound)" if name in self.at_bounds else ""
            rows.append([escape(name), number(value) + spread + bound])
        if not self.windows:
            rows += [["R", number(self.value)], ["RMSE", number(self.rmse)]]
        if self.unconstrained is not None:
            there = f"{escape(theta_text(self.unconstrained.theta))} (RMSE {number(self.unconstrained.rmse)})"
            rows.append(["R alone is lowest at", there])
        where = (
            f"<p>{escape(self.regularizer)} on {escape(self.on)} ({self.n_windows} windows), {escape(self.method)}</p>"
        )
        return table(["", "estimate"], rows) + where + warnings(self.warnings)

    def __reduce__(self) -> tuple[Any, ...]:
        return Estimate, (self._handle, self._calendar, self.trained)


def _window(fields: dict[str, Any], calendar: Calendar | None) -> WindowEstimate:
    names = [one.name for one in dataclasses.fields(WindowEstimate) if one.name != "unconstrained"]
    known = {name: fields[name] for name in names}
    if calendar is not None:
        known["start"] = calendar.dates(known["start"])[()]
    return WindowEstimate(**known, unconstrained=_unconstrained(fields))


def _unconstrained(fields: dict[str, Any]) -> Unconstrained | None:
    theta = dict(fields["unconstrained"])
    return Unconstrained(theta, fields["unconstrained_rmse"]) if theta else None
