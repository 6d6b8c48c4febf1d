"""How long a piece of work takes, and on how many cores it may run."""
import os
import time

N_WARM_UP = 3


def time_repeatedly(work, seconds, clock=time.perf_counter):
    """How long every repetition within the given time took, at least three, by that clock."""
    for _ in range(N_WARM_UP):
        work()
    durations, began = [], time.perf_counter()
    while time.perf_counter() - began < seconds or len(durations) < 3:
        start = clock()
        work()
        durations.append(clock() - start)
    return durations


def pin_to(n_threads):
    """Whatever pools of threads a library makes, they share so many cores."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:n_threads])
