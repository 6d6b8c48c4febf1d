"""Strong and weak scaling over threads and ranks of trials, further networks and one training, and what that would be on
more cores."""
import json
import math
import os
import resource
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from batches import write_batch
from runs import BUILD, EXAMPLES, run_json

TOOL = BUILD / "greybox"
# What is aimed at on two ranks of a machine with nothing else to do.
AIMS = {"trials (toy)": 0.9, "networks (pendulum)": 0.9, "reaction-diffusion": 0.85}
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def launcher(ranks):
    """The words before the tool; threads are what is left."""
    if ranks == 1:
        return []
    words = [shutil.which("mpirun"), "-n", str(ranks)]
    is_open_mpi = "Open MPI" in subprocess.run(["mpirun", "--version"], capture_output=True, text=True).stdout
    return words + (["--oversubscribe", "--bind-to", "none"] if is_open_mpi else [])


def processor_seconds():
    """Of all processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def seconds_of(arguments, ranks):
    """By the clock, and of processor time in all ranks."""
    start, before = time.perf_counter(), processor_seconds()
    subprocess.run([*launcher(ranks), str(TOOL), *map(str, arguments)], check=True, capture_output=True, env=ENVIRONMENT)
    return time.perf_counter() - start, processor_seconds() - before


class Trials:
    """Trials of a comparison, in a folder of their own each time."""

    name = "trials (toy)"

    def __init__(self, scratch):
        self.scratch = Path(scratch)
        for ending in ("toml", "csv"):
            shutil.copy(EXAMPLES / f"toy.{ending}", self.scratch)

    def seconds(self, n_tasks, threads, ranks):
        folder = self.scratch / "compared"
        shutil.rmtree(folder, ignore_errors=True)
        return seconds_of(["compare", self.scratch / "toy.toml", "--modes", "inductive", "--lambda", "1e-2", "--trials", n_tasks,
                           "--epochs", 60000, "--threads", threads, "-o", folder], ranks)


class Networks:
    """Further networks of a landscape."""

    name = "networks (pendulum)"

    def __init__(self, scratch):
        self.run = Path(scratch) / "run"
        data, model = Path(scratch) / "pendulum.csv", Path(scratch) / "pendulum.toml"
        shutil.copy(EXAMPLES / "pendulum.toml", model)
        seconds_of(["data", "pendulum", "--simulated", "-o", data], 1)
        seconds_of(["train", model, "--epochs", 2, "-o", self.run], 1)

    def seconds(self, n_tasks, threads, ranks):
        for kept in ("seeds", "shards"):
            shutil.rmtree(self.run / kept, ignore_errors=True)
        # Of a shard only the trainings are done.
        return seconds_of(["landscape", self.run, "--seeds", 2 * n_tasks + 1, "--threads", threads, "--shard", "1/2"], ranks)


def measure(work, n_tasks, rounds):
    """Rows of (kind, threads, ranks, tasks, seconds, efficiency, processor seconds, efficiency by those), the best of
    interleaved rounds. By processor time, what ranks do in vain counts, and not that one of them has nothing to do."""
    cases = [("strong", 1, 1, n_tasks), ("strong", 2, 1, n_tasks), ("strong", 1, 2, n_tasks), ("strong", 1, 4, n_tasks),
             ("weak", 2, 1, 2 * n_tasks), ("weak", 1, 2, 2 * n_tasks)]
    best, least = [math.inf] * len(cases), [math.inf] * len(cases)
    for _ in range(rounds):
        for i, (_, threads, ranks, n) in enumerate(cases):
            if ranks == 1 or shutil.which("mpirun"):
                seconds, processor = work.seconds(n, threads, ranks)
                best[i], least[i] = min(best[i], seconds), min(least[i], processor)
    for (kind, threads, ranks, n), seconds, processor in zip(cases, best, least):
        workers = min(threads * ranks, os.cpu_count() or 1)
        share = n / n_tasks
        yield kind, threads, ranks, n, seconds, best[0] * share / (seconds * workers), processor, least[0] * share / processor


def project(one, two_ranks, n_tasks):
    """From one and two ranks: T(P) = start + ⌈n / P⌉ (task + hand-out), the last two measured together on two ranks."""
    start = seconds_of(["--version"], 2)[0] if shutil.which("mpirun") else 0
    task = one / n_tasks
    shared = max((two_ranks - start) / math.ceil(n_tasks / 2), task)
    for ranks in (8, 64, 512):
        n = 40 * ranks
        seconds = start + math.ceil(n / ranks) * shared
        yield ranks, n, seconds, n * task / ranks / seconds


class Training:
    """Steps of one training, whose batch of `blocks` blocks is shared by ranks."""

    def __init__(self, model, blocks, sizes):
        self.model, self.blocks, self.sizes = model, blocks, sizes

    def step(self, scratch, ranks, scale=1):
        data = Path(scratch) / f"{self.model}-{scale}.npz"
        if not data.exists():
            write_batch(self.model, data, **{name: scale * n for name, n in self.sizes.items()})
        return run_json([*launcher(ranks), BUILD / "rank_timer", EXAMPLES / f"{self.model}.toml", "--data", data, "--steps", 2,
                         "--rounds", 3], env=ENVIRONMENT, stderr=subprocess.DEVNULL)

    def measure(self, rounds):
        """The rounds with the shortest steps: on one rank, on two, and on two with twice the batch; interleaved."""
        cases, best = [(1, 1), (2, 1), (2, 2)], [None] * 3
        with tempfile.TemporaryDirectory() as scratch:
            for _ in range(rounds):
                for i, (ranks, scale) in enumerate(cases):
                    outcome = self.step(scratch, ranks, scale)
                    if best[i] is None or outcome["shortest"] < best[i]["shortest"]:
                        best[i] = outcome
        return best


def work_of(outcome):
    """Processor time of the busiest rank without what it spent in messages."""
    return max(outcome["processor_per_step"])


def talk_of(outcome, ranks):
    """What its messages take where nobody is late: each goes through as many stages as the ranks can be halved."""
    message = outcome["message_seconds"]
    byte = max(outcome["megabyte_seconds"] - message, 0) / 2**20
    return math.ceil(math.log2(ranks)) * outcome["messages_per_step"] * message + outcome["bytes_per_step"] * byte


def report_training(training, rounds):
    """Prints it; gives the efficiencies on two ranks by the clock and by processor time."""
    one, two, doubled = training.measure(rounds)
    print(f"\n{training.model}, {training.blocks} blocks: measured on {os.cpu_count()} cores, the best of {rounds} interleaved rounds\n")
    print("| scaling | ranks | step | efficiency | busiest rank's processor time | efficiency by it |\n|---|---|---|---|---|---|")
    print(f"| | 1 | {1e3 * one['shortest']:.1f} ms | | {1e3 * work_of(one):.1f} ms | |")
    for name, outcome, size in (("strong", two, 1), ("weak", doubled, 2)):
        ideal = work_of(one) * size / 2
        print(f"| {name} | 2 | {1e3 * outcome['shortest']:.1f} ms | {one['shortest'] * size / 2 / outcome['shortest']:.2f} "
              f"| {1e3 * work_of(outcome):.1f} ms | {ideal / (work_of(outcome) + talk_of(outcome, 2)):.2f} |")
    print(f"\nA step has {two['messages_per_step']:.0f} messages with {two['bytes_per_step'] / 1024:.0f} KiB in all; a short message takes "
          f"{1e6 * two['message_seconds']:.1f} µs, one of a megabyte {1e6 * two['megabyte_seconds']:.0f} µs.")
    print("\n**Projection, not measured**: ranks with a core each, messages as quick as here\n\n| ranks | step | efficiency |\n|---|---|---|")
    serial = max(work_of(two) - work_of(one) * math.ceil(training.blocks / 2) / training.blocks, 0)
    for ranks in sorted({2, 4, 8, training.blocks}):
        seconds = work_of(one) * math.ceil(training.blocks / ranks) / training.blocks + serial + talk_of(two, ranks)
        print(f"| {ranks} | {1e3 * seconds:.1f} ms | {work_of(one) / ranks / seconds:.2f} |")
    return one["shortest"] / 2 / two["shortest"], work_of(one) / 2 / (work_of(two) + talk_of(two, 2))


def report_aims(found, load):
    """Of efficiencies on two ranks, by the clock and by processor time; `load` is that of the machine before."""
    print("\n| two ranks | aim | by the clock | by processor time |\n|---|---|---|---|")
    for name, (by_clock, by_processor) in found.items():
        print(f"| {name} | {AIMS[name]} | {by_clock:.2f} | {by_processor:.2f} |")
    if load > 0.5:
        print(f"\nThe machine had other work (load {load:.1f}): times by the clock mean little.")


def need_programs():
    missing = [name for name in ("greybox", "rank_timer") if not (BUILD / name).exists()]
    if missing:
        raise SystemExit(f"there is no {' and no '.join(missing)} in {BUILD}: cmake --preset release -B {BUILD} -DGREYBOX_WITH_MPI=ON "
                         f"-DGREYBOX_BUILD_BENCH=ON && cmake --build {BUILD} --target greybox_tool rank_timer, and GREYBOX_BUILD={BUILD}")


def report(n_tasks, rounds):
    need_programs()
    found, load = {}, os.getloadavg()[0]
    if shutil.which("mpirun"):
        found["reaction-diffusion"] = report_training(Training("reaction-diffusion", 20, {"n_samples": 20}), rounds)
        report_training(Training("pendulum", 15, {"n_samples": 400}), rounds)
    for kind in (Trials, Networks):
        with tempfile.TemporaryDirectory() as scratch:
            rows = list(measure(kind(scratch), n_tasks, rounds))
            print(f"\n{kind.name}: measured on {os.cpu_count()} cores, the best of {rounds} interleaved rounds\n")
            print("| scaling | threads | ranks | tasks | seconds | efficiency | processor time | efficiency by it |")
            print("|---|---|---|---|---|---|---|---|")
            for name, threads, ranks, n, seconds, efficiency, processor, by_processor in rows:
                print(f"| {name} | {threads} | {ranks} | {n} | {seconds:.2f} | {efficiency:.2f} | {processor:.2f} s | {by_processor:.2f} |")
            if not math.isfinite(rows[2][4]):
                continue
            found[kind.name] = (rows[2][5], rows[2][7])
            print("\n**Projection, not measured**: ranks with a core each, 40 tasks per rank\n")
            print("| ranks | tasks | seconds | efficiency |\n|---|---|---|---|")
            for ranks, n, seconds, efficiency in project(rows[0][4], rows[2][4], n_tasks):
                print(f"| {ranks} | {n} | {seconds:.1f} | {efficiency:.2f} |")
            print(json.dumps({"name": kind.name, "rows": rows}))
    report_aims(found, load)
