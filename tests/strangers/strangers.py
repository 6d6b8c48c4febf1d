"""Hands damaged models, data and run folders to every command, and looks at how the commands end.

usage: strangers.py TOOL EXAMPLES [--seconds N] [--seed N] [--keep FOLDER]

A command may refuse what it is given (exit code 2 and a message) or fail for want of memory (exit code 1); it may not end by a signal, print
an exception of a library, wait for ever, write outside the run's folder, or bring another file's content into a report.
"""

from __future__ import annotations

import argparse
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from mutations import mutate

SECRET = "swordfish"
# Seconds of processor time, and of waiting, after which a command counts as hanging.
MOST_SECONDS, MOST_WAITING = 60, 150
# What no message says: words of libraries and of the compiler.
RAW = ["std::", "json.exception", "basic_string", "vector", "_M_", "stod", "stoi", "bad_", "terminate", "Assertion", "runtime error",
       "Sanitizer", "regex", "map::at", "optional"]
TANK = """name = "tank"
[data]
file = "tank.csv"
window = { length = 8, observed = 1, stride = 8 }
split = { train = 0.5, validation = 0.25, test = 0.25, by = "series" }
[parameters]
k = { prior = "uniform", low = 0.1, high = 2 }
b = { prior = "uniform", low = 0, high = 1 }
[inputs]
pump = "u"
[state]
x = "x"
[theory]
x = "-k*x + b*pump"
[network.fD]
inputs = ["x", "k", "b"]
hidden = [6]
outputs = ["x"]
[observe]
x = "x"
[noise]
x = { kind = "student" }
[solver]
method = "kvaerno3"
relative_tolerance = 1e-4
[regularizers]
normD = "mean(norm2(network))"
corr = "abs(mean(dot(theory, network)))"
[train]
regularizer = "normD"
lambda = 1e-3
epochs = 20
batch = 10
"""


@dataclass(frozen=True)
class Case:
    """A run with everything that commands leave in it, and the commands that look at it."""

    name: str
    commands: list[list[str]]


TOY = Case("toy", [
    ["check", "toy.toml"], ["check", "toy.toml", "--structural"], ["train", "toy.toml", "-o", "new", "--epochs", "3"],
    ["train", "run/model.toml", "-o", "run", "--resume"], ["landscape", "run", "--vary", "a=0:2:3", "--vary", "c=-1:1:3"],
    ["estimate", "run", "--regularizer", "centred"], ["estimate", "run", "--regularizer", "normD", "--on", "each"],
    ["sample", "run", "--regularizer", "centred", "--beta", "10"], ["predict", "run", "--theta", "posterior", "-o", "out.npz"],
    ["predict", "run", "--theta", "estimate", "-o", "out.csv"], ["explain", "run", "--theta", "estimate", "--write", "next.toml"],
    ["report", "run"], ["report", "run", "--vary", "a=0:1:3"], ["refit", "run", "--theta", "a=1,c=0.2", "-o", "refit"],
    ["new", "toy.csv", "-o", "made.toml"], ["compare", "toy.toml", "--trials", "1", "--lambda", "1e-2", "--epochs", "2", "-o", "compared"],
])
RUN_OF_TANK = ["run", "--theta", "posterior", "--draws", "3"]
TANKS = Case("tank", [
    ["check", "tank.toml"], ["train", "tank.toml", "-o", "new", "--epochs", "2"], ["train", "run/model.toml", "-o", "run", "--resume"],
    ["landscape", "run", "--vary", "k=0.1:2:3", "--vary", "b=0:1:3", "--no-verdicts"], ["report", "run"],
    ["estimate", "run", "--regularizer", "normD", "--method", "lbfgs"], ["predict", "run", "--theta", "posterior", "-o", "out.npz"],
    ["simulate", *RUN_OF_TANK, "--start", "0"], ["simulate", *RUN_OF_TANK, "--start", "x=1", "--inputs", "inputs.csv"],
    ["simulate", "run", "--theta", "estimate", "--start", "x=1", "--inputs", "inputs.csv", "--horizon", "2", "--no-bands"],
    ["simulate", "run", "--start", "1:0.4", "--theta", "estimate", "--conformal", "--level", "0.5"],
    ["simulate", "run", "--start", "0", "--data", "tank.csv", "--theta", "k=1,b=0.3"], ["explain", "run", "--theta", "posterior"],
    ["compare", "tank.toml", "other.toml", "--epochs", "1", "-o", "compared"], ["new", "tank.csv", "-o", "made.toml"],
])


