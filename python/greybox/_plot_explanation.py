"""Pictures of explanations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ._plot_style import INK, NETWORK, THEORY, axes_for, headed, names_of
from .explanation import Dependence

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .explanation import ComponentShare, Explanation

_BAND = "#fae3cc"
_MOST_DEPENDENCES = 6
_MOST_TICKS = 200


def plot_explanation(explanation: Explanation, components: str | Sequence[str] | None, ax: Any) -> list[Axes]:
    """Of every component: f_D against each variable, the strongest first, and its size over time."""
    names = names_of(components, list(explanation.formulas), "component")
    panels: list[Dependence | ComponentShare] = []
    for name in names:
        own = [one for one in explanation.dependences if one.component == name]
        panels += sorted(own, key=lambda one: -one.strength)[:_MOST_DEPENDENCES]
        share = explanation.components[name]
        panels += [share] if share.time.size else []
    axes = axes_for(ax, len(panels), "Explanation.plot()")
    for panel, place in zip(panels, axes, strict=True):
        if isinstance(panel, Dependence):
            _dependence(place, explanation, panel)
        else:
            _sizes(place, panel)
    return axes


def _dependence(ax: Axes, explanation: Explanation, one: Dependence) -> None:
    ax.fill_between(one.x, one.low, one.high, color=_BAND, linewidth=0, label="5 % to 95 % of the points")
    ax.plot(one.x, one.mean, color=NETWORK, linewidth=1.8, label="mean")
    data = explanation.data[one.variable]
    ticks = data[:: max(1, -(-data.size // _MOST_TICKS))]
    inside = ticks[(ticks >= one.x[0]) & (ticks <= one.x[-1])]
    ax.plot(inside, np.zeros(inside.size), "|", color=INK, markersize=7, alpha=0.4, transform=ax.get_xaxis_transform())
    ax.legend(fontsize=8, frameon=False)
    formula = explanation.formulas[one.component]
    headed(ax, f"f_D of {one.component}", f"≈ {formula.formula}   (R² {formula.r2:.3f})", "", one.variable)


def _sizes(ax: Axes, share: ComponentShare) -> None:
    for label, values, colour in (
        ("theory", share.theory_over_time, THEORY),
        ("network", share.network_over_time, NETWORK),
    ):
        ax.plot(share.time, values, color=colour, linewidth=1.6, label=label)
    ax.set_ylim(bottom=0)
    ax.legend(fontsize=8, frameon=False)
    subtitle = f"root mean squares; network {100 * share.share:.3g} % of the squares"
    headed(ax, f"parts of {share.component}", subtitle, "", "time since the window's start")
