"""What a model consists of, and what it says about itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ._html import escape, warnings


@dataclass(frozen=True)
class Parameter:
    """A parameter of the theory and its prior; bounds are infinite where there is none."""

    name: str
    unit: str
    about: str
    prior: str
    low: float
    high: float


@dataclass(frozen=True)
class Equation:
    """One equation: the table of the model file it stands in, its text and its LaTeX."""

    section: str
    name: str
    text: str
    latex: str


@dataclass(frozen=True)
class Summary:
    """A model explained; `text` is for a person, and what `print` shows."""

    text: str
    n_weights: int
    #: What is suspicious though not wrong.
    warnings: list[str]
    details: dict[str, Any]

    def __str__(self) -> str:
        return self.text + "".join(f"\nwarning: {text}" for text in self.warnings)

    def _repr_html_(self) -> str:
        return f"<pre>{escape(self.text)}</pre>" + warnings(self.warnings)
