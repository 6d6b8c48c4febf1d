"""Processes that share a computation: communicators of mpi4py."""

from __future__ import annotations

import sys
from typing import Any, Protocol

from . import _core
from ._errors import refuse


class Communicator(Protocol):
    """A communicator of mpi4py, such as `MPI.COMM_WORLD`."""

    def py2f(self) -> int:
        """The handle by which other libraries know it."""
        ...


def handle_of(comm: Communicator | None) -> int | None:
    """The handle for the extension, once it is certain that the extension can use it."""
    if comm is None:
        return None
    mpi: Any = sys.modules.get("mpi4py.MPI")
    if mpi is None or not isinstance(comm, mpi.Comm):
        refuse(
            f"{type(comm).__name__} is no communicator",
            "give one of mpi4py: `from mpi4py import MPI`, and `comm=MPI.COMM_WORLD`",
            argument="comm",
        )
    ours, theirs = _first_line(_core.mpi_library()), _first_line(mpi.Get_library_version())
    if not ours:
        refuse(
            "this greybox was built without MPI",
            "install it with `pip install . --config-settings=cmake.define.GREYBOX_WITH_MPI=ON`",
            argument="comm",
        )
    if ours != theirs:
        refuse(
            f"mpi4py uses {theirs}, and greybox was built with {ours}",
            "build both with the same MPI, or choose it for mpi4py by MPI4PY_MPIABI",
            argument="comm",
        )
    if mpi.Query_thread() < mpi.THREAD_SERIALIZED:
        refuse(
            "MPI was started for the main thread alone",
            'leave `mpi4py.rc.thread_level` at "multiple", or set it to "serialized"',
            argument="comm",
        )
    return int(comm.py2f())


def _first_line(text: str) -> str:
    return text.strip("\0 \n").split("\n")[0]
