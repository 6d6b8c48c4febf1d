"""Posteriors: the distribution of the parameters under a regularizer."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _core
from ._errors import warn_all
from ._html import escape, number, table, warnings
from ._labelled import Labelled
from ._optional import need
from ._result import Result

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr
    from matplotlib.axes import Axes

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class ParameterPosterior(Labelled):
    """One parameter: summary, draws (chains × draws), and densities in bins between `edges`."""

    mean: float
    sd: float
    median: float
    q5: float
    q95: float
    rhat: float
    ess_bulk: float
    ess_tail: float
    draws: Floats = field(repr=False)
    edges: Floats = field(repr=False)
    density: Floats = field(repr=False)
    prior: Floats = field(repr=False)
    #: The edges are evenly spaced logarithms.
    is_log: bool = False


@dataclass(frozen=True)
class PairPosterior:
    """Two parameters: the density in bins, those of `across` first."""

    across: str
    upward: str
    density: Floats = field(repr=False)


@dataclass(frozen=True)
class UnconstrainedPosterior:
    """The distribution without regard to the fit, where part of it lies at θ that do not fit the data."""

    #: Share of its draws that fit.
    fitting_share: float
    #: Of each parameter.
    mean: dict[str, float]
    sd: dict[str, float]


class Posterior(Result):
    """p(θ | data) ∝ p(θ) exp(−β R(θ)), as draws, densities and a summary."""

    _handle: _core.Posterior

    def __init__(self, core: _core.Posterior) -> None:
        self._handle = core
        fields = core.fields()
        self.model: str = fields["model"]
        self.regularizer: str = fields["regularizer"]
        #: "grid" or "nuts".
        self.method: str = fields["method"]
        self.on: str = fields["on"]
        self.beta: float = fields["beta"]
        self.n_windows: int = fields["n_windows"]
        self.n_chains: int = fields["n_chains"]
        #: Of each chain.
        self.n_draws: int = fields["n_draws"]
        self.n_divergent: int = fields["n_divergent"]
        self.seed: int = fields["seed"]
        #: By name.
        self.parameters = {one["name"]: self._parameter(one) for one in fields["parameters"]}
        self.pairs = [self._pair(one) for one in fields["pairs"]]
        #: R and L of each draw: chains × draws.
        self.regularizers: Floats = self._by_chain(fields["regularizers"])
        self.losses: Floats = self._by_chain(fields["losses"])
        #: Mean and standard deviation at other β: how much depends on the choice of it.
        self.sensitivity: list[dict[str, Any]] = fields["sensitivity"]
        #: The distribution without regard to the fit; None where every draw of it fits.
        self.unconstrained = self._unconstrained(fields["unconstrained"])
        #: What the sampler says about each chain.
        self.chains: list[dict[str, Any]] = fields["chains"]
        #: Of a grid: the values of each parameter, and the density at every point.
        self.grid: list[Floats] = fields["grid"]
        self.grid_density: Floats = fields["grid_density"].reshape([len(axis) for axis in self.grid] or [-1])
        self.warnings = list(fields["warnings"])

    @classmethod
    def _made(cls, core: _core.Posterior) -> Posterior:
        posterior = cls(core)
        posterior.warnings = warn_all(posterior.warnings)
        return posterior

    def _by_chain(self, values: Floats) -> Floats:
        return values.reshape(self.n_chains, -1)

    def _parameter(self, fields: dict[str, Any]) -> ParameterPosterior:
        return ParameterPosterior(**{**fields, "draws": self._by_chain(fields["draws"])})

    def _unconstrained(self, fields: dict[str, Any] | None) -> UnconstrainedPosterior | None:
        if fields is None:
            return None
        mean, sd = (dict(zip(self.parameters, fields[key].tolist(), strict=True)) for key in ("mean", "sd"))
        return UnconstrainedPosterior(fields["fitting_share"], mean, sd)

    def _pair(self, fields: dict[str, Any]) -> PairPosterior:
        across, upward = (list(self.parameters.values())[fields[place]] for place in ("across", "upward"))
        shape = (across.density.size, upward.density.size)
        return PairPosterior(across.name, upward.name, fields["density"].reshape(shape))

    @property
    def draws(self) -> dict[str, Floats]:
        """Draws of each parameter: chains × draws."""
        return {name: one.draws for name, one in self.parameters.items()}

    @property
    def mean(self) -> dict[str, float]:
        """Of each parameter."""
        return {name: one.mean for name, one in self.parameters.items()}

    def to_xarray(self) -> xr.Dataset:
        """Draws, with the dimensions chain and draw."""
        xarray = need("xarray", "Posterior.to_xarray()")
        dims = ("chain", "draw")
        variables = {one.name: (dims, one.draws, {"units": one.unit}) for one in self.parameters.values()}
        n_chains, n_draws = self.regularizers.shape
        coords = {"chain": np.arange(n_chains), "draw": np.arange(n_draws)}
        attrs = {"model": self.model, "regularizer": self.regularizer, "beta": self.beta, "method": self.method}
        dataset: xr.Dataset = xarray.Dataset(variables, coords, attrs)
        return dataset

    def to_arviz(self) -> Any:
        """InferenceData in ArviZ 0.x, a DataTree in 1.x: posterior and sample_stats."""
        from ._arviz import to_arviz

        return to_arviz(self)

    def to_pandas(self) -> pd.DataFrame:
        """The summary: one row per parameter."""
        pandas = need("pandas", "Posterior.to_pandas()")
        names = ("mean", "sd", "median", "q5", "q95", "rhat", "ess_bulk", "ess_tail")
        rows = {one.name: {name: getattr(one, name) for name in names} for one in self.parameters.values()}
        frame: pd.DataFrame = pandas.DataFrame.from_dict(rows, orient="index")
        return frame

    def save(self, folder: str | os.PathLike[str]) -> list[Path]:
        """Write JSON, npz, chains in CmdStan's form and pictures as `greybox sample` does; returns the files."""
        return [Path(file) for file in self._handle.write(os.fspath(folder))]

    def plot(self, parameters: str | list[str] | None = None, *, ax: Any = None) -> list[Axes]:
        """Draw the density of each parameter beside its prior, and of each pair.

        Args:
            parameters: which; None: all.
            ax: axes to draw on, row by row; None: a new figure.
        """
        from ._plot_posterior import plot_posterior

        return plot_posterior(self, parameters, ax)

    def __repr__(self) -> str:
        means = ", ".join(f"{one.name} = {one.mean:.3g} ± {one.sd:.2g}" for one in self.parameters.values())
        return f"<greybox.Posterior under {self.regularizer}, β = {self.beta:g}: {means}>"

    def _repr_html_(self) -> str:
        names = ("mean", "sd", "median", "q5", "q95", "rhat", "ess_bulk", "ess_tail")
        rows = [[escape(one.name), *(number(getattr(one, name)) for name in names)] for one in self.parameters.values()]
        where = f"<p>{escape(self.regularizer)}, β = {self.beta:g}, {escape(self.method)}, on {escape(self.on)}</p>"
        return table(["parameter", *names], rows) + where + warnings(self.warnings)

    def __reduce__(self) -> tuple[Any, ...]:
        return Posterior, (self._handle,)
