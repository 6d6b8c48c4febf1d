"""Communicators that cannot be used are refused before anything is done."""

import greybox as gb

model = gb.Model("toy.toml")


def refused(comm, part):
    try:
        model.fit(epochs=1, comm=comm, progress=False)
    except gb.InputError as error:
        assert part in str(error), error
    else:
        raise AssertionError(f"{comm} was taken")


refused("world", "is no communicator")

import mpi4py

mpi4py.rc.thread_level = "funneled"
from mpi4py import MPI

refused(MPI.COMM_WORLD, "main thread alone")
