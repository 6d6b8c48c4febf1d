"""How pictures look: like the tool's own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ._arguments import entry
from ._optional import need

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INK = (0.13, 0.13, 0.15)
FAINT = (0.42, 0.42, 0.46)
NO_VALUE = (0.80, 0.80, 0.80)
ACCENT = (0.84, 0.15, 0.12)
LINE = "#30598f"
THIN = "#8494bd"
BAND = "#d3dcec"
#: Of what the data ask for.
MATCHED_BAND = (0.93, 0.93, 0.9)
#: Theory and network, data.
THEORY, NETWORK, DATA = "#0072b2", "#d55e00", (0.35, 0.35, 0.38)
_PANEL = (3.9, 3.5)
MOST_COLUMNS = 3


def axes_for(
    given: Any, n: int, what: str, n_columns: int = MOST_COLUMNS, size: tuple[float, float] = _PANEL
) -> list[Axes]:
    """The caller's axes, or those of a new figure with `n` panels."""
    pyplot = need("matplotlib.pyplot", what)
    if given is not None:
        axes = list(np.ravel(np.asarray(given, dtype=object)))
        for one in axes:
            if not hasattr(one, "set_title"):
                raise TypeError(f"`ax` holds {type(one).__name__}, and {what} draws on matplotlib's axes")
        if len(axes) < n:
            raise ValueError(f"{what} draws {n} panels, and `ax` has {len(axes)} axes")
        return axes[:n]
    columns = 2 if n == 4 and n_columns == MOST_COLUMNS else min(n, n_columns)
    rows = -(-n // columns)
    figure, grid = pyplot.subplots(
        rows, columns, figsize=(size[0] * columns, size[1] * rows), squeeze=False, layout="constrained"
    )
    axes = list(grid.ravel())
    for unused in axes[n:]:
        figure.delaxes(unused)
    return axes[:n]


def headed(ax: Axes, title: str, subtitle: str = "", caption: str = "", label: str = "") -> None:
    """Title and subtitle above, what the axis is and a caption below.

    In a figure of the caller's own there may be no room below: the caption then takes the subtitle's place.
    """
    if caption and ax.figure.get_layout_engine() is None:
        subtitle, caption = caption, ""
    ax.set_title(title, loc="left", fontsize=11, fontweight="bold", color=INK, pad=18 if subtitle else 6)
    if subtitle:
        note = ax.annotate(
            _short(subtitle),
            (0, 1),
            (0, 5),
            xycoords="axes fraction",
            textcoords="offset points",
            fontsize=8,
            color=FAINT,
        )
        note.set_in_layout(False)  # a long one would push the colour bar away from its map
    if label or caption:
        ax.set_xlabel("\n".join(part for part in (label, caption) if part), fontsize=9, color=INK)
    plain(ax)


def plain(ax: Axes) -> None:
    """Ink for frame and ticks."""
    ax.tick_params(which="both", labelsize=8, colors=INK)
    for spine in ax.spines.values():
        spine.set_color(INK)


def scale_axes(ax: Axes, x: bool, y: bool = False) -> None:
    """Logarithmic where asked for, with plain numbers at the ticks."""
    for is_log, set_scale, axis in ((x, ax.set_xscale, ax.xaxis), (y, ax.set_yscale, ax.yaxis)):
        if is_log:
            set_scale("log")
            axis.set_major_formatter("{x:g}")


def with_dates(ax: Axes) -> None:
    """Few and short labels along an axis of dates."""
    dates: Any = need("matplotlib.dates", "plot()")
    locator = dates.AutoDateLocator(minticks=3, maxticks=7)
    ax.xaxis.set_major_locator(locator)
    ax.xaxis.set_major_formatter(dates.ConciseDateFormatter(locator))


def mark(ax: Axes, x: float, y: float, is_lowest: bool) -> None:
    """A minimum: red where R is lowest, white elsewhere."""
    face, edge, size = (ACCENT, "white", 8) if is_lowest else ("white", INK, 6)
    ax.plot([x], [y], "o", color=face, markeredgecolor=edge, markersize=size, zorder=5, clip_on=False)


def names_of(given: str | Sequence[str] | None, known: Sequence[str], what: str) -> list[str]:
    """The names asked for, or all."""
    names = list(known) if given is None else [given] if isinstance(given, str) else list(given)
    for name in names:
        entry(dict.fromkeys(known), name, what)
    return names


def _short(text: str, most: int = 58) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
