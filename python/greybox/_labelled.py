"""What has a name, a unit and a description."""

from __future__ import annotations

import re
from dataclasses import dataclass

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def raised(unit: str) -> str:
    """A unit as pictures show it.

    >>> raised("kg m^2 s^-3")
    'kg m² s⁻³'
    """
    return re.sub(r"\^(-?\d+)", lambda power: power[1].translate(_RAISED), unit)


@dataclass(frozen=True)
class Labelled:
    """A quantity as pictures call it."""

    name: str
    unit: str
    about: str

    @property
    def label(self) -> str:
        """For a picture: `g (gravity)  [m/s²]`."""
        about, unit = f" ({self.about})" if self.about else "", f"  [{raised(self.unit)}]" if self.unit else ""
        return self.name + about + unit
