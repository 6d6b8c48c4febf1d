"""What trainings are given and give back, beyond the extension's own checks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ._errors import refuse, warn_all

if TYPE_CHECKING:
    from .run import Run

Mode = Literal["adaptive", "inductive", "transductive", "refit", "aphynity", "tailored"]
Precision = Literal["float", "double"]


def precision_is_single(precision: str) -> bool:
    """Refuses what is neither."""
    if precision not in ("float", "double"):
        refuse(f"`{precision}` is no precision", '"float" or "double"', argument="precision")
    return precision == "float"


def check_mode(mode: str, argument: str = "mode") -> None:
    """Refuses a mode that there is not."""
    known = ("adaptive", "inductive", "transductive", "refit", "aphynity", "tailored")
    if mode not in known:
        refuse(f"`{mode}` is no mode", f"one of {', '.join(known)}", argument=argument)


def finished(run: Run) -> Run:
    """A run after its training, with its warnings issued."""
    texts = list(run._handle.warnings())
    if run.outcome == "diverged":
        texts.append(run.message)
    fit = run.fit_judgement
    if fit is not None and fit.word == "does not fit":
        texts.append(f"the run {fit.sentence}")
    warn_all(texts)
    return run
