"""Theories of the same data, side by side."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _core
from ._arguments import handles
from ._control import Cancel, controlled
from ._errors import warn_all
from ._html import escape, number, table, warnings
from ._optional import need
from ._progress import ProgressArgument
from ._result import Result
from .fit_judgement import OutputError, errors_by_name
from .run import Run
from .verdicts import Verdict, verdict_of

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class ComparedTheory:
    """One theory on the windows that all of them held out."""

    name: str
    #: Where it was judged: learned with the weights, or where its regularizer is lowest on the validation windows.
    theta: dict[str, float]
    regularizer: str
    #: Mean log-likelihood of a measured value, under normal errors as large as on the validation windows.
    log_likelihood: float
    #: How much lower that is than the best theory's, and its standard error over windows.
    behind_best: float
    behind_best_error: float
    #: Mean |f_D|² over mean |f_T|² + mean |f_D|².
    network_share: float
    outputs: dict[str, OutputError]
    #: On each parameter, under `regularizer`.
    verdicts: list[Verdict] = field(repr=False)

    @property
    def findings(self) -> dict[str, str]:
        """What was found of each parameter."""
        return {one.parameter: one.finding for one in self.verdicts}


class TheoryComparison(Result):
    """Held-out likelihood, size of the correction and verdicts of several theories."""

    _handle: _core.TheoryComparison

    def __init__(self, core: _core.TheoryComparison) -> None:
        self._handle = core
        fields = core.fields()
        #: In the order asked for.
        self.theories = [_theory(one) for one in fields["theories"]]
        self.split: str = fields["split"]
        self.n_windows: int = fields["n_windows"]
        self.warnings = list(fields["warnings"])

    def to_pandas(self) -> pd.DataFrame:
        """One row per theory."""
        pandas = need("pandas", "TheoryComparison.to_pandas()")
        numbers = ("name", "log_likelihood", "behind_best", "behind_best_error", "network_share")
        frame: pd.DataFrame = pandas.DataFrame(
            [{key: getattr(one, key) for key in numbers} | one.findings for one in self.theories]
        )
        return frame

    @property
    def best(self) -> ComparedTheory:
        """The one under which the held-out data are most likely."""
        return min(self.theories, key=lambda one: (math.isnan(one.behind_best), one.behind_best))

    def save(self, folder: str | os.PathLike[str]) -> list[Path]:
        """Write CSV, JSON and pictures as `greybox compare A.toml B.toml` does; returns the files."""
        return [Path(file) for file in self._handle.write(os.fspath(folder))]

    def plot(self, *, ax: Any = None) -> list[Axes]:
        """Draw how far each theory is behind the best on held-out windows, and the network's share.

        Args:
            ax: two axes to draw on; None: a new figure.
        """
        from ._plot_theories import plot_theories

        return plot_theories(self, ax)

    def __repr__(self) -> str:
        return f"<greybox.TheoryComparison of {', '.join(one.name for one in self.theories)}>"

    def _repr_html_(self) -> str:
        rows = [
            [
                escape(one.name),
                number(one.log_likelihood),
                f"{number(one.behind_best)} ± {number(one.behind_best_error)}",
                f"{100 * one.network_share:.3g} %",
                escape("; ".join(f"{k}: {v}" for k, v in one.findings.items())),
            ]
            for one in self.theories
        ]
        head = ["theory", "log-likelihood per value", "behind the best", "network", "verdicts"]
        return table(head, rows) + warnings(self.warnings)

    def __reduce__(self) -> tuple[Any, ...]:
        return TheoryComparison, (self._handle,)


def _theory(fields: dict[str, Any]) -> ComparedTheory:
    numbers = ("name", "theta", "regularizer", "log_likelihood", "behind_best", "behind_best_error", "network_share")
    return ComparedTheory(
        **{key: fields[key] for key in numbers},
        outputs=errors_by_name(fields["outputs"]),
        verdicts=[verdict_of(one) for one in fields["verdicts"]["verdicts"]],
    )


def compare_theories(
    runs: Sequence[Run],
    *,
    regularizer: str | None = None,
    seeds: int = 1,
    threads: int = 0,
    progress: ProgressArgument = True,
    cancel: Cancel | None = None,
) -> TheoryComparison:
    """Runs of different models on the same data, judged on windows that none of them learned from.

    Args:
        runs: at least two, trained on the same data with the same split.
        regularizer: a name or an expression; None: what each was trained with.
        seeds: networks behind the verdicts, as for `Run.landscape`.
        threads: as for `Model.fit`.
        progress: as for `Model.fit`.
        cancel: once set, `Interruption` is raised.
    """
    options = {"regularizer": regularizer, "seeds": seeds}
    with controlled(threads, progress, cancel) as control:
        core = _core.compare_theories(handles(runs, "runs"), options, control)
    comparison = TheoryComparison(core)
    comparison.warnings = warn_all(comparison.warnings)
    return comparison
