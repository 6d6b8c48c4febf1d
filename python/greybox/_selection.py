"""Which windows a function looks at, as people write it."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, Union, get_args

import numpy as np

from ._calendar import Calendar, moment
from ._errors import refuse

#: A split (`"test"`), several (`"train+test"` or a list), `"all"`, the number of a window, `(series, time)` for the
#: window that starts there, or ranges of the inputs of an algebraic model: `{"x": (low, high, n)}`.
On = Union[str, int, Sequence[str], tuple[Any, Any], Mapping[str, tuple[float, float, int]], None]

#: Where parameters come from when their values are not given.
ThetaFrom = Literal["run", "estimate", "posterior", "estimator", "tailored"]

_NUMBER = (int, float, np.number)
_SPLITS = ("train", "validation", "test")


def selection(on: On, calendar: Calendar | None = None) -> tuple[Any, ...] | None:
    """The form that the extension reads."""
    if on is None:
        return None
    if isinstance(on, str):
        return ("splits", []) if on == "all" else _splits(on.split("+"))
    if isinstance(on, (int, np.integer)):
        if on < 0:
            refuse(f"there is no window {on}", "windows are counted from 0", argument="on")
        return ("index", int(on))
    if isinstance(on, Mapping):
        return ("points", [_range(name, axis) for name, axis in on.items()])
    if isinstance(on, tuple) and len(on) == 2 and not all(part in _SPLITS for part in on):
        return ("at", str(on[0]), float(moment(on[1], calendar, "on")))
    if not isinstance(on, Iterable):
        refuse(f"`{on}` chooses no windows", "a split, the number of a window or (series, time)", argument="on")
    return _splits(list(on))


def _splits(names: Sequence[Any]) -> tuple[Any, ...]:
    for name in names:
        if name not in _SPLITS:
            refuse(
                f"`{name}` is no split", 'one of train, validation, test, several joined by +, or "all"', argument="on"
            )
    return ("splits", list(names))


def _range(name: str, axis: Any) -> dict[str, Any]:
    if not isinstance(axis, Sequence) or len(axis) != 3 or not all(isinstance(one, _NUMBER) for one in axis):
        refuse(f"`{name}` needs a low end, a high end and a number of points", "such as (0, 1, 21)", argument="on")
    return {"column": name, "low": float(axis[0]), "high": float(axis[1]), "n_points": _n_points(axis[2], "on")}


def _n_points(given: Any, argument: str) -> int:
    if int(given) != given or given < 2:
        refuse(f"`{given}` is no number of points", "a whole number, 2 or more", argument=argument)
    return int(given)


def theta_options(theta: Mapping[str, float] | ThetaFrom | None) -> dict[str, Any]:
    """Values of parameters, or where they come from, as the extension reads them."""
    if theta is None:
        return {}
    if isinstance(theta, str):
        if theta not in get_args(ThetaFrom):
            refuse(f"`{theta}` is no origin of θ", f"one of {', '.join(get_args(ThetaFrom))}", argument="theta")
        return {"theta_from": theta}
    return {"theta": values_by_name(theta, "theta")}


def values_by_name(given: Any, argument: str) -> dict[str, float]:
    """Values of parameters; None: none."""
    if given is None:
        return {}
    if not hasattr(given, "keys"):
        refuse(f"`{given}` has no names", 'give values by name, such as {"g": 9.8}', argument=argument)
    values = dict(given)
    for name, value in values.items():
        if not isinstance(value, _NUMBER):
            refuse(f"`{value}` of `{name}` is no number", 'such as {"g": 9.8}', argument=argument)
    return {str(name): float(value) for name, value in values.items()}


def check_names(names: Iterable[str], parameters: Sequence[str], function: Callable[..., Any]) -> None:
    """Refuses what is neither a parameter of the model nor an argument of the function."""
    for name in names:
        if not isinstance(name, str):
            refuse(f"`{name}` is no name of a parameter", f"such as {parameters[0]!r}", argument="parameters")
        if name in parameters:
            continue
        arguments = [one for one in inspect.signature(function).parameters if one != "self"]
        near = difflib.get_close_matches(name, [*parameters, *arguments], 1)
        help_ = f"did you mean `{near[0]}`?" if near else f"the parameters are {', '.join(parameters)}"
        message = f"neither a parameter of the model nor an argument of `{function.__name__}`"
        refuse(message, help_, argument=name)


def varied(names: Sequence[str], ranges: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Parameters to vary: by name over their whole range, or (low, high), or (low, high, n_points)."""
    axes: list[dict[str, Any]] = [{"name": name} for name in names]
    for name, given in ranges.items():
        if given is None or given is True:
            axes.append({"name": name})
        elif isinstance(given, (int, np.integer)):
            axes.append({"name": name, "n_points": _n_points(given, name)})
        elif isinstance(given, Sequence) and len(given) in (2, 3) and all(isinstance(one, _NUMBER) for one in given):
            points = {"n_points": _n_points(given[2], name)} if len(given) == 3 else {}
            axes.append({"name": name, "low": float(given[0]), "high": float(given[1]), **points})
        else:
            refuse(f"`{given}` is no range", "give (low, high) or (low, high, n_points)", argument=name)
    return axes


def plane_of(plane: str | None) -> tuple[str, ...] | None:
    """The form that the extension reads."""
    if plane is None:
        return None
    kind, _, regularizer = str(plane).partition(":")
    if kind not in ("random", "pca"):
        refuse(f"`{plane}` is no plane", '"random", "pca" or "pca:REGULARIZER"', argument="plane")
    return (kind,) if kind == "random" else (kind, regularizer)
