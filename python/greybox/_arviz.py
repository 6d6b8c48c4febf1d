"""Posteriors for ArviZ; here is all that differs between its versions 0.x and 1.x."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._optional import need

if TYPE_CHECKING:
    from .posterior import Posterior

# ArviZ's names for what the sampler says about a draw.
_STATISTICS = {
    "lp": "log_density",
    "acceptance_rate": "acceptance",
    "energy": "energy",
    "tree_depth": "depth",
    "n_steps": "n_leapfrog",
    "diverging": "is_divergent",
}


def _statistics(posterior: Posterior) -> dict[str, Any]:
    shape = posterior.regularizers.shape
    statistics: dict[str, Any] = {"regularizer": posterior.regularizers, "loss": posterior.losses}
    for name, own in _STATISTICS.items():
        values = [chain[own] for chain in posterior.chains]
        if values and all(one.size == shape[1] for one in values):
            statistics[name] = np.stack(values)
    return statistics


def to_arviz(posterior: Posterior) -> Any:
    """InferenceData in ArviZ 0.x, a DataTree in 1.x."""
    arviz = need("arviz", "Posterior.to_arviz()")
    groups = {"posterior": dict(posterior.draws), "sample_stats": _statistics(posterior)}
    is_first = int(arviz.__version__.partition(".")[0]) == 0
    data = arviz.from_dict(**groups) if is_first else arviz.from_dict(groups)
    attrs = {"model": posterior.model, "regularizer": posterior.regularizer, "beta": posterior.beta}
    (data.posterior if is_first else data["posterior"]).attrs.update(attrs)
    return data
