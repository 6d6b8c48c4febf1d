"""Pictures of residuals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._plot_style import ACCENT, DATA, INK, LINE, axes_for, headed, names_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .prediction import Floats, Prediction

_MOST_BINS = 40


def plot_residuals(prediction: Prediction, variables: str | list[str] | None, ax: Any) -> list[Axes]:
    """Two panels per observed variable: residuals over what is predicted, and how they are distributed."""
    known = [name for name in prediction.observed if name in prediction.data and prediction[name].ndim == 2]
    if not known:
        raise ValueError("there are no residuals: no observed variable is a column of the data, or all are fields")
    names = names_of(variables, known, "observed variable")
    axes = axes_for(ax, 2 * len(names), "Prediction.plot_residuals()", 2, (4.6, 2.9))
    for place, name in enumerate(names):
        predicted, residuals = _pairs(prediction, name)
        _over_predictions(axes[2 * place], prediction, name, predicted, residuals)
        _distribution(axes[2 * place + 1], prediction, name, residuals)
    return axes


def _pairs(prediction: Prediction, name: str) -> tuple[Floats, Floats]:
    predicted, measured = prediction[name].ravel(), prediction.data[name].ravel()
    known = np.isfinite(predicted) & np.isfinite(measured)
    return predicted[known], (measured - predicted)[known]


def _over_predictions(ax: Axes, prediction: Prediction, name: str, predicted: Floats, residuals: Floats) -> None:
    ax.plot(predicted, residuals, ".", color=DATA, markersize=3)
    ax.axhline(0, color=INK, linewidth=0.8)
    report = prediction.residuals.get(name)
    finding = report.findings[0] if report is not None and report.findings else "measured − predicted"
    headed(ax, f"residuals of {name}", finding, "", "predicted")


def _distribution(ax: Axes, prediction: Prediction, name: str, residuals: Floats) -> None:
    """A histogram, and the normal distribution of the same mean and width."""
    if residuals.size:
        n_bins = int(np.clip(np.sqrt(residuals.size), 5, _MOST_BINS))
        _, edges, _ = ax.hist(residuals, n_bins, density=True, color=LINE, alpha=0.35)
        mean, sd = float(residuals.mean()), float(residuals.std())
        if sd > 0:
            x = np.linspace(edges[0], edges[-1], 200)
            normal = np.exp(-0.5 * ((x - mean) / sd) ** 2) / (sd * np.sqrt(2 * np.pi))
            ax.plot(x, normal, color=ACCENT, linewidth=1.2, label="normal")
            ax.legend(fontsize=8, frameon=False)
    ax.set_yticks([])
    report = prediction.residuals.get(name)
    subtitle = "" if report is None else f"from step to step correlated by {report.autocorrelation:.2g}"
    headed(ax, f"distribution of {name}", subtitle, "", "measured − predicted")
