"""How long functions are called: threads, processes, progress, cancellation; what follows an interrupted training."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from . import _core
from ._arguments import check_callable, check_cancel, check_progress
from ._errors import Interrupted, refuse
from ._mpi import Communicator, handle_of
from ._progress import Display, Epoch, ProgressArgument

if TYPE_CHECKING:
    from .run import Run


class Cancel(Protocol):
    """Anything that can be asked whether to stop, such as `threading.Event`."""

    def is_set(self) -> bool:
        """Whether the computation is to end."""
        ...


@contextmanager
def controlled(
    threads: int,
    progress: ProgressArgument,
    cancel: Cancel | None,
    on_epoch: Callable[[Epoch], object] | None = None,
    comm: Communicator | None = None,
) -> Iterator[_core.Control]:
    """A `Control` for one call of the extension."""
    n_threads = _count(threads)
    check_cancel(cancel)
    check_progress(progress)
    check_callable(on_epoch, "callback")
    display = Display(progress, on_epoch)
    try:
        yield _core.Control(n_threads, display.report, cancel, handle_of(comm))
    finally:
        display.close()


def _count(threads: Any) -> int:
    if not isinstance(threads, (int, np.integer)) or threads < 0:
        refuse(f"`{threads}` is no number of threads", "0 for one per core, or how many", argument="threads")
    return int(threads)


_interrupted: list[Run] = []


def interrupted_run() -> Run:
    """The run of the last training that Ctrl-C, a notebook's stop button or an exception in a callback ended.

    `greybox.interrupted_run().resume()` continues it to the same bits as without the interruption.

    Raises:
        LookupError: no training was interrupted in this process.
    """
    if not _interrupted:
        raise LookupError("no training was interrupted in this process")
    return _interrupted[-1]


def _keep(run: Run) -> None:
    _interrupted[:] = [run]


@contextmanager
def trainings(wrap: Callable[[_core.Run], Run]) -> Iterator[None]:
    """Around a training: what interrupts it gets the run, so that it can be continued."""
    try:
        yield
    except BaseException as error:
        core_run = getattr(error, "core_run", None)
        if core_run is None:
            raise
        del error.core_run  # type: ignore[attr-defined]
        run = wrap(core_run)
        if run.outcome != "interrupted":
            raise
        _keep(run)
        how = "`run = greybox.interrupted_run()` has it, and `run.resume()` continues"
        if type(error) is KeyboardInterrupt:
            done = run.record["epochs_done"] if run.record else 0
            raise Interrupted(f"interrupted after {done} epochs; {how}", run) from None
        _attach(error, run, f"the training was interrupted: {how}")
        raise


def _attach(error: BaseException, run: Run, note: str) -> None:
    try:
        error.run = run  # type: ignore[attr-defined]
    except AttributeError:
        return
    add_note: Any = getattr(error, "add_note", None)  # Python 3.11 and later
    if add_note is not None:
        add_note(note)
