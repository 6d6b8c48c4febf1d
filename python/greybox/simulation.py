"""Simulations: a trained model forward in time, from any start and over any length."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
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

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd
    import xarray as xr
    from matplotlib.axes import Axes

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class BandCheck:
    """How the bands of one observed variable did on windows that they were not made from."""

    #: Standard deviation of what is measured around what is predicted.
    noise: float
    #: Factor of the bands' widths that conformal prediction asked for; 1 without it.
    factor: float
    #: Share of the values within the bands, and how many there were; NaN without any.
    coverage: float
    n_values: int
    mean_width: float


class Simulation(Result):
    """Trajectories of states, observed variables, and the parts of theory and network, with bands.

    `simulation["angle"]` is an observed variable, `simulation["state.angle"]` a state, `simulation["theory.angle"]`
    and `simulation["network.angle"]` are its parts, `simulation["input.torque"]` is an input; `low` and `high` hold
    the ends of their bands.
    """

    _handle: _core.Simulation

    def __init__(self, core: _core.Simulation, calendar: Calendar | None = None) -> None:
        self._handle, self._calendar = core, calendar
        fields = core.fields()
        self.model: str = fields["model"]
        #: Numbers, or dates where the data had dates; the first is the start.
        self.time = self._times(fields["time"])
        #: Of a picture's axis.
        self.time_label: str = _time_label(fields["time_name"], "" if calendar else fields["time_unit"])
        variables = fields["variables"]
        self.variables: dict[str, Floats] = {one["name"]: _shaped(one, "values") for one in variables}
        #: Ends of the bands, of the variables that have one.
        self.low: dict[str, Floats] = {one["name"]: _shaped(one, "low") for one in variables if one["low"].size}
        self.high: dict[str, Floats] = {one["name"]: _shaped(one, "high") for one in variables if one["high"].size}
        #: What is measured of observed variables, where the simulation starts in data: times and values.
        self.measured = {one["name"]: (self._times(one["time"]), one["values"]) for one in fields["measured"]}
        self.theta: dict[str, float] = fields["theta"]
        self.n_networks: int = fields["n_networks"]
        self.n_draws: int = fields["n_draws"]
        #: Share of values that the bands are meant to hold; NaN without bands.
        self.level: float = fields["level"]
        #: By observed variable.
        self.checks = {
            one["name"]: BandCheck(*(one[key] for key in ("noise", "factor", "coverage", "n_values", "mean_width")))
            for one in fields["checks"]
        }
        #: The windows behind noise and coverage.
        self.noise_on: str = fields["noise_on"]
        self.checked_on: str = fields["checked_on"]
        self.n_checked_windows: int = fields["n_checked_windows"]
        self.warnings = list(fields["warnings"])

    @classmethod
    def _made(cls, core: _core.Simulation, calendar: Calendar | None) -> Simulation:
        simulation = cls(core, calendar)
        simulation.warnings = warn_all(simulation.warnings)
        return simulation

    def _times(self, numbers: Floats) -> npt.NDArray[Any]:
        return numbers if self._calendar is None else self._calendar.dates(numbers)

    def __getitem__(self, name: str) -> Floats:
        return entry(self.variables, name, "variable")

    def __len__(self) -> int:
        return len(self.time)

    def to_xarray(self) -> xr.Dataset:
        """All variables over time; bands as `….low` and `….high`, parameters as attributes."""
        xarray = need("xarray", "Simulation.to_xarray()")
        ends = {f"{name}.low": values for name, values in self.low.items()}
        ends |= {f"{name}.high": values for name, values in self.high.items()}
        dims = ("time", "y", "x")
        variables = {name: (dims[: values.ndim], values) for name, values in {**self.variables, **ends}.items()}
        dataset: xr.Dataset = xarray.Dataset(
            variables, {"time": self.time}, {"model": self.model, "level": self.level, **self.theta}
        )
        return dataset

    def to_pandas(self) -> pd.DataFrame:
        """One row per time, without fields; bands as `….low` and `….high`."""
        pandas = need("pandas", "Simulation.to_pandas()")
        columns: dict[str, Any] = {"time": self.time}
        for name, values in self.variables.items():
            if values.ndim > 1:
                continue
            columns[name] = values
            if name in self.low:
                columns[f"{name}.low"], columns[f"{name}.high"] = self.low[name], self.high[name]
        frame: pd.DataFrame = pandas.DataFrame(columns)
        return frame

    def save(self, folder: str | os.PathLike[str]) -> list[Path]:
        """Write CSV, npz and pictures as `greybox simulate` does; returns the files."""
        return [Path(file) for file in self._handle.write(os.fspath(folder))]

    def plot(self, variables: str | Sequence[str] | None = None, *, ax: Any = None) -> list[Axes]:
        """Draw trajectories with their bands and what was measured, and the parts of theory and network.

        Args:
            variables: which, such as `"angle"`, `"state.angle"` or `"network.angle"`; None: all that are no fields.
            ax: axes to draw on, one per panel; None: a new figure.
        """
        from ._plot_simulation import plot_simulation

        return plot_simulation(self, variables, ax)

    def __repr__(self) -> str:
        return f"<greybox.Simulation of {len(self)} times, {len(self.variables)} variables>"

    def _repr_html_(self) -> str:
        rows = [
            [escape(name), number(check.noise), number(check.mean_width), f"{100 * check.coverage:.1f} %"]
            for name, check in self.checks.items()
        ]
        checks = table(["", "noise", "width", f"coverage on {self.checked_on}"], rows) if rows else ""
        names = escape(", ".join(self.variables))
        return f"<p>{names} at {len(self)} times</p>" + checks + warnings(self.warnings)

    def __reduce__(self) -> tuple[Any, ...]:
        return Simulation, (self._handle, self._calendar)


def _time_label(name: str, unit: str) -> str:
    return (name or "time") + (f" ({unit})" if unit else "")


def _shaped(variable: dict[str, Any], key: str) -> Floats:
    values: Floats = variable[key]
    if variable["height"] * variable["width"] == 1:
        return values
    if variable["height"] == 1:
        return values.reshape(-1, variable["width"])
    return values.reshape(-1, variable["height"], variable["width"])