def limited() -> None:
    """In the child: an endless loop ends by a signal."""
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS + 5))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class Tool:
    """Runs commands in a folder."""

    def __init__(self, program: str) -> None:
        self.program = program

    def __call__(self, folder: Path, arguments: list[str]) -> tuple[int | None, str]:
        """Exit code, or none when it waited for ever, and what was said on stderr."""
        threads = [] if arguments[0] in ("check", "new") else ["--threads", "1"]
        call = [self.program, *arguments, *threads, "--memory", "512M"]
        with (folder.parent / "stderr").open("wb") as said, (folder.parent / "stdout").open("wb") as out:
            try:
                code = subprocess.run(call, cwd=folder, stdin=subprocess.DEVNULL, stdout=out, stderr=said, timeout=MOST_WAITING,
                                      preexec_fn=limited, check=False).returncode
            except subprocess.TimeoutExpired:
                code = None
        return code, (folder.parent / "stderr").read_bytes().decode("utf-8", "replace")


def write_tank(folder: Path) -> None:
    """Data of a tank with a pump, and models of it."""
    rng = random.Random(1)
    rows = ["series,time,u,x"]
    for series in range(12):
        level = rng.uniform(0.5, 2)
        for k in range(16):
            pump = rng.uniform(-1, 1)
            rows.append(f"{series},{0.2 * k:.2f},{pump:.4f},{level + rng.gauss(0, 0.01):.4f}")
            for _ in range(20):
                level += 0.01 * (-0.8 * level + 0.5 * pump - 0.1 * level**2)
    (folder / "tank.csv").write_text("\n".join(rows) + "\n")
    (folder / "inputs.csv").write_text("time,u\n0,0\n1,1\n2.5,\n3,0.5\n")
    (folder / "tank.toml").write_text(TANK)
    (folder / "other.toml").write_text(TANK.replace("-k*x + b*pump", "-k*x^2 + b*pump").replace('"tank"', '"other"').replace(
        'outputs = ["x"]', 'outputs = ["x"]\nodd = ["x"]'))


def prepare(case: Case, tool: Tool, examples: Path, folder: Path) -> None:
    """The whole run, as its owner left it."""
    folder.mkdir(parents=True)
    if case is TOY:
        for name in ("toy.toml", "toy.csv"):
            shutil.copy(examples / name, folder)
        commands = [["train", "toy.toml", "-o", "run", "--epochs", "60"], ["landscape", "run", "--vary", "a=0:2:4", "--vary", "c=-1:1:4"],
                    ["estimate", "run", "--regularizer", "centred"], ["sample", "run", "--regularizer", "centred", "--beta", "10"], ["report", "run"]]
    else:
        write_tank(folder)
        commands = [["train", "tank.toml", "-o", "run", "--epochs", "5"], ["landscape", "run", "--vary", "k=0.1:2:3", "--vary", "b=0:1:3", "--no-verdicts"],
                    ["estimate", "run", "--regularizer", "normD", "--method", "lbfgs"], ["sample", "run", "--regularizer", "normD", "--beta", "10", "--method", "nuts", "--chains", "1", "--warmup", "10", "--draws", "10"],
                    ["simulate", "run", "--start", "0", "--theta", "estimate"], ["report", "run"]]
    for command in commands:
        expect_done(tool, folder, command)


