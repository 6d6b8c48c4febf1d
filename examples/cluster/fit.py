"""One training and its further networks on the ranks of several computers: fit.py MODEL DATA RUN [NETWORKS]."""

import sys

import numpy as np
from mpi4py import MPI

import greybox as gb

comm = MPI.COMM_WORLD
model_file, data_file, folder = sys.argv[1:4]
n_networks = int(sys.argv[4]) if len(sys.argv) > 4 else 40

model = gb.Model(model_file)
# The first rank reads, whatever the format, and the others get what it has read.
data = None
if comm.rank == 0:
    columns = np.genfromtxt(data_file, delimiter=",", names=True)
    data = {name: columns[name].copy() for name in columns.dtype.names}
data = comm.bcast(data)

run = model.fit(data, folder=folder, resume=True, comm=comm)
landscape = run.landscape(seeds=n_networks, comm=comm)
if comm.rank == 0:
    print(landscape.to_pandas())
