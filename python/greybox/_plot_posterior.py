"""Pictures of posteriors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._plot_style import ACCENT, BAND, INK, LINE, NO_VALUE, axes_for, headed, names_of, plain, scale_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .posterior import PairPosterior, ParameterPosterior, Posterior


def plot_posterior(posterior: Posterior, parameters: str | list[str] | None, ax: Any) -> list[Axes]:
    """A panel per parameter, then one per pair of them."""
    names = names_of(parameters, list(posterior.parameters), "parameter")
    pairs = [one for one in posterior.pairs if one.across in names and one.upward in names] if ax is None else []
    axes = axes_for(ax, len(names) + len(pairs), "Posterior.plot()")
    for name, place in zip(names, axes, strict=False):
        _density(place, posterior.parameters[name])
    for pair, place in zip(pairs, axes[len(names) :], strict=True):
        _pair(place, posterior, pair)
    return axes


def _density(ax: Axes, one: ParameterPosterior) -> None:
    ax.axvspan(one.q5, one.q95, color=BAND, alpha=0.5, linewidth=0)
    ax.stairs(one.prior, one.edges, color=NO_VALUE, linewidth=2, label="prior")
    ax.stairs(one.density, one.edges, color=LINE, linewidth=2, label="posterior")
    ax.axvline(one.median, color=ACCENT, linewidth=1, label="median")
    ax.set_xlim(one.edges[0], one.edges[-1])
    scale_axes(ax, one.is_log)
    ax.set_ylim(bottom=0)
    ax.set_yticks([])
    ax.legend(fontsize=8, frameon=False)
    headed(ax, one.name, "", f"{one.mean:.3g} ± {one.sd:.2g}, 90 % from {one.q5:.3g} to {one.q95:.3g}", one.label)


def _pair(ax: Axes, posterior: Posterior, pair: PairPosterior) -> None:
    across, upward = posterior.parameters[pair.across], posterior.parameters[pair.upward]
    ax.pcolormesh(across.edges, upward.edges, pair.density.T, cmap="viridis", rasterized=True)
    scale_axes(ax, across.is_log, upward.is_log)
    ax.set_ylabel(upward.label, fontsize=9, color=INK)
    headed(ax, f"{across.name} and {upward.name}", "", "", across.label)
    plain(ax)
