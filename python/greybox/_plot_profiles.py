"""Pictures of verdicts: profiles of the parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._plot_style import ACCENT, BAND, FAINT, LINE, MOST_COLUMNS, axes_for, headed, names_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .verdicts import Verdict, Verdicts


def plot_profiles(verdicts: Verdicts, regularizers: str | list[str] | None, ax: Any) -> list[Axes]:
    """One panel per regularizer (a row) and parameter (a column)."""
    names = names_of(regularizers, verdicts.regularizers, "regularizer")
    cells = [_found(verdicts, name, parameter) for name in names for parameter in verdicts.parameters]
    shown = [one for one in cells if one is not None]
    if ax is not None:
        axes = axes_for(ax, len(shown), "Verdicts.plot()")
    else:
        n_columns = len(verdicts.parameters) if len(verdicts.parameters) > 1 else MOST_COLUMNS
        places = axes_for(None, len(cells), "Verdicts.plot()", n_columns)
        for place in (place for place, one in zip(places, cells, strict=True) if one is None):
            place.remove()
        axes = [place for place, one in zip(places, cells, strict=True) if one is not None]
    for one, place in zip(shown, axes, strict=True):
        _draw(place, one)
    return axes


def _found(verdicts: Verdicts, regularizer: str, parameter: str) -> Verdict | None:
    return next((one for one in verdicts if (one.regularizer, one.parameter) == (regularizer, parameter)), None)


def _draw(ax: Axes, one: Verdict) -> None:
    title = f"{one.parameter} under {one.regularizer}"
    if one.regularizer == "the data":
        title = f"{one.parameter}, by the data alone"
    profile = one.profile
    if not np.isfinite(profile.lowest).any():
        ax.text(0.5, 0.5, "no profile", ha="center", va="center", color=FAINT, fontsize=9, transform=ax.transAxes)
        ax.set_xticks([])
        ax.set_yticks([])
        headed(ax, title, one.finding, "", one.parameter)
        return
    low, high = one.interval
    ax.axvspan(low, high, color=ACCENT, alpha=0.10, linewidth=0)
    ax.fill_between(profile.theta, profile.low, profile.high, color=BAND, linewidth=0)
    ax.plot(profile.theta, profile.lowest, color=LINE, linewidth=2)
    ax.axvline(one.best, color=ACCENT, linewidth=1, linestyle="--")
    ax.set_xlim(profile.theta[0], profile.theta[-1])
    headed(ax, title, one.finding, f"{one.best:.3g}, from {low:.3g} to {high:.3g}", one.parameter)
