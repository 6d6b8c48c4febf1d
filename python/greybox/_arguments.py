"""Arguments as people give them, checked before anything is done."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from ._errors import refuse

T = TypeVar("T")


def path_of(given: Any, argument: str) -> str:
    """The text of a path."""
    if not isinstance(given, (str, os.PathLike)):
        refuse(f"{type(given).__name__} is no path", "give a text or a pathlib.Path", argument=argument)
    return os.fspath(given)


def path_or_none(given: Any, argument: str) -> str | None:
    """The text of a path, if there is one."""
    return None if given is None else path_of(given, argument)


def check_callable(given: Any, argument: str) -> None:
    """Refuses what cannot be called; None is nothing to call."""
    if given is not None and not callable(given):
        refuse(f"{type(given).__name__} cannot be called", "give a function of one argument", argument=argument)


def check_cancel(given: Any) -> None:
    """Refuses what cannot be asked whether to stop."""
    if given is not None and not callable(getattr(given, "is_set", None)):
        help_ = "give a threading.Event, or anything with is_set()"
        refuse(f"{type(given).__name__} has no is_set()", help_, argument="cancel")


def check_progress(given: Any) -> None:
    """Refuses what neither shows progress nor hides it."""
    if not isinstance(given, bool) and not callable(given):
        refuse(f"`{given}` says nothing of progress", "give True, False or a function", argument="progress")


def handles(runs: Any, argument: str) -> list[Any]:
    """The extension's objects of runs."""
    given: list[Any] = [runs] if isinstance(runs, str) or not isinstance(runs, Iterable) else list(runs)
    for one in given:
        if not hasattr(one, "fit_judgement"):
            what = f"`{one}`" if isinstance(one, str) else type(one).__name__
            refuse(f"{what} is no run", "give runs, such as [greybox.open(folder), …]", argument=argument)
    return [one._handle for one in given]


def texts(given: Any, argument: str) -> list[str]:
    """One text, or several."""
    found: list[Any] = [given] if isinstance(given, str) or not isinstance(given, Iterable) else list(given)
    for one in found:
        if not isinstance(one, str):
            refuse(f"`{one}` is no text", "give expressions as texts", argument=argument)
    return found


def numbers(given: Any, argument: str) -> list[float]:
    """One number, or several."""
    found = list(given) if isinstance(given, Iterable) and not isinstance(given, str) else [given]
    try:
        return [float(one) for one in found]
    except (TypeError, ValueError):
        refuse(f"`{given}` is not all numbers", "give a list of numbers", argument=argument)


def pair(given: Any, argument: str) -> tuple[float, float]:
    """Two numbers."""
    both = numbers(given, argument)
    if len(both) != 2:
        refuse(f"`{given}` is no pair of numbers", "give the first and the last", argument=argument)
    return both[0], both[1]


def one_of(value: str | None, names: Sequence[str], argument: str) -> str | None:
    """A name out of a list, if one is given."""
    if value is not None and value not in names:
        refuse(f"`{value}` is none", f"one of {', '.join(names)}", argument=argument)
    return value


def entry(entries: Mapping[str, T], name: str, what: str) -> T:
    """The entry of this name, or a `KeyError` that says which there are."""
    if name not in entries:
        raise KeyError(f"there is no {what} `{name}`; there are {', '.join(entries)}")
    return entries[name]
