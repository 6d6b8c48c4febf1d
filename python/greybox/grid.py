"""Grids: regularizers and errors over one or two parameters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ._arguments import entry
from ._labelled import Labelled
from ._optional import need
from .fit_judgement import OutputError, errors_by_name

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Axis(Labelled):
    """A parameter and its values along one axis of a grid."""

    values: Floats = field(repr=False)
    #: Evenly spaced logarithms instead of evenly spaced values.
    is_log: bool = False


@dataclass(frozen=True)
class Minimum:
    """A local minimum: the parameters there, the value, and its standard deviation over networks."""

    theta: dict[str, float]
    value: float
    spread: float
    #: It lies beside θ that do not fit, where R is lower still: R may have no minimum here.
    is_cut_off: bool = False


@dataclass(frozen=True)
class RefittedPoint:
    """What a network that learns a little longer for this θ alone makes of the error."""

    theta: dict[str, float]
    rmse: float
    refitted_rmse: float
    #: Now it does: the network had not adapted to this θ. Else the data exclude it, or the network is too small.
    fits: bool


@dataclass(frozen=True)
class Map:
    """One regularizer (or error) over a grid; of several networks, their mean."""

    name: str
    expression: str
    #: One axis per axis of the grid; NaN where a trajectory became non-finite.
    values: Floats = field(repr=False)
    #: Among θ that fit, lowest first.
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
    #: 95 % band of the R of the true correction; None where `matched` is.
    low: Floats | None = field(repr=False, default=None)
    high: Floats | None = field(repr=False, default=None)
    #: The lowest point of all, where that does not fit the data; None where it does.
    unconstrained: Minimum | None = None
    #: Errors of each observed variable where the values are lowest, by name.
    outputs: dict[str, OutputError] = field(repr=False, default_factory=dict)


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
    #: θ that do not fit the data.
    is_poor: Flags = field(repr=False)
    #: Of these, θ that the data exclude whatever the network; None where that is not known.
    is_excluded: Flags | None = field(repr=False)
    #: Where it is not known: networks that learned a little longer for one such θ alone.
    refits: list[RefittedPoint] = field(repr=False)
    #: A sentence about θ that do not fit, and why.
    adaptivity: str
    #: Of the networks.
    seeds: list[int]
    #: Of a plane: its kind, parameters, origin and directions.
    view: dict[str, Any] = field(repr=False)
    #: θ at which networks were evaluated; the values at others are interpolated.
    n_computed: int = 0
    #: Largest error of an interpolated R that was found, as a part of its range.
    interpolation_error: float = 0.0

    def __getitem__(self, name: str) -> Map:
        return entry(self.maps, name, "regularizer")

    def __iter__(self) -> Iterator[str]:
        return iter(self.maps)

    def __len__(self) -> int:
        return len(self.maps)

    def to_xarray(self) -> xr.Dataset:
        """Regularizers and errors with the parameters as coordinates.

        `…_spread` has the spread over networks where there are several, `…_matched` R of the correction that the data
        ask for, `…_low` and `…_high` the 95 % band of the true one.
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
                variables[f"{one.name}_low"], variables[f"{one.name}_high"] = (dims, one.low), (dims, one.high)
        variables["is_poor"] = (dims, self.is_poor)
        if self.is_excluded is not None:
            variables["is_excluded"] = (dims, self.is_excluded)
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
            if one.low is not None and one.high is not None:
                columns[f"{one.name}_low"], columns[f"{one.name}_high"] = one.low.ravel(), one.high.ravel()
        columns["is_poor"] = self.is_poor.ravel()
        if self.is_excluded is not None:
            columns["is_excluded"] = self.is_excluded.ravel()
        frame: pd.DataFrame = pandas.DataFrame(columns)
        return frame


def _minimum(fields: dict[str, Any]) -> Minimum:
    return Minimum(dict(fields["parameters"]), fields["value"], fields["spread"], fields["is_cut_off"])


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
        low=fields["low"].reshape(shape) if fields["low"].size else None,
        high=fields["high"].reshape(shape) if fields["high"].size else None,
        unconstrained=None if fields["unconstrained"] is None else _minimum(fields["unconstrained"]),
        outputs=errors_by_name(fields["outputs"]),
    )


def _refit(fields: dict[str, Any]) -> RefittedPoint:
    return RefittedPoint(dict(fields["theta"]), fields["rmse"], fields["refitted_rmse"], fields["fits"])


def _error(name: str, about: str, fields: dict[str, Any], shape: tuple[int, ...]) -> Map:
    none = np.empty(0)
    empty: dict[str, Any] = {"minima": [], "network_minima": [], "may_be_lowest": none, "matched": none}
    empty |= {"low": none, "high": none, "unconstrained": None, "outputs": []}
    return _map(
        {"name": name, "expression": about, "values": fields[name], "band": fields[f"{name}_band"], **empty}, shape
    )


def grid_of(fields: dict[str, Any]) -> Grid:
    """From the fields of the extension."""
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
        is_excluded=fields["is_excluded"].reshape(shape) if fields["is_excluded"].size else None,
        refits=[_refit(one) for one in fields["refits"]],
        adaptivity=fields["adaptivity"],
        seeds=[int(seed) for seed in fields["seeds"]],
        view=fields["view"],
        n_computed=fields["n_computed"],
        interpolation_error=fields["interpolation_error"],
    )
