"""Pictures of predictions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._plot_style import DATA, INK, LINE, NETWORK, THEORY, axes_for, headed, names_of, with_dates

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .prediction import Prediction

_WINDOWS_SHOWN = 6


def plot_prediction(
    prediction: Prediction, variables: str | list[str] | None, window: int | list[int] | None, ax: Any
) -> list[Axes]:
    """Observed variables over their data, then the parts of theory and network."""
    observed, parts = _panels(prediction, variables)
    if ax is not None:  # the caller's axes are for what was asked for by name first
        parts = parts[: max(0, np.size(np.asarray(ax, dtype=object)) - len(observed))]
    axes = axes_for(ax, len(observed) + len(parts), "Prediction.plot()", 2, (5.2, 2.9))
    windows = _windows(prediction, window)
    x, label = _across(prediction)
    for name, place in zip(observed, axes, strict=False):
        _observed(place, prediction, name, x, windows)
        headed(place, name, f"RMSE {prediction.rmse:.3g} over all windows", "", label)
    for name, place in zip(parts, axes[len(observed) :], strict=True):
        _parts(place, prediction, name, x, windows)
        headed(place, f"d{name}/dt" if len(name) == 1 else f"d {name}/dt", "parts of theory and network", "", label)
    if x.dtype.kind == "M":
        for place in axes:
            with_dates(place)
    return axes


def _panels(prediction: Prediction, variables: str | list[str] | None) -> tuple[list[str], list[str]]:
    """Observed variables and states to show; an algebraic model has its parts in one picture with the output."""
    observed = [name for name in prediction.observed if prediction[name].ndim == 2]
    states = [name.removeprefix("theory.") for name in prediction.variables if name.startswith("theory.")]
    parts = [name for name in states if prediction[f"theory.{name}"].ndim == 2]
    if not observed and not parts:
        raise ValueError("all variables are fields: draw them with `prediction.to_xarray()[…].plot()`")
    names = names_of(variables, list(dict.fromkeys([*observed, *parts])), "variable")
    if prediction.time.shape[1] == 1:
        parts = []
    return [name for name in observed if name in names], [name for name in parts if name in names]


def _windows(prediction: Prediction, window: int | list[int] | None) -> list[int]:
    if window is None:
        n = len(prediction)
        if prediction.time.shape[1] == 1 or n <= _WINDOWS_SHOWN:
            return list(range(n))
        return [place * n // _WINDOWS_SHOWN for place in range(_WINDOWS_SHOWN)]
    windows = [window] if isinstance(window, (int, np.integer)) else list(window)
    for one in windows:
        if not 0 <= one < len(prediction):
            raise IndexError(f"there is no window {one}: the prediction has {len(prediction)}, counted from 0")
    return windows


def _across(prediction: Prediction) -> tuple[np.ndarray[Any, Any], str]:
    """What a panel is drawn over: time, or the first input of an algebraic model."""
    if prediction.time.shape[1] == 1:
        for name, values in prediction.data.items():
            if name not in prediction.observed and values.ndim == 2:
                return values, name
    return prediction.time, "time"


def _curves(x: np.ndarray[Any, Any], values: np.ndarray[Any, Any], windows: list[int]) -> list[tuple[Any, Any]]:
    if x.shape[1] > 1:
        return [(x[window], values[window]) for window in windows]
    order = np.array(windows)[np.argsort(x[windows, 0])]
    return [(x[order, 0], values[order, 0])]


def _observed(ax: Axes, prediction: Prediction, name: str, x: np.ndarray[Any, Any], windows: list[int]) -> None:
    measured = prediction.data.get(name)
    if measured is not None:
        for place, (across, values) in enumerate(_curves(x, measured, windows)):
            ax.plot(across, values, ".", color=DATA, markersize=4, label="data" if place == 0 else None)
    for place, (across, values) in enumerate(_curves(x, prediction[name], windows)):
        ax.plot(across, values, color=LINE, linewidth=1.6, label="prediction" if place == 0 else None)
    if prediction.time.shape[1] == 1 and f"theory.{name}" in prediction.variables:
        _parts(ax, prediction, name, x, windows)
    ax.legend(fontsize=8, frameon=False)


def _parts(ax: Axes, prediction: Prediction, name: str, x: np.ndarray[Any, Any], windows: list[int]) -> None:
    for part, colour in (("theory", THEORY), ("network", NETWORK)):
        for place, (across, values) in enumerate(_curves(x, prediction[f"{part}.{name}"], windows)):
            ax.plot(across, values, color=colour, linewidth=1.2, label=part if place == 0 else None)
    ax.axhline(0, color=INK, linewidth=0.6)
    ax.legend(fontsize=8, frameon=False)
