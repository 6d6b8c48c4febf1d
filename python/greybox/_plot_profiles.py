"""Pictures of verdicts: profiles of the parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._plot_style import ACCENT, BAND, LINE, axes_for, headed, names_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .verdicts import Verdict, Verdicts


def plot_profiles(verdicts: Verdicts, regularizers: str | list[str] | None, ax: Any) -> list[Axes]:
    """One panel per regularizer (a row) and parameter (a column)."""
    names = names_of(regularizers, verdicts.regularizers, "regularizer")
    shown = [one for name in names for one in verdicts if one.regularizer == name]
    n_parameters = max(1, len({one.parameter for one in shown}))
    axes = axes_for(ax, len(shown), "Verdicts.plot()", n_parameters)
    for one, place in zip(shown, axes, strict=True):
        _draw(place, one)
    return axes


def _draw(ax: Axes, one: Verdict) -> None:
    profile = one.profile
    low, high = one.interval
    ax.axvspan(low, high, color=ACCENT, alpha=0.10, linewidth=0)
    ax.fill_between(profile.theta, profile.low, profile.high, color=BAND, linewidth=0)
    ax.plot(profile.theta, profile.lowest, color=LINE, linewidth=2)
    ax.axvline(one.best, color=ACCENT, linewidth=1, linestyle="--")
    if profile.theta.size:
        ax.set_xlim(profile.theta[0], profile.theta[-1])
    headed(
        ax,
        f"{one.parameter} under {one.regularizer}",
        one.finding,
        f"{one.best:.3g}, from {low:.3g} to {high:.3g}",
        one.parameter,
    )
