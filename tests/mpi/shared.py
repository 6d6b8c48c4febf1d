"""Every rank makes the same calls; what the first gets must be what one process alone gets."""

import threading

import numpy as np
from mpi4py import MPI

import greybox as gb

comm = MPI.COMM_WORLD
is_first = comm.rank == 0
model = gb.Model("toy.toml")
# Read by the first rank alone.
columns = np.genfromtxt("toy.csv", delimiter=",", names=True) if is_first else None
columns = comm.bcast(columns)
data = {name: columns[name].copy() for name in columns.dtype.names}
quiet = {"progress": False}


def same(shared, alone):
    for name, array in alone.items():
        assert np.array_equal(shared[name], array, equal_nan=True), name


run = model.fit(data, epochs=20, seed=1, folder="shared", comm=comm, **quiet)
alone = model.fit(data, epochs=20, seed=1, threads=1, **quiet)
same(run.weights, alone.weights)  # on every rank

shared_map = run.landscape(a=(0, 2, 7), c=(-1, 1, 5), seeds=4, comm=comm, **quiet)
shared_estimate = run.estimate("normD", method="lbfgs", starts=4, comm=comm, **quiet)
shared_draws = run.sample("normD", beta=10, method="nuts", chains=2, draws=20, warmup=20, comm=comm, **quiet)
shared_table = gb.compare(model, data, lambdas=[1e-2], trials=2, epochs=3, comm=comm, **quiet)
half = comm.Split(comm.rank % 2)
refitted = run.refit({"a": 1.0, "c": 0.2}, epochs=3, comm=half, **quiet)  # a communicator of one's own
if is_first:
    own = alone.landscape(a=(0, 2, 7), c=(-1, 1, 5), seeds=4, **quiet)
    assert shared_map.to_pandas().equals(own.to_pandas())
    assert shared_estimate.theta == alone.estimate("normD", method="lbfgs", starts=4, **quiet).theta
    draws = alone.sample("normD", beta=10, method="nuts", chains=2, draws=20, warmup=20, **quiet)
    assert shared_draws.to_pandas().equals(draws.to_pandas())
    table = gb.compare(model, data, lambdas=[1e-2], trials=2, epochs=3, **quiet)
    assert shared_table.to_pandas().equals(table.to_pandas())
same(refitted.weights, alone.refit({"a": 1.0, "c": 0.2}, epochs=3, **quiet).weights)

# One rank is told to stop: all stop after the same step, and all go on together.
cancel = threading.Event()
epochs = []


def stop_after_three(epoch):
    epochs.append(epoch.epoch)
    if epoch.epoch == 3:
        cancel.set()


stopped = model.fit(data, epochs=200, seed=1, cancel=cancel, callback=stop_after_three, comm=comm, **quiet)
assert stopped.outcome == "interrupted"
assert len(epochs) < 200
same(stopped.resume(comm=comm, **quiet).weights, model.fit(data, epochs=200, seed=1, threads=1, **quiet).weights)
