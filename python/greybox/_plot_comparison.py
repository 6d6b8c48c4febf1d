"""Pictures of comparisons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._plot_style import INK, axes_for, headed

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .comparison import Comparison

_LOOKS = {
    "adaptive": ("#009e73", "o"),
    "inductive": ("#0072b2", "^"),
    "transductive": ("#d55e00", "s"),
    "aphynity": ("#cc79a7", "D"),
    "tailored": ("#e69f00", "v"),
}
# Modes stand beside each other, as parts of the distance between decades.
_SHIFT = 0.07


def plot_comparison(comparison: Comparison, ax: Any) -> list[Axes]:
    """Loss and regularizer against λ, with standard errors."""
    axes = axes_for(ax, 2, "Comparison.plot()", 2, (4.6, 3.6))
    modes = list(dict.fromkeys(row.mode for row in comparison.rows))
    for place, name in zip(axes, ("loss", "regularizer"), strict=True):
        for number, mode in enumerate(modes):
            _draw(place, comparison, mode, name, 10 ** (_SHIFT * (number - (len(modes) - 1) / 2)))
        place.grid(axis="y", color="0.9")
        place.set_axisbelow(True)
    if all(row.regularizer > 0 for row in comparison.rows):
        axes[1].set_yscale("log")
    axes[0].set_ylim(bottom=0)
    axes[1].legend(fontsize=8, frameon=False)
    headed(axes[0], "L on test windows", "", "", "λ")
    headed(axes[1], f"R, {comparison.regularizer}", "", "", "λ")
    return axes


def _draw(ax: Axes, comparison: Comparison, mode: str, name: str, shift: float) -> None:
    colour, marker = _LOOKS.get(mode, (INK, "o"))
    rows = [row for row in comparison.rows if row.mode == mode]
    values, errors = [getattr(row, name) for row in rows], [getattr(row, f"{name}_error") for row in rows]
    factors = [row.lambda_ for row in rows if row.lambda_ is not None]
    if not factors:  # aphynity has none: a level across all of them
        ax.axhline(values[0], color=colour, linewidth=1.4, label=mode)
        return
    ax.set_xscale("log")
    across = [factor * shift for factor in factors]
    ax.plot(across, values, color=colour, alpha=0.4, linewidth=1.4)
    ax.errorbar(across, values, errors, fmt=marker, color=colour, capsize=3, markersize=6, label=mode)
