"""A model in a notebook: its parameters, and its mathematics section by section."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._html import escape, number, section, table
from ._mathml import to_mathml

if TYPE_CHECKING:
    from .model import Model

_SECTIONS = {
    "inputs": "Inputs",
    "define": "Definitions",
    "state": "Initial state",
    "latent": "Latents",
    "theory": "Theory",
    "data_driven": "Data-driven part",
    "composition": "Composition",
    "observe": "Observed",
    "estimator": "Estimator",
    "regularizers": "Regularizers",
}


def model_html(model: Model) -> str:
    """Name, parameters and equations."""
    about = f" — {escape(model.about)}" if model.about else ""
    parts = [f"<p><strong>{escape(model.name)}</strong>{about}</p>", _parameter_table(model)]
    for key, title in _SECTIONS.items():
        lines = [to_mathml(one.latex) for one in model.equations if one.section == key]
        if lines:
            parts.append(section(title, "".join(f"<p>{line}</p>" for line in lines)))
    return "".join(parts)


def _parameter_table(model: Model) -> str:
    rows = []
    for p in model.parameters.values():
        unit = f" {escape(p.unit)}" if p.unit else ""
        prior = f"{escape(p.prior)}, {number(p.low)} to {number(p.high)}{unit}"
        rows.append([escape(p.name), escape(p.about), prior])
    return table(["parameter", "", "prior"], rows)
