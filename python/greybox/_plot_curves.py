"""Pictures of trainings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._plot_style import ACCENT, LINE, axes_for, headed

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .curves import Curves


def plot_curves(curves: Curves, ax: Any) -> list[Axes]:
    """Loss and regularizer over the epochs."""
    axes = axes_for(ax, 2, "Curves.plot()", 2, (4.6, 3.0))
    for place, name, title in zip(axes, ("loss", "regularizer"), ("L, loss", "R, regularizer"), strict=True):
        _draw(place, curves, name)
        headed(place, title, "", "", "epoch")
    return axes


def _draw(ax: Axes, curves: Curves, name: str) -> None:
    epoch, values, validation = curves["epoch"], curves[name], curves[f"validation_{name}"]
    ax.plot(epoch, values, color=LINE, linewidth=1.4, label="training")
    known = np.isfinite(validation)
    if known.any():
        ax.plot(epoch[known], validation[known], "o-", color=ACCENT, markersize=3, linewidth=1, label="validation")
    shown = np.concatenate([values, validation[known]])
    if shown.size and np.nanmin(shown) > 0:
        ax.set_yscale("log")
    ax.legend(fontsize=8, frameon=False)
