"""Verdicts: which parameters can be trusted under which regularizer, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np
import numpy.typing as npt

from . import _core
from ._errors import warn_all
from ._html import escape, table, warnings
from ._optional import need
from ._result import Result

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

Floats = npt.NDArray[np.float64]

Finding = Literal[
    "identifiable",
    "determined by the data",
    "flat",
    "one-sided",
    "several minima",
    "unstable",
    "disagree",
    "cut off",
    "not adapted",
    "not judged",
]

_GOOD, _HALF, _BAD, _NONE = "#1b7a3d", "#9a5b00", "#b3261e", "#666666"
_COLOURS: dict[str, str] = {
    "identifiable": _GOOD,
    "determined by the data": _GOOD,
    "one-sided": _HALF,
    "several minima": _HALF,
    "cut off": _HALF,
    "flat": _BAD,
    "unstable": _BAD,
    "disagree": _BAD,
    "not adapted": _NONE,
    "not judged": _NONE,
}


@dataclass(frozen=True)
class Profile:
    """R at each value of one parameter, at its lowest over all others, with a band of 90 % of networks and data."""

    theta: Floats
    lowest: Floats
    low: Floats
    high: Floats


@dataclass(frozen=True)
class Verdict:
    """What can be said about one parameter under one regularizer."""

    parameter: str
    #: Several joined by ", " where they disagree.
    regularizer: str
    #: What each means, and what to do: docs/verdicts.md.
    finding: Finding
    sentence: str
    evidence: list[str] = field(repr=False)
    #: Where R is lowest.
    best: float
    #: Smallest interval that holds the sublevel set of R.
    interval: tuple[float, float]
    profile: Profile = field(repr=False)
    #: Its parts, where R rises between them; empty where there is one.
    intervals: list[tuple[float, float]] = field(default_factory=list, repr=False)
    #: Flat, though narrow on the windows as they are: so few leave open what others like them would say.
    needs_more_data: bool = False

    def __str__(self) -> str:
        return self.sentence


@dataclass(frozen=True)
class Combination:
    """A combination of parameters that R determines although it leaves each of them open."""

    regularizer: str
    #: Such as "a·b" or "a + 2·b".
    text: str
    #: Exponents of a product, coefficients of a sum.
    direction: dict[str, float]
    sentence: str

    def __str__(self) -> str:
        return self.sentence


class Verdicts(Result, Sequence[Verdict]):
    """A verdict on every parameter under every regularizer; in a notebook, a table."""

    _handle: _core.Verdicts

    def __init__(self, core: _core.Verdicts) -> None:
        self._handle = core
        fields = core.fields()
        self._verdicts = [verdict_of(one) for one in fields["verdicts"]]
        #: Combinations that are determined though their parameters are not.
        self.combinations = [Combination(**one) for one in fields["combinations"]]
        #: What they say together: what is determined, what is not, what to do next; empty where nothing is judged.
        self.summary: list[str] = fields["summary"]
        #: Of the data that were judged on.
        self.split: str = fields["split"]
        self.n_windows: int = fields["n_windows"]
        self.n_networks: int = fields["n_networks"]
        self.warnings = list(fields["warnings"])

    @classmethod
    def _made(cls, core: _core.Verdicts) -> Verdicts:
        verdicts = cls(core)
        verdicts.warnings = warn_all(verdicts.warnings)
        return verdicts

    @overload
    def __getitem__(self, index: int) -> Verdict: ...
    @overload
    def __getitem__(self, index: slice) -> list[Verdict]: ...
    def __getitem__(self, index: int | slice) -> Verdict | list[Verdict]:
        return self._verdicts[index]

    def __len__(self) -> int:
        return len(self._verdicts)

    def __iter__(self) -> Iterator[Verdict]:
        return iter(self._verdicts)

    def of(self, parameter: str, regularizer: str) -> Verdict:
        """The verdict on one parameter under one regularizer.

        Raises:
            KeyError: there is none.
        """
        for one in self._verdicts:
            if one.parameter == parameter and one.regularizer == regularizer:
                return one
        known = sorted({(one.parameter, one.regularizer) for one in self._verdicts})
        raise KeyError(f"no verdict on `{parameter}` under `{regularizer}`; there are {known}")

    @property
    def parameters(self) -> list[str]:
        """Those that were judged."""
        return list(dict.fromkeys(one.parameter for one in self._verdicts))

    @property
    def regularizers(self) -> list[str]:
        """Those that were judged by."""
        return list(dict.fromkeys(one.regularizer for one in self._verdicts if one.finding != "disagree"))

    def to_pandas(self) -> pd.DataFrame:
        """One row per verdict."""
        pandas = need("pandas", "Verdicts.to_pandas()")
        frame: pd.DataFrame = pandas.DataFrame(
            [
                {
                    "parameter": one.parameter,
                    "regularizer": one.regularizer,
                    "finding": one.finding,
                    "best": one.best,
                    "low": one.interval[0],
                    "high": one.interval[1],
                    "sentence": one.sentence,
                }
                for one in self
            ]
        )
        return frame

    def plot(self, regularizers: str | list[str] | None = None, *, ax: Any = None) -> list[Axes]:
        """Draw the profiles: R at its lowest over all other parameters, with its band and interval.

        What the data alone determine stands first, under "the data", with the misfit in the place of R.

        Args:
            regularizers: which; None: all.
            ax: axes to draw on, one per parameter and regularizer; None: a new figure.
        """
        from ._plot_profiles import plot_profiles

        return plot_profiles(self, regularizers, ax)

    def _findings(self) -> list[list[str]]:
        return [
            [next((v.finding for v in self if (v.parameter, v.regularizer) == (p, r)), "") for r in self.regularizers]
            for p in self.parameters
        ]

    def __str__(self) -> str:
        width = max(map(len, [*self.regularizers, *(one.finding for one in self)]), default=0)
        first = max(map(len, self.parameters), default=0)
        lines = [*self.summary, ""] if self.summary else []
        lines += [" " * first + "".join(f"  {name:<{width}}" for name in self.regularizers)]
        for parameter, findings in zip(self.parameters, self._findings(), strict=True):
            lines.append(f"{parameter:<{first}}" + "".join(f"  {finding:<{width}}" for finding in findings))
        lines += ["", *map(str, self), *map(str, self.combinations)]
        return "\n".join(line.rstrip() for line in lines)

    def __repr__(self) -> str:
        return f"<greybox.Verdicts on {', '.join(self.parameters)} under {', '.join(self.regularizers)}>"

    def _repr_html_(self) -> str:
        rows = [
            [
                escape(one.parameter),
                escape(one.regularizer),
                f'<span style="color:{_COLOURS[one.finding]}">{escape(one.finding)}</span>',
                escape(one.sentence),
            ]
            for one in self
        ]
        networks = f"{self.n_networks} network{'s' if self.n_networks > 1 else ''}"
        where = f"<p>{escape(self.split)} ({self.n_windows} windows), {networks}</p>"
        head = ["parameter", "regularizer", "finding", "in words"]
        more = "".join(f"<p>{escape(one.sentence)}</p>" for one in self.combinations)
        top = "".join(f"<p>{escape(sentence)}</p>" for sentence in self.summary)
        return top + table(head, rows) + more + where + warnings(self.warnings)

    def __reduce__(self) -> tuple[Any, ...]:
        return Verdicts, (self._handle,)


def verdict_of(fields: dict[str, Any]) -> Verdict:
    """From the fields of the extension."""
    low, high = fields["interval"]
    names = ("parameter", "regularizer", "finding", "sentence", "evidence", "best")
    return Verdict(
        **{name: fields[name] for name in names},
        interval=(low, high),
        profile=Profile(**fields["profile"]),
        intervals=[(low, high) for low, high in fields["intervals"]],
    )
