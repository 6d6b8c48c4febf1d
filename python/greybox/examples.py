"""The examples: their models and their data."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Literal

from . import _core
from ._arguments import path_or_none
from ._control import controlled
from ._errors import in_python, refuse
from ._progress import ProgressArgument
from .model import Model

DataSet = Literal["toy", "damped-pendulum", "reaction-diffusion", "pendulum", "predator-prey"]
_MODELS = ("toy", "pendulum", "reaction-diffusion", "predator-prey")
_DATA = (*_MODELS, "damped-pendulum")


def example(name: Literal["toy", "pendulum", "reaction-diffusion", "predator-prey"]) -> Model:
    """The model of an example; its data are given to `fit`, or made by `make_data`.

    Examples:
        >>> example("toy").parameters["a"].high
        2.0
    """
    if name not in _MODELS:
        refuse(f"there is no example `{name}`", f"one of {', '.join(_MODELS)}", argument="name")
    return Model.from_text(_core.example_model(name), f"{name}.toml")


def make_data(
    name: DataSet,
    file: str | os.PathLike[str] | None = None,
    *,
    overwrite: bool = False,
    seed: int = 2,
    size: int = 0,
    grid: int = 0,
    simulated: bool = False,
    mirror: str = "",
    source: str | os.PathLike[str] | None = None,
    threads: int = 0,
    progress: ProgressArgument = True,
) -> Path:
    """Make, convert or download a data set as `greybox data` does; returns the file.

    Args:
        name: of the data set.
        file: where to write; None: the set's name in the current folder.
        overwrite: replace a file that is there.
        seed: of made or simulated data.
        size: rows of the toy, sequences of reaction–diffusion, pendulums; 0: as in the paper.
        grid: points per side of reaction–diffusion; 0: as in the paper.
        simulated: a simulated stand-in instead of the published data.
        mirror: address of a folder to download from.
        source: the published file at hand, or the folder that holds it, instead of downloading.
        threads: 0 for one per core.
        progress: as for `Model.fit`.
    """
    if name not in _DATA:
        refuse(f"there is no data set `{name}`", f"one of {', '.join(_DATA)}", argument="name")
    options: dict[str, Any] = {
        "set": name,
        "output": path_or_none(file, "file"),
        "overwrite": overwrite,
        "seed": seed,
        "size": size,
        "grid": grid,
        "simulated": simulated,
        "mirror": mirror or os.environ.get("GREYBOX_DATA_MIRROR", ""),
        "from": path_or_none(source, "source"),
    }
    try:
        with controlled(threads, progress, None) as control:
            return Path(_core.make_data(options, control))
    except RuntimeError as error:  # a download that failed says what to do instead
        raise type(error)(in_python(str(error))) from None
