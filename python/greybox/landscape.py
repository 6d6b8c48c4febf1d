"""Landscapes: regularizers and errors over the parameters."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _core
from ._errors import warn_all
from ._html import escape, number, section, table, warnings
from ._optional import need
from ._result import Result

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr
    from matplotlib.axes import Axes

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Axis:
    """A parameter and its values along one axis of a grid."""

    name: str
    unit: str
    about: str
    values: Floats = field(repr=False)

    @property
    def label(self) -> str:
        """For a picture: `g (gravity)  [m/s^2]`."""
        about = f" ({self.about})" if self.about else ""
        return self.name + about + (f"  [{self.unit}]" if self.unit else "")


@dataclass(frozen=True)
class Minimum:
    """A local minimum: the parameters there, the value, and its standard deviation over networks."""

    theta: dict[str, float]
    value: float
    spread: float


@dataclass(frozen=True)
class Map:
    """One regularizer (or error) over a grid; of several networks, their mean."""

    name: str
    expression: str
    #: One axis per axis of the grid; NaN where a trajectory became non-finite.
    values: Floats = field(repr=False)
    #: Lowest first.
    minima: list[Minimum]
    #: Standard deviation over networks, and each network's values; None for one network.
    spread: Floats | None = field(repr=False)
    networks: Floats | None = field(repr=False)
    #: Points that might be the lowest for another network; None for one network.
    may_be_lowest: Flags | None = field(repr=False)
    #: The lowest point of each network.
    network_minima: list[list[Minimum]] = field(repr=False, default_factory=list)
    #: R of the correction that the data ask for at each θ, what a network that fitted them perfectly would give; None
    #: where the states are not measured.
    matched: Floats | None = field(repr=False, default=None)
    #: Median distance of `values` from `matched`, without what is common to all points, as a part of their rise.
    matched_difference: float | None = None


@dataclass(frozen=True)
class Grid(Mapping[str, Map]):
    """One grid over one or two parameters (or a plane): a mapping from regularizers to their maps."""

    model: str
    #: The windows it was computed on.
    split: str
    n_windows: int
    axes: list[Axis]
    #: Parameters that are not varied.
    held: dict[str, float]
    maps: dict[str, Map] = field(repr=False)
    rmse: Map = field(repr=False)
    nrmse: Map = field(repr=False)
    #: Where the network did not adapt.
    is_poor: Flags = field(repr=False)
    adaptivity: str
    #: Of the networks.
    seeds: list[int]
    #: Of a plane: its kind, parameters, origin and directions.
    view: dict[str, Any] = field(repr=False)

    def __getitem__(self, name: str) -> Map:
        return self.maps[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.maps)

    def __len__(self) -> int:
        return len(self.maps)

    def to_xarray(self) -> xr.Dataset:
        """Regularizers and errors with the parameters as coordinates.

        `…_spread` has the spread over networks where there are several, `…_matched` R of the correction that the data
        ask for.
        """
        xarray = need("xarray", "Landscape.to_xarray()")
        dims = [axis.name for axis in self.axes]
        variables: dict[str, Any] = {}
        for one in (*self.maps.values(), self.rmse, self.nrmse):
            variables[one.name] = (dims, one.values, {"expression": one.expression})
            if one.spread is not None:
                variables[f"{one.name}_spread"] = (dims, one.spread)
            if one.matched is not None:
                variables[f"{one.name}_matched"] = (dims, one.matched)
        variables["is_poor"] = (dims, self.is_poor)
        coords = {
            axis.name: (axis.name, axis.values, {"units": axis.unit, "long_name": axis.about}) for axis in self.axes
        }
        attrs = {"model": self.model, "split": self.split, "n_windows": self.n_windows, "adaptivity": self.adaptivity}
        dataset: xr.Dataset = xarray.Dataset(variables, coords, {**attrs, **self.held})
        return dataset

    def to_pandas(self) -> pd.DataFrame:
        """One row per point of the grid."""
        pandas = need("pandas", "Landscape.to_pandas()")
        mesh = np.meshgrid(*[axis.values for axis in self.axes], indexing="ij")
        columns: dict[str, Any] = {axis.name: part.ravel() for axis, part in zip(self.axes, mesh, strict=True)}
        for one in (*self.maps.values(), self.rmse, self.nrmse):
            columns[one.name] = one.values.ravel()
            if one.spread is not None:
                columns[f"{one.name}_spread"] = one.spread.ravel()
            if one.matched is not None:
                columns[f"{one.name}_matched"] = one.matched.ravel()
        columns["is_poor"] = self.is_poor.ravel()
        frame: pd.DataFrame = pandas.DataFrame(columns)
        return frame


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
        self.grids: list[Grid] = [_grid(one) for one in fields["grids"]]
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
    return f"{number(one.minima[0].value)}{spread} at {escape(theta_text(one.minima[0].theta))}"


def _elsewhere(one: Map) -> str:
    return "; ".join(f"{number(m.value)} at {escape(theta_text(m.theta))}" for m in one.minima[1:])


def _minimum(fields: dict[str, Any]) -> Minimum:
    return Minimum(dict(fields["parameters"]), fields["value"], fields["spread"])


def _map(fields: dict[str, Any], shape: tuple[int, ...]) -> Map:
    band, lowest, matched = fields["band"], fields["may_be_lowest"], fields["matched"]
    has_band = band["spread"].size > 0
    return Map(
        name=fields["name"],
        expression=fields["expression"],
        values=fields["values"].reshape(shape),
        minima=[_minimum(one) for one in fields["minima"]],
        spread=band["spread"].reshape(shape) if has_band else None,
        networks=np.stack([one.reshape(shape) for one in band["networks"]]) if has_band else None,
        may_be_lowest=lowest.reshape(shape) if lowest.size else None,
        network_minima=[[_minimum(one) for one in network] for network in fields["network_minima"]],
        matched=matched.reshape(shape) if matched.size else None,
        matched_difference=fields["matched_difference"] if matched.size else None,
    )


def _error(name: str, about: str, fields: dict[str, Any], shape: tuple[int, ...]) -> Map:
    none = np.empty(0)
    empty = {"minima": [], "network_minima": [], "may_be_lowest": none, "matched": none}
    return _map(
        {"name": name, "expression": about, "values": fields[name], "band": fields[f"{name}_band"], **empty}, shape
    )


def _grid(fields: dict[str, Any]) -> Grid:
    axes = [Axis(**one) for one in fields["axes"]]
    shape = tuple(len(axis.values) for axis in axes)
    return Grid(
        model=fields["model"],
        split=fields["split"],
        n_windows=fields["n_windows"],
        axes=axes,
        held=dict(fields["held"]),
        maps={one["name"]: _map(one, shape) for one in fields["maps"]},
        rmse=_error("rmse", "error of the predictions", fields, shape),
        nrmse=_error("nrmse", "error of the predictions, as a part of the range of the data", fields, shape),
        is_poor=fields["is_poor"].reshape(shape),
        adaptivity=fields["adaptivity"],
        seeds=[int(seed) for seed in fields["seeds"]],
        view=fields["view"],
    )
