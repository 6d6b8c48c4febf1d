"""Predictions: what a trained model says about windows of data."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _core
from ._arguments import entry
from ._calendar import Calendar
from ._errors import warn_all
from ._html import escape, number, table, warnings
from ._optional import need
from ._result import Result
from .fit_judgement import errors_by_name
from .residuals import ResidualReport

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr
    from matplotlib.axes import Axes

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class PredictedWindow:
    """Where a window starts, and how many output times it has."""

    series: str
    start: Any
    n_steps: int


class Prediction(Result):
    """Predictions, the parts of theory and network, the data beside them, and the regularizers' values.

    `prediction["angle"]` is an observed variable, `prediction["state.angle"]` a state, measured or hidden,
    `prediction["theory.angle"]` and `prediction["network.angle"]` are its parts: windows × steps, of a field
    windows × steps × height × width, on a line windows × steps × width. NaN where a window has no such step, and
    after a state became non-finite.
    """

    _handle: _core.Prediction

    def __init__(self, core: _core.Prediction, calendar: Calendar | None = None) -> None:
        self._handle, self._calendar = core, calendar
        fields = core.fields()
        n_windows, n_steps = fields["n_windows"], fields["n_steps"]
        self.windows = [_window(one, calendar) for one in fields["windows"]]
        #: windows × steps: numbers, or dates where the data had dates.
        self.time: npt.NDArray[Any] = fields["time"].reshape(n_windows, n_steps)
        if calendar is not None:
            self.time = calendar.dates(self.time)
        #: By name: observed variables, and parts.
        self.variables = {one["name"]: _shaped(one, n_windows, n_steps) for one in fields["variables"]}
        #: Where the windows start, by state, measured or hidden: one value per window.
        self.initial: dict[str, Floats] = {one["name"]: _shaped(one, n_windows, 1)[:, 0] for one in fields["initial"]}
        #: Latents by name: one value per window, of a vector windows × components.
        self.latents: dict[str, Floats] = {one["name"]: _of_windows(one, n_windows) for one in fields["latents"]}
        #: The data at the output times: every column that the model reads.
        self.data = {one["name"]: _shaped(one, n_windows, n_steps) for one in fields["data"]}
        #: Of each window: windows × parameters.
        self.theta: Floats = fields["theta"].reshape(n_windows, -1)
        self.parameters: list[str] = fields["parameters"]
        #: Values of the regularizers over all windows.
        self.regularizers: dict[str, float] = dict(fields["regularizers"])
        #: Over all windows and outputs; `nrmse` is `rmse` over the range of the data.
        self.mse: float = fields["mse"]
        self.rmse: float = fields["rmse"]
        self.nrmse: float = fields["nrmse"]
        #: The same of each observed variable, by name.
        self.outputs = errors_by_name(fields["outputs"])
        #: Mean over everything that is compared; NaN without `[noise]`.
        self.negative_log_likelihood: float = fields["negative_log_likelihood"]
        #: What the residuals of each observed variable say, by name.
        self.residuals = {one["name"]: ResidualReport(**one) for one in fields["residuals"]}
        self.warnings = list(fields["warnings"])

    @classmethod
    def _made(cls, core: _core.Prediction, calendar: Calendar | None) -> Prediction:
        prediction = cls(core, calendar)
        prediction.warnings = warn_all(prediction.warnings)
        return prediction

    def __getitem__(self, name: str) -> Floats:
        return entry(self.variables, name, "variable")

    def __len__(self) -> int:
        return len(self.windows)

    @property
    def observed(self) -> list[str]:
        """Names of the observed variables."""
        return [name for name in self.variables if not name.startswith(("theory.", "network.", "state."))]

    def to_xarray(self) -> xr.Dataset:
        """All variables with the dimensions window and step; data as `data.…`, regularizers as attributes."""
        xarray = need("xarray", "Prediction.to_xarray()")
        measured = {f"data.{name}": values for name, values in self.data.items()}
        variables = {name: (_dims(values), values) for name, values in {**self.variables, **measured}.items()}
        coords = {
            "window": np.arange(len(self)),
            "series": ("window", [one.series for one in self.windows]),
            "start": ("window", np.array([one.start for one in self.windows])),
            "time": (("window", "step"), self.time),
            **{name: ("window", self.theta[:, place]) for place, name in enumerate(self._parameter_names())},
        }
        attrs = {"rmse": self.rmse, "nrmse": self.nrmse, **{f"R.{k}": v for k, v in self.regularizers.items()}}
        dataset: xr.Dataset = xarray.Dataset(variables, coords, attrs)
        return dataset

    def _parameter_names(self) -> list[str]:
        """Without those that are called like a variable."""
        return [name if name not in self.variables else f"theta.{name}" for name in self.parameters]

    def to_pandas(self) -> pd.DataFrame:
        """One row per window and step, without fields."""
        pandas = need("pandas", "Prediction.to_pandas()")
        window, step = np.nonzero(~np.isnat(self.time) if self._calendar else ~np.isnan(self.time))
        columns: dict[str, Any] = {
            "window": window,
            "series": np.array([one.series for one in self.windows], dtype=object)[window],
            "time": self.time[window, step],
        }
        measured = {f"data.{name}": values for name, values in self.data.items()}
        for name, values in {**self.variables, **measured}.items():
            if values.ndim == 2:
                columns[name] = values[window, step]
        frame: pd.DataFrame = pandas.DataFrame(columns)
        return frame

    def save(self, file: str | os.PathLike[str]) -> None:
        """Write .npz (one array per variable) or .csv (one row per window and time), as `greybox predict` does."""
        self._handle.write(os.fspath(file))

    def plot(
        self, variables: str | list[str] | None = None, *, window: int | list[int] | None = None, ax: Any = None
    ) -> list[Axes]:
        """Draw predictions over the data, and the parts of theory and network.

        Args:
            variables: which; None: all that are no fields.
            window: which windows; None: a few of them.
            ax: axes to draw on, one per variable; None: a new figure.
        """
        from ._plot_prediction import plot_prediction

        return plot_prediction(self, variables, window, ax)

    def plot_residuals(self, variables: str | list[str] | None = None, *, ax: Any = None) -> list[Axes]:
        """Draw what is measured less what is predicted: over the predictions, and how it is distributed.

        Args:
            variables: which observed variables; None: all that are no fields.
            ax: axes to draw on, two per variable; None: a new figure.
        """
        from ._plot_residuals import plot_residuals

        return plot_residuals(self, variables, ax)

    def __repr__(self) -> str:
        return f"<greybox.Prediction of {', '.join(self.observed)} for {len(self)} windows: RMSE {self.rmse:.4g}>"

    def _repr_html_(self) -> str:
        rows = [["RMSE", number(self.rmse)], ["NRMSE", number(self.nrmse)]]
        if not np.isnan(self.negative_log_likelihood):
            rows.append(["negative log-likelihood per datum", number(self.negative_log_likelihood)])
        rows += [[f"R {escape(name)}", number(value)] for name, value in self.regularizers.items()]
        what = f"<p>{escape(', '.join(self.variables))} for {len(self)} windows</p>"
        what += "".join(f"<p>{escape(text)}</p>" for one in self.residuals.values() for text in one.findings)
        return table(["", "over all windows"], rows) + what + warnings(self.warnings)

    def __reduce__(self) -> tuple[Any, ...]:
        return Prediction, (self._handle, self._calendar)


def _window(fields: dict[str, Any], calendar: Calendar | None) -> PredictedWindow:
    if calendar is not None:
        fields["start"] = calendar.dates(fields["start"])[()]
    return PredictedWindow(**fields)


def _of_windows(variable: dict[str, Any], n_windows: int) -> Floats:
    values: Floats = variable["values"].reshape(n_windows, variable["width"])
    return values[:, 0] if variable["width"] == 1 else values


def _shaped(fields: dict[str, Any], n_windows: int, n_steps: int) -> Floats:
    height, width = fields["height"], fields["width"]
    of_point = () if height * width == 1 else (width,) if height == 1 else (height, width)
    shape = (n_windows, n_steps, *of_point)
    values: Floats = fields["values"].reshape(shape)
    return values


def _dims(values: Floats) -> tuple[str, ...]:
    if values.ndim == 3:
        return ("window", "step", "x")
    return ("window", "step", "y", "x")[: values.ndim]
