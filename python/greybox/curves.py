"""Curves: how a training went."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ._arguments import entry
from ._optional import need

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

Floats = npt.NDArray[np.float64]


class Curves(Mapping[str, Floats]):
    """One array per quantity, one value per epoch: epoch, loss, regularizer, validation_loss, rate, …"""

    def __init__(self, columns: Mapping[str, Any]) -> None:
        self._columns: dict[str, Floats] = {name: np.array(values, dtype=float) for name, values in columns.items()}

    def __getitem__(self, name: str) -> Floats:
        return entry(self._columns, name, "curve")

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def to_pandas(self) -> pd.DataFrame:
        """One row per epoch."""
        pandas = need("pandas", "Curves.to_pandas()")
        columns = {name: values for name, values in self._columns.items() if name != "epoch"}
        epochs = pandas.Index(self["epoch"].astype(int), name="epoch")
        frame: pd.DataFrame = pandas.DataFrame(columns, index=epochs)
        return frame

    def plot(self, *, ax: Any = None) -> list[Axes]:
        """Draw loss and regularizer of training and validation over the epochs.

        Args:
            ax: two axes to draw on; None: a new figure.
        """
        from ._plot_curves import plot_curves

        return plot_curves(self, ax)

    def __repr__(self) -> str:
        n = self["epoch"].size
        return f"<greybox.Curves of {n} epochs: L {self['loss'][-1]:.4g}>" if n else "<greybox.Curves: no epoch yet>"
