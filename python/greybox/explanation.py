"""Explanations: what the network of a trained model learned."""

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
from ._optional import need
from ._result import Result

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd
    from matplotlib.axes import Axes

    from .run import Run

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Dependence:
    """f_D of one component with one variable set to each value of `x`, all others as in the data."""

    component: str
    variable: str
    x: Floats = field(repr=False)
    mean: Floats = field(repr=False)
    #: 5 % and 95 % of the points.
    low: Floats = field(repr=False)
    high: Floats = field(repr=False)
    #: Standard deviation of the mean over that of f_D.
    strength: float


@dataclass(frozen=True)
class ComponentShare:
    """Sizes of the parts of theory and network of one component."""

    component: str
    #: Root mean squares.
    theory: float
    network: float
    #: Of the squares: f_D² over f_T² + f_D².
    share: float
    #: The root mean squares by time since the window's start; empty for algebraic models.
    time: Floats = field(repr=False)
    theory_over_time: Floats = field(repr=False)
    network_over_time: Floats = field(repr=False)


@dataclass(frozen=True)
class Formula:
    """A formula for f_D of one component."""

    component: str
    #: In the model file's language, and the component's theory with it added.
    formula: str
    theory: str
    #: By term.
    coefficients: dict[str, float]
    #: On windows left out of the regression.
    rmse: float
    r2: float


class Explanation(Result):
    """The network's share of every component, what it depends on, and formulas that may stand for it."""

    _handle: _core.Explanation

    def __init__(self, core: _core.Explanation) -> None:
        self._handle = core
        fields = core.fields()
        self.model: str = fields["model"]
        self.theta: dict[str, float] = fields["theta"]
        self.on: str = fields["on"]
        self.n_windows: int = fields["n_windows"]
        self.n_points: int = fields["n_points"]
        #: Sizes of theory and network, by component.
        self.components = {one["component"]: ComponentShare(**one) for one in fields["shares"]}
        #: f_D² over f_T² + f_D², by component.
        self.shares = {name: one.share for name, one in self.components.items()}
        #: Values of the variables at the points looked at.
        self.data: dict[str, Floats] = {one["name"]: one["data"] for one in fields["variables"]}
        self.dependences = [Dependence(**one) for one in fields["dependences"]]
        #: By component.
        self.formulas = {one["component"]: _formula(one) for one in fields["candidates"]}
        self.warnings = list(fields["warnings"])

    @classmethod
    def _made(cls, core: _core.Explanation) -> Explanation:
        explanation = cls(core)
        explanation.warnings = warn_all(explanation.warnings)
        return explanation

    def extended_model(self, run: Run, folder: str | os.PathLike[str] = ".") -> str:
        """The text of a model file with the formulas in its theory, to be trained again.

        Args:
            run: what was explained.
            folder: where the file is to stand: from there its data file is found.
        """
        return self._handle.extended_model(run._handle, os.fspath(folder))

    def to_pandas(self) -> pd.DataFrame:
        """One row per component: the network's share, and the formula."""
        pandas = need("pandas", "Explanation.to_pandas()")
        rows = [
            {"component": name, "share": self.shares[name], "formula": one.formula, "rmse": one.rmse, "r2": one.r2}
            for name, one in self.formulas.items()
        ]
        frame: pd.DataFrame = pandas.DataFrame(rows)
        return frame

    def plot(self, components: str | Sequence[str] | None = None, *, ax: Any = None) -> list[Axes]:
        """Draw f_D against what it depends on, the strongest first, and the sizes of both parts over time.

        Args:
            components: which; None: all that have a network.
            ax: axes to draw on, one per panel; None: a new figure.
        """
        from ._plot_explanation import plot_explanation

        return plot_explanation(self, components, ax)

    def save(self, folder: str | os.PathLike[str]) -> list[Path]:
        """Write JSON, CSV and pictures as `greybox explain` does; returns the files."""
        return [Path(file) for file in self._handle.write(os.fspath(folder))]

    def __repr__(self) -> str:
        return f"<greybox.Explanation: {'; '.join(f'{k} ≈ {v.formula}' for k, v in self.formulas.items())}>"

    def _repr_html_(self) -> str:
        rows = [
            [escape(name), f"{100 * self.shares[name]:.3g} %", escape(one.formula), number(one.r2)]
            for name, one in self.formulas.items()
        ]
        return table(["", "share", "f_D ≈", "R²"], rows) + warnings(self.warnings)

    def __reduce__(self) -> tuple[Any, ...]:
        return Explanation, (self._handle,)


def _formula(fields: dict[str, Any]) -> Formula:
    coefficients = {one["text"]: float(one["coefficient"]) for one in fields["terms"]}
    return Formula(fields["component"], fields["formula"], fields["theory"], coefficients, fields["rmse"], fields["r2"])
