"""Pictures of simulations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ._plot_style import BAND, DATA, LINE, NETWORK, THEORY, axes_for, headed, names_of, with_dates

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .simulation import Simulation


@dataclass(frozen=True)
class Panel:
    """Variables that share axes: one, or the parts of theory and network of a state."""

    title: str
    lines: dict[str, Any]


def plot_simulation(simulation: Simulation, variables: str | Sequence[str] | None, ax: Any) -> list[Axes]:
    """A panel per variable with its band and what was measured, and one for the parts of each state."""
    panels = _panels(simulation)
    known = [name for panel in panels for name in panel.lines]
    if not known:
        raise ValueError("all variables are fields: draw them with `simulation.to_xarray()[…].plot()`")
    names = names_of(variables, known, "variable")
    shown = [panel for panel in panels if any(name in names for name in panel.lines)]
    axes = axes_for(ax, len(shown), "Simulation.plot()", 2, (5.2, 2.7))
    for panel, place in zip(shown, axes, strict=True):
        _draw(place, simulation, panel)
        headed(place, panel.title, _coverage(simulation, panel), "", simulation.time_label)
        if simulation.time.dtype.kind == "M":
            with_dates(place)
    return axes


def _panels(simulation: Simulation) -> list[Panel]:
    panels = []
    for name, values in simulation.variables.items():
        kind, _, state = name.partition(".")
        if values.ndim > 1 or kind == "network":
            continue
        if kind == "theory" and state:
            parts = {f"{part}.{state}": colour for part, colour in (("theory", THEORY), ("network", NETWORK))}
            there = {part: colour for part, colour in parts.items() if part in simulation.variables}
            panels.append(Panel(f"d {state}/dt", there))
        elif not (kind == "state" and _is_observed(simulation, state, values)):
            panels.append(Panel(name, {name: LINE}))
    return panels


def _is_observed(simulation: Simulation, state: str, values: np.ndarray[Any, Any]) -> bool:
    """Whether a state is observed as it is, so that it would be drawn twice."""
    observed = simulation.variables.get(state)
    return observed is not None and np.array_equal(observed, values, equal_nan=True)


def _draw(ax: Axes, simulation: Simulation, panel: Panel) -> None:
    for name, colour in panel.lines.items():
        label = name.partition(".")[0] if len(panel.lines) > 1 else "simulated"
        if name in simulation.low:
            band = f"{100 * simulation.level:g} %"
            ax.fill_between(simulation.time, simulation.low[name], simulation.high[name], color=BAND, lw=0, label=band)
        ax.plot(simulation.time, simulation[name], color=colour, linewidth=1.6, label=label)
        if name in simulation.measured:
            time, values = simulation.measured[name]
            ax.plot(time, values, ".", color=DATA, markersize=4, label="data")
    ax.legend(fontsize=8, frameon=False)


def _coverage(simulation: Simulation, panel: Panel) -> str:
    """How the bands did where they were checked."""
    checks = [simulation.checks[name] for name in panel.lines if name in simulation.checks]
    if not checks or np.isnan(checks[0].coverage):
        return ""
    return f"bands hold {100 * checks[0].coverage:.0f} % of the {simulation.checked_on} data"
