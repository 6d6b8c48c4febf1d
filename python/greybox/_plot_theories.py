"""Pictures of theories side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._plot_style import NETWORK, THEORY, axes_for, headed

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .theories import TheoryComparison


def plot_theories(comparison: TheoryComparison, ax: Any) -> list[Axes]:
    """Held-out likelihood behind the best, with two standard errors, and the network's share."""
    n = len(comparison.theories)
    axes = axes_for(ax, 2, "TheoryComparison.plot()", 2, (4.6, 1.6 + 0.45 * n))
    rows = np.arange(n)
    behind = np.array([one.behind_best for one in comparison.theories])
    errors = np.nan_to_num([2 * one.behind_best_error for one in comparison.theories])
    axes[0].errorbar(behind, rows, xerr=errors, fmt="o", color=THEORY, capsize=3)
    axes[1].barh(rows, [one.network_share for one in comparison.theories], height=0.5, color=NETWORK)
    axes[1].set_xlim(0, 1)
    for place in axes:
        place.set_yticks(rows, [one.name for one in comparison.theories])
        place.set_ylim(n - 0.5, -0.5)
        place.grid(axis="x", color="0.9")
        place.set_axisbelow(True)
    where = f"on {comparison.n_windows} {comparison.split} windows; bars: two standard errors"
    headed(axes[0], "Behind the best theory", where, "", "log-likelihood per value")
    headed(axes[1], "Size of the correction", "", "", "share of the network, |f_D|²")
    return axes
