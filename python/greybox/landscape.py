"""Landscapes: regularizers and errors over the parameters."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _core
from ._errors import warn_all
from ._html import escape, number, section, table, warnings
from ._result import Result
from .grid import Axis, Grid, Map, grid_of

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr
    from matplotlib.axes import Axes


class Landscape(Result):
    """Regularizers and errors of a trained model over its parameters.

    `landscape["normD"]` is the map of a regularizer on the first grid; over more than two parameters there is a grid
    for every pair of them, in `grids`.
    """

    _handle: _core.Landscape

    def __init__(self, core: _core.Landscape) -> None:
        self._handle = core
        fields = core.fields()
        #: One; over more than two parameters, one for every pair.
        self.grids: list[Grid] = [grid_of(one) for one in fields["grids"]]
        #: With `retrain`: what a network trained at each θ says, and a summary per regularizer.
        self.retrained: list[dict[str, Any]] = fields["retrained"]
        self.retrained_summary: list[dict[str, Any]] = fields["retrained_summary"]
        self.warnings = list(fields["warnings"])

    @classmethod
    def _made(cls, core: _core.Landscape) -> Landscape:
        landscape = cls(core)
        landscape.warnings = warn_all(landscape.warnings)
        return landscape

    @property
    def axes(self) -> list[Axis]:
        """Of the first grid."""
        return self.grids[0].axes

    @property
    def regularizers(self) -> list[str]:
        """Names of the maps."""
        return list(self.grids[0])

    @property
    def rmse(self) -> Map:
        """Root mean squared error of the predictions, on the first grid."""
        return self.grids[0].rmse

    def __getitem__(self, name: str) -> Map:
        return self.grids[0][name]

    def to_xarray(self) -> xr.Dataset:
        """The first grid as a Dataset; `landscape.grids[k].to_xarray()` for others."""
        return self.grids[0].to_xarray()

    def to_pandas(self) -> pd.DataFrame:
        """The first grid, one row per point; `landscape.grids[k].to_pandas()` for others."""
        return self.grids[0].to_pandas()

    def save(self, folder: str | os.PathLike[str]) -> list[Path]:
        """Write npz, CSV, JSON and pictures as `greybox landscape` does; returns the files."""
        return [Path(file) for file in self._handle.write(os.fspath(folder))]

    def plot(
        self, regularizers: str | list[str] | None = None, *, ax: Any = None, grid: int = 0, error: bool = True
    ) -> list[Axes]:
        """Draw maps or lines as the tool does: bands over networks, hatching where the network did not adapt.

        Args:
            regularizers: which; None: all.
            ax: axes to draw on, one per panel; None: a new figure.
            grid: which grid.
            error: also the error of the predictions.
        """
        from ._plot_landscape import plot_grid

        return plot_grid(self.grids[grid], regularizers, ax, error)

    def __repr__(self) -> str:
        over = " × ".join(axis.name for axis in self.axes)
        more = f" and {len(self.grids) - 1} more grids" if len(self.grids) > 1 else ""
        return f"<greybox.Landscape over {over}{more}: {', '.join(self.regularizers)}>"

    def _repr_html_(self) -> str:
        parts = []
        for grid in self.grids:
            rows = [[escape(one.name), _lowest(one), _elsewhere(one)] for one in grid.values()]
            networks = f", mean of {len(grid.seeds)} networks" if len(grid.seeds) > 1 else ""
            title = f"Landscape over {' × '.join(axis.name for axis in grid.axes)}"
            where = f"<p>{escape(grid.split)} ({grid.n_windows} windows){networks}; {escape(grid.adaptivity)}</p>"
            parts.append(section(title, table(["regularizer", "lowest", "further minima"], rows) + where))
        return "".join(parts) + warnings(self.warnings)

    def __reduce__(self) -> tuple[Any, ...]:
        return Landscape, (self._handle,)


def theta_text(theta: Mapping[str, float]) -> str:
    """`a = 1.4, c = 0.817`."""
    return ", ".join(f"{name} = {value:.3g}" for name, value in theta.items())


def _lowest(one: Map) -> str:
    if not one.minima:
        return "no finite value"
    spread = f" ± {one.minima[0].spread:.2g}" if one.minima[0].spread > 0 else ""
    text = f"{number(one.minima[0].value)}{spread} at {escape(theta_text(one.minima[0].theta))}"
    if one.minima[0].is_cut_off:
        text += ", cut off by θ that do not fit"
    if one.unconstrained is not None:
        text += f" (without regard to the fit: {number(one.unconstrained.value)}"
        text += f" at {escape(theta_text(one.unconstrained.theta))})"
    return text


def _elsewhere(one: Map) -> str:
    return "; ".join(f"{number(m.value)} at {escape(theta_text(m.theta))}" for m in one.minima[1:])