def expect_done(tool: Tool, folder: Path, command: list[str]) -> None:
    """Ends the program where a command fails on what is whole: it would be no attack on what is damaged."""
    code, said = tool(folder, command)
    if code != 0:
        sys.exit(f"{' '.join(command)}: exit code {code}\n{said}")


def fault_of(code: int | None, said: str, folder: Path) -> str:
    """What is wrong with how a command ended; empty: nothing."""
    if code is None:
        return "hangs"
    if code < 0 or code in (66, 134, 139):
        return f"ends by signal {code}"
    raw = [word for word in RAW if word in said]
    if raw:
        return f"says `{raw[0]}`"
    if code == 1 and "memory" not in said and "cannot write" not in said and "cannot" not in said:
        return "exit code 1 without a reason"
    if code != 0 and "error" not in said and "diverged" not in said:
        return f"exit code {code} without a message"
    if "\x1b" in said:
        return "steers the terminal"
    page = folder / "run" / "report.html"
    if page.is_file() and SECRET.encode() in page.read_bytes():
        return "shows another file in the report"
    return ""


def is_patient(command: list[str], said: str) -> bool:
    """Commands that learn take as long as the model says."""
    return command[0] in ("train", "compare", "refit") and "error" not in said


def attack(case: Case, tool: Tool, rng: random.Random, calm: Path, place: Path) -> str:
    """One damaged copy and one command; says what went wrong, or nothing."""
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(calm / case.name, place / "stranger")
    folder, secret = place / "stranger", place / "secret.txt"
    secret.write_text(f"{SECRET}\n")
    files = sorted(file for file in folder.rglob("*") if file.is_file() and file.suffix not in (".png", ".svg", ".html", ".lock"))
    command = rng.choice(case.commands)
    changed = []
    for file in rng.sample(files, rng.choice([1, 1, 1, 2])):
        if file.is_file():
            changed.append(f"{file.relative_to(folder)}: {mutate(file, files_left(files), secret, rng)}")
    code, said = tool(folder, command)
    fault = fault_of(code, said, folder)
    if not fault and (secret.read_text() != f"{SECRET}\n" or sorted(p.name for p in place.iterdir()) != NAMES):
        fault = "writes outside its folder"
    if not fault or ((code is None or code < 0) and is_patient(command, said)):
        return ""
    return f"{case.name}: {' '.join(command)}: {fault} ({'; '.join(changed)})\n    " + said.strip()[-600:].replace("\n", "\n    ")


NAMES = ["secret.txt", "stderr", "stdout", "stranger"]


def files_left(files: list[Path]) -> list[Path]:
    """Those that are still files."""
    return [file for file in files if file.is_file() and not file.is_symlink()]


def main() -> None:
    """Attacks until the time is over."""
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("examples", type=Path)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="folder for what went wrong")
    options = parser.parse_args()
    tool = Tool(str(Path(options.tool).resolve()))
    faults = n_attacks = 0
    with tempfile.TemporaryDirectory() as scratch:
        calm = Path(scratch) / "calm"
        for case in (TOY, TANKS):
            prepare(case, tool, options.examples, calm / case.name)
            shutil.copytree(calm / case.name, Path(scratch) / "whole" / case.name)
            for command in case.commands:
                expect_done(tool, Path(scratch) / "whole" / case.name, command)
        end = time.monotonic() + options.seconds
        while time.monotonic() < end:
            seed = options.seed + n_attacks
            n_attacks += 1
            rng = random.Random(seed)
            place = Path(scratch) / "attacked"
            fault = attack(rng.choice([TOY, TANKS]), tool, rng, calm, place)
            if fault:
                faults += 1
                print(f"seed {seed}: {fault}", flush=True)
                if options.keep:
                    shutil.copytree(place, options.keep / str(seed), symlinks=True, dirs_exist_ok=True, ignore=lambda d, names: [
                        name for name in names if (Path(d) / name).is_fifo()])
    print(f"{n_attacks} attacks, {faults} faults")
    sys.exit(faults > 0)


if __name__ == "__main__":
    main()
