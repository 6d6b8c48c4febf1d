"""Pictures of landscapes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._plot_style import (
    ACCENT,
    BAND,
    INK,
    LINE,
    MATCHED_BAND,
    NO_VALUE,
    THIN,
    axes_for,
    headed,
    mark,
    names_of,
    scale_axes,
)
from .grid import Axis, Grid, Map
from .landscape import theta_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Array = np.ndarray[Any, Any]

# Colours end at this share of the values where the rest is so many times as high: a divergence hides nothing then.
_CUT, _MUCH_HIGHER = 0.95, 5
# An error that is the same everywhere looks the same everywhere: colours reach to where it would be called poor.
_POOR = 2
_MARGIN = 0.05


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
    if one is grid.rmse:
        low, high = 100 * np.nanmin(grid.nrmse.values), 100 * np.nanmax(grid.nrmse.values)
        title, subtitle = "RMSE", "error of the predictions; hatched where it does not fit"
        caption = f"NRMSE {low:.3g} % to {high:.3g} %"
    else:
        is_typed = one.name == one.expression
        title, subtitle = (one.expression, "") if is_typed else (f"R: {one.name}", one.expression)
        caption = _caption(one)
    headed(ax, title, subtitle, caption, grid.axes[0].label)


def _caption(one: Map) -> str:
    if not one.minima:
        return "no finite value" if one.unconstrained is None else "no θ fits the data"
    lowest = one.minima[0]
    spread = f" ± {lowest.spread:.2g}" if lowest.spread > 0 else ""
    several = f"{len(one.minima)} minima, " if len(one.minima) > 1 else ""
    return f"{several}lowest {lowest.value:.3g}{spread} at {theta_text(lowest.theta)}"


def _edges(axis: Axis) -> Array:
    """Between the points of an axis, and half a step beyond its ends."""
    values = np.log(axis.values) if axis.is_log else axis.values
    half = (values[-1] - values[0]) / max(len(values) - 1, 1) / 2 or 0.5
    edges = np.append(values - half, values[-1] + half)
    return np.exp(edges) if axis.is_log else edges


def _excluded(grid: Grid) -> Array:
    return np.zeros_like(grid.is_poor) if grid.is_excluded is None else grid.is_excluded


def _line(ax: Axes, grid: Grid, one: Map) -> None:
    axis = grid.axes[0]
    x, is_error = axis.values, one is grid.rmse
    for left, right in _stretches(axis, _excluded(grid)):
        ax.axvspan(left, right, facecolor=NO_VALUE, edgecolor="none", linewidth=0, zorder=0)
    if one.low is not None and one.high is not None:
        ax.fill_between(x, one.low, one.high, color=MATCHED_BAND, linewidth=0, zorder=0.5)
    if one.matched is not None:
        ax.plot(x, one.matched, color=INK, linewidth=1, linestyle="--", label="matched to the data")
    for left, right in _stretches(axis, grid.is_poor):
        ax.axvspan(left, right, facecolor="none", edgecolor=INK, hatch="///", linewidth=0, alpha=0.4, zorder=0.6)
    if one.spread is not None and one.networks is not None:
        ax.fill_between(x, one.values - one.spread, one.values + one.spread, color=BAND, linewidth=0)
        for network in one.networks:
            ax.plot(x, network, color=THIN, linewidth=0.7)
    ax.plot(x, one.values, color=LINE, linewidth=2, label="network" if one.spread is None else "mean of the networks")
    for place, minimum in reversed(list(enumerate(one.minima))):
        mark(ax, _along(grid, minimum.theta, one), minimum.value, place == 0)
    if one.matched is not None:
        ax.legend(fontsize=8, frameon=False)
    shown = one.values if one.networks is None else np.concatenate([one.values, one.networks.ravel()])
    low, top, _ = _colour_range(shown, is_error)
    margin = _MARGIN * max(top - low, 1e-12)
    ax.set_ylim(low - (0 if is_error else margin), top + margin)
    scale_axes(ax, axis.is_log)
    ax.set_xlim(x[0], x[-1])


def _stretches(axis: Axis, flags: Array) -> list[tuple[float, float]]:
    """Where neighbouring points of a line have a flag."""
    edges = _edges(axis)
    changes = np.flatnonzero(np.diff(np.concatenate([[False], flags, [False]]).astype(int)))
    return [(float(edges[first]), float(edges[last])) for first, last in changes.reshape(-1, 2)]


def _surface(ax: Axes, grid: Grid, one: Map) -> None:
    x, y = (_edges(axis) for axis in grid.axes)
    low, top, is_cut = _colour_range(one.values, one is grid.rmse)
    ax.set_facecolor(NO_VALUE)
    values = np.ma.masked_invalid(one.values.T)
    mesh = ax.pcolormesh(x, y, values, cmap="viridis", vmin=low, vmax=max(top, low + 1e-12), rasterized=True)
    bar = ax.figure.colorbar(mesh, ax=ax, extend="max" if is_cut else "neither")
    bar.ax.tick_params(labelsize=8)
    for flags, hatch in ((grid.is_poor, "///"), (_excluded(grid), "\\\\\\")):
        if flags.any():
            ax.contourf(*_cells(x, y, flags), levels=[0.5, 1.5], colors="none", hatches=[hatch])
    if one.may_be_lowest is not None and one.may_be_lowest.any() and not one.may_be_lowest.all():
        for colour, width in ((INK, 2.4), ("white", 1.2)):
            outline = _cells(x, y, one.may_be_lowest)
            ax.contour(*outline, levels=[0.5], colors=[colour], linewidths=width)
    for network in one.network_minima:
        if network:
            at = _point(grid, network[0].theta)
            ax.plot(*at, "o", color="white", markeredgecolor=ACCENT, markersize=4, zorder=4)
    for place, minimum in reversed(list(enumerate(one.minima))):
        mark(ax, *_point(grid, minimum.theta), place == 0)
    scale_axes(ax, grid.axes[0].is_log, grid.axes[1].is_log)
    ax.set_ylabel(grid.axes[1].label, fontsize=9, color=INK)


def _cells(x: Array, y: Array, flags: Array) -> tuple[Array, Array, Array]:
    """Flags of cells as values at their corners, for contours that follow the cells' edges."""
    corners = np.repeat(np.repeat(flags.T.astype(float), 2, axis=0), 2, axis=1)
    return np.repeat(x, 2)[1:-1], np.repeat(y, 2)[1:-1], corners


def _colour_range(values: Array, is_error: bool) -> tuple[float, float, bool]:
    """Lowest and highest colour, and whether there are values above."""
    finite = np.sort(values[np.isfinite(values)])
    if not finite.size:
        return 0.0, 1.0, False
    if is_error:
        top = _POOR * float(finite[finite.size // 2]) or 1.0
        return 0.0, top, bool(finite[-1] > top)
    low, cut, high = float(finite[0]), float(finite[int(finite.size * _CUT)]), float(finite[-1])
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
