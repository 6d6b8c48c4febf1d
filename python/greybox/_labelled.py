"""What has a name, a unit and a description."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Labelled:
    """A quantity as pictures call it."""

    name: str
    unit: str
    about: str

    @property
    def label(self) -> str:
        """For a picture: `g (gravity)  [m/s^2]`."""
        return self.name + (f" ({self.about})" if self.about else "") + (f"  [{self.unit}]" if self.unit else "")
