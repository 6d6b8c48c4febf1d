"""Progress: a bar in a terminal, one line that updates in a notebook, nothing in a log."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TextIO, Union

_WIDTH = 24
# Of what is shown; callbacks hear every epoch.
_SECONDS_BETWEEN = 0.1


@dataclass(frozen=True)
class Epoch:
    """What is known at the end of an epoch; validation values are NaN in epochs without validation."""

    #: Counted from 1, of `epochs`.
    epoch: int
    epochs: int
    loss: float
    regularizer: float
    validation_loss: float
    validation_regularizer: float
    rate: float
    #: Of the loss, in mode aphynity; NaN otherwise.
    multiplier: float
    samples_per_second: float
    seconds_left: float


@dataclass(frozen=True)
class Progress:
    """How far a computation has come."""

    #: "training", "landscape", …
    stage: str
    #: What is counted: "epochs", "trials", …
    unit: str
    n_done: int
    n_total: int
    #: Of trainings: which one of how many, and its last epoch.
    training: int
    n_trainings: int
    epoch: Epoch | None


ProgressArgument = Union[bool, Callable[[Progress], object]]
Report = Callable[[dict[str, Any]], None]


def _progress_of(fields: dict[str, Any]) -> Progress:
    epoch = fields["epoch"]
    return Progress(**{**fields, "epoch": None if epoch is None else Epoch(**epoch)})


def _text(progress: Progress) -> str:
    """One line: `training 3/5 ▕████    ▏ 120/500 epochs  L 0.0123  R 0.456  12 s left`."""
    share = progress.n_done / progress.n_total if progress.n_total else 1.0
    filled = min(_WIDTH, math.floor(share * _WIDTH))
    which = f" {progress.training}/{progress.n_trainings}" if progress.n_trainings > 1 else ""
    bar = "█" * filled + " " * (_WIDTH - filled)
    line = f"{progress.stage}{which} ▕{bar}▏ {progress.n_done}/{progress.n_total} {progress.unit}"
    epoch = progress.epoch
    if epoch is None:
        return line
    line += f"  L {epoch.loss:.4g}  R {epoch.regularizer:.4g}"
    if math.isfinite(epoch.seconds_left) and epoch.seconds_left >= 1:
        line += f"  {epoch.seconds_left:.0f} s left"
    return line


class TerminalLine:
    """Rewrites the last line of a terminal."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def show(self, text: str) -> None:
        """Replace the line."""
        self._stream.write("\r\x1b[K" + text)
        self._stream.flush()

    def close(self) -> None:
        """Leave the terminal as it was."""
        self._stream.write("\r\x1b[K")
        self._stream.flush()


class NotebookLine:
    """One output of a notebook's cell that is replaced."""

    def __init__(self) -> None:
        self._handle: Any = None

    def show(self, text: str) -> None:
        """Replace the output."""
        from IPython.display import display

        bundle = {"text/plain": text}
        if self._handle is None:
            self._handle = display(bundle, raw=True, display_id=True)  # type: ignore[no-untyped-call]
        else:
            self._handle.update(bundle, raw=True)

    def close(self) -> None:
        """The last line stays: it says what was done."""


def _is_notebook() -> bool:
    ipython = sys.modules.get("IPython")
    if ipython is None:
        return False
    shell = ipython.get_ipython()
    return shell is not None and type(shell).__name__ == "ZMQInteractiveShell"


def _line() -> TerminalLine | NotebookLine | None:
    if _is_notebook():
        return NotebookLine()
    if sys.stderr is not None and sys.stderr.isatty():
        return TerminalLine(sys.stderr)
    return None


class Display:
    """Shows progress, and tells it to callbacks; `report` is what the extension calls."""

    def __init__(self, progress: ProgressArgument, on_epoch: Callable[[Epoch], object] | None = None) -> None:
        self._callback = progress if callable(progress) else None
        self._on_epoch = on_epoch
        self._line = _line() if progress is True else None
        self._last_shown = -math.inf

    @property
    def report(self) -> Report | None:
        """None: nobody listens."""
        if self._callback is None and self._on_epoch is None and self._line is None:
            return None
        return self._report

    def _report(self, fields: dict[str, Any]) -> None:
        progress = _progress_of(fields)
        if self._line is not None:
            now = time.monotonic()
            if now - self._last_shown > _SECONDS_BETWEEN or progress.n_done >= progress.n_total:
                self._last_shown = now
                self._line.show(_text(progress))
        if self._callback is not None:
            self._callback(progress)
        if self._on_epoch is not None and progress.epoch is not None:
            self._on_epoch(progress.epoch)

    def close(self) -> None:
        """After the computation, however it ended."""
        if self._line is not None:
            self._line.close()
