"""What greybox raises and warns of."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from .run import Run

# Options of the library that Python calls by another name.
_ARGUMENTS = {
    "lambda": "lambda_",
    "regularizers": "extra",
    "single_precision": "precision",
    "n_threads": "threads",
    "with": "with_runs",
    "held": "at",
    "each_window": "each",
    "reference": "at",
    "from": "source",
    "is_simulated": "simulated",
}


def in_python(text: str) -> str:
    """A message of the library with the names of Python's arguments."""
    text = text.replace("with option `resume`", "with `run.resume()`")
    text = text.replace("`greybox data`", "`greybox.make_data(…)`").replace("`greybox landscape`", "`run.landscape()`")

    def rename(match: re.Match[str]) -> str:
        return f"argument `{_ARGUMENTS.get(match[1], match[1])}`"

    return re.sub(r"option `(\w+)`", rename, text)


@dataclass(frozen=True)
class Diagnostic:
    """One mistake: what, where, and how to mend it."""

    message: str
    help: str = ""
    file: str = ""
    #: Line and column in a text file, from 1; 0 where they are not known.
    line: int = 0
    column: int = 0
    #: The place in data, such as ``row 12, column `velocity` ``.
    element: str = ""
    #: The argument that is wrong.
    argument: str = ""


class InputError(ValueError):
    """The input is wrong; the text says what, where and how to mend it.

    `diagnostics` has every mistake that was found, not only the first.
    """

    diagnostics: tuple[Diagnostic, ...]

    def __init__(self, text: str, diagnostics: Iterable[Mapping[str, Any] | Diagnostic] = ()) -> None:
        super().__init__(in_python(text))
        self.diagnostics = tuple(_diagnostic(one) for one in diagnostics)

    def _renamed(self, argument: str, name: str) -> InputError:
        """The same about an argument of another name."""
        found = [replace(one, argument=name) if one.argument == argument else one for one in self.diagnostics]
        return InputError(str(self).replace(f"argument `{argument}`", f"argument `{name}`"), found)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.diagnostics)


def _diagnostic(given: Mapping[str, Any] | Diagnostic) -> Diagnostic:
    if isinstance(given, Diagnostic):
        return given
    option = given["option"]
    return Diagnostic(
        message=in_python(given["message"]),
        help=in_python(given["help"]),
        file=given["file"],
        line=given["line"],
        column=given["column"],
        element=given["element"],
        argument=_ARGUMENTS.get(option, option),
    )


def refuse(message: str, help_: str, *, place: str = "", argument: str = "") -> NoReturn:
    """Raise an `InputError` in the form that the library's have."""
    where = place or (f"argument `{argument}`" if argument else "")
    text = f"{where}: error: {message}" if where else f"error: {message}"
    raise InputError(f"{text}\n  help: {help_}", [Diagnostic(message, help_, element=place, argument=argument)])


class Interruption(RuntimeError):
    """A computation was cancelled by its `cancel` argument; the text says how to continue."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C, or the stop button of a notebook, ended a training; `run` continues it with `run.resume()`."""

    run: Run

    def __init__(self, message: str, run: Run) -> None:
        super().__init__(message)
        self.run = run


class GreyboxWarning(UserWarning):
    """What a result warns of; the result has the same text in its `warnings`."""


def warn_all(texts: Sequence[str]) -> list[str]:
    """Issue the library's warnings as Python's, from the caller of the public function.

    What another warning contains is not said twice.
    """
    translated = [in_python(text) for text in texts if not any(text != one and text in one for one in texts)]
    for text in translated:
        warnings.warn(text, GreyboxWarning, stacklevel=_depth_of_caller())
    return translated


def _depth_of_caller() -> int:
    """How far up the stack the first frame outside this package is."""
    import sys

    depth, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "greybox":
        frame = frame.f_back
        depth += 1
    return depth
