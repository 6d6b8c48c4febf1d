"""Pictures of landscapes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._plot_style import BAND, INK, LINE, NETWORK, NO_VALUE, THIN, axes_for, headed, mark, names_of
from .grid import Grid, Map
from .landscape import theta_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Colours end at this percentile where the rest is so many times as high: a divergence at the edge hides nothing.
_CUT, _MUCH_HIGHER = 99, 4
# An error that is the same everywhere looks the same everywhere: colours reach to where it would be called poor.
_POOR = 2


def plot_grid(grid: Grid, regularizers: str | list[str] | None, ax: Any, error: bool) -> list[Axes]:
    """One panel per regularizer, and one of the error."""
    maps = [grid[name] for name in names_of(regularizers, list(grid), "regularizer")]
    error = error and (ax is None or np.size(np.asarray(ax, dtype=object)) > len(maps))
    panels = [*maps, grid.rmse] if error else maps
    axes = axes_for(ax, len(panels), "Landscape.plot()")
    for one, place in zip(panels, axes, strict=True):
        _draw(place, grid, one)
    return axes


def _draw(ax: Axes, grid: Grid, one: Map) -> None:
    (_line if len(grid.axes) == 1 else _surface)(ax, grid, one)
    is_error = one is grid.rmse
    title = "RMSE" if is_error else f"R: {one.name}"
    subtitle = "error of the predictions; hatched where not low" if is_error else one.expression
    headed(ax, title, subtitle, _caption(one), grid.axes[0].label)


def _caption(one: Map) -> str:
    if not one.minima:
        return f"{np.nanmin(one.values):.3g} to {np.nanmax(one.values):.3g}"
    lowest = one.minima[0]
    spread = f" ± {lowest.spread:.2g}" if lowest.spread > 0 else ""
    several = f"{len(one.minima)} minima, " if len(one.minima) > 1 else ""
    return f"{several}lowest {lowest.value:.3g}{spread} at {theta_text(lowest.theta)}"


def _line(ax: Axes, grid: Grid, one: Map) -> None:
    x = grid.axes[0].values
    if one.spread is not None and one.networks is not None:
        ax.fill_between(x, one.values - one.spread, one.values + one.spread, color=BAND, linewidth=0)
        for network in one.networks:
            ax.plot(x, network, color=THIN, linewidth=0.7)
    ax.plot(x, one.values, color=LINE, linewidth=2, label="network")
    if one.low is not None and one.high is not None:
        ax.fill_between(x, one.low, one.high, color=NETWORK, alpha=0.12, linewidth=0)
    if one.matched is not None:
        ax.plot(x, one.matched, color=NETWORK, linewidth=1.3, linestyle="--", label="matched to the data")
        ax.legend(fontsize=8, frameon=False)
    _hatch_line(ax, grid)
    for place, minimum in reversed(list(enumerate(one.minima))):
        mark(ax, _along(grid, minimum.theta, one), minimum.value, place == 0)
    ax.set_xlim(x[0], x[-1])
    if one is grid.rmse:
        ax.set_ylim(bottom=0)


def _hatch_line(ax: Axes, grid: Grid) -> None:
    x = grid.axes[0].values
    half = (x[-1] - x[0]) / max(len(x) - 1, 1) / 2
    excluded = np.zeros_like(grid.is_poor) if grid.is_excluded is None else grid.is_excluded
    for value in x[excluded]:
        ax.axvspan(value - half, value + half, facecolor=NO_VALUE, edgecolor="none", linewidth=0, alpha=0.6, zorder=0)
    for value in x[grid.is_poor & ~excluded]:
        ax.axvspan(value - half, value + half, facecolor="none", edgecolor=INK, hatch="///", linewidth=0, alpha=0.4)


def _surface(ax: Axes, grid: Grid, one: Map) -> None:
    x, y = (axis.values for axis in grid.axes)
    low, top, is_cut = _colour_range(one.values, one is grid.rmse)
    ax.set_facecolor(NO_VALUE)
    mesh = ax.pcolormesh(
        x, y, np.ma.masked_invalid(one.values.T), cmap="viridis", vmin=low, vmax=max(top, low + 1e-12), rasterized=True
    )
    bar = ax.figure.colorbar(mesh, ax=ax, extend="max" if is_cut else "neither")
    bar.ax.tick_params(labelsize=8)
    excluded = np.zeros_like(grid.is_poor) if grid.is_excluded is None else grid.is_excluded
    for flags, hatch in ((grid.is_poor & ~excluded, "///"), (excluded, "\\\\\\")):
        if flags.any():
            hatched = np.where(flags.T, 1.0, np.nan)
            ax.contourf(x, y, hatched, levels=[0.5, 1.5], colors="none", hatches=[hatch])
    if one.may_be_lowest is not None and one.may_be_lowest.any() and not one.may_be_lowest.all():
        ax.contour(x, y, one.may_be_lowest.T.astype(float), levels=[0.5], colors="white", linewidths=1)
    for network in one.network_minima:
        if network:
            ax.plot(*_point(grid, network[0].theta), "+", color="white", markersize=6, zorder=4)
    for place, minimum in reversed(list(enumerate(one.minima))):
        mark(ax, *_point(grid, minimum.theta), place == 0)
    ax.set_ylabel(grid.axes[1].label, fontsize=9, color=INK)


def _colour_range(values: np.ndarray[Any, Any], is_error: bool) -> tuple[float, float, bool]:
    """Lowest and highest colour, and whether there are values above."""
    finite = values[np.isfinite(values)]
    if not finite.size:
        return 0.0, 1.0, False
    if is_error:
        return 0.0, max(_POOR * float(np.median(finite)), 1e-12), bool(finite.max() > _POOR * np.median(finite))
    low, cut, high = float(finite.min()), float(np.percentile(finite, _CUT)), float(finite.max())
    is_cut = high - low > _MUCH_HIGHER * (cut - low) > 0
    return low, cut if is_cut else high, is_cut


def _point(grid: Grid, theta: dict[str, float]) -> tuple[float, float]:
    """Coordinates of a θ on the axes; in a plane, by its directions."""
    if not grid.view["kind"]:
        return theta[grid.axes[0].name], theta[grid.axes[1].name]
    origin = np.asarray(grid.view["origin"])
    directions = np.stack([np.asarray(one) for one in grid.view["directions"]])
    place = np.array([theta[name] for name in grid.view["parameters"]]) - origin
    x, y = np.linalg.lstsq(directions.T, place, rcond=None)[0]
    return float(x), float(y)


def _along(grid: Grid, theta: dict[str, float], one: Map) -> float:
    """The coordinate of a θ on the one axis; along a direction, of the lowest value."""
    axis = grid.axes[0]
    return theta[axis.name] if axis.name in theta else float(axis.values[int(np.nanargmin(one.values))])
