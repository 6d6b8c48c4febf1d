"""Runs and folders with everything that commands leave in them, and the commands that look at them."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

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
OWN_INPUT = """[inputs.pump]
file = "pump.csv"
equation = "rate"
hold = "previous"
[inputs.dose]
file = "doses.csv"
equation = "amount"
hold = "bolus"
into = "x"
"""


@dataclass(frozen=True)
class Case:
    """`files` writes what the owner began with; `preparation` are the owner's commands, `commands` those of who looks at it."""

    name: str
    files: Callable[[Path, Path], None]
    theta: dict[str, float]
    preparation: list[list[str]]
    commands: list[list[str]]


def write_toy(folder: Path, examples: Path) -> None:
    """The example."""
    for name in ("toy.toml", "toy.csv"):
        shutil.copy(examples / name, folder)


def write_tank(folder: Path, _: Path) -> None:
    """Data of a tank with a pump, and models of it."""
    rng = random.Random(1)
    rows = ["series,time,u,x"]
    pumps, doses = ["series,time,rate"], ["series,time,amount"]
    for series in range(12):
        level = rng.uniform(0.5, 2)
        for k in range(16):
            pump = rng.uniform(-1, 1)
            rows.append(f"{series},{0.2 * k:.2f},{pump:.4f},{level + rng.gauss(0, 0.01):.4f}")
            pumps.append(f"{series},{0.2 * k:.2f},{pump:.4f}")
            for _ in range(20):
                level += 0.01 * (-0.8 * level + 0.5 * pump - 0.1 * level**2)
        doses.append(f"{series},0.5,0.1")
    (folder / "tank.csv").write_text("\n".join(rows) + "\n")
    (folder / "pump.csv").write_text("\n".join(pumps) + "\n")
    (folder / "doses.csv").write_text("\n".join(doses) + "\n")
    (folder / "inputs.csv").write_text("time,u\n0,0\n1,1\n2.5,\n3,0.5\n")
    (folder / "rates.csv").write_text("time,rate,amount\n0,0,\n1,1,0.2\n2.5,0,\n3,0.5,\n")
    (folder / "tank.toml").write_text(TANK)
    (folder / "own.toml").write_text(TANK.replace('[inputs]\npump = "u"\n', OWN_INPUT).replace("drop", "").replace('"tank"', '"own"'))
    (folder / "other.toml").write_text(TANK.replace("-k*x + b*pump", "-k*x^2 + b*pump").replace('"tank"', '"other"').replace(
        'outputs = ["x"]', 'outputs = ["x"]\nodd = ["x"]'))


TOY = Case(
    "toy", write_toy, {"a": 1, "c": 0.2},
    [["train", "toy.toml", "-o", "run", "--epochs", "60"], ["landscape", "run", "--vary", "a=0:2:4", "--vary", "c=-1:1:4"],
     ["estimate", "run", "--regularizer", "centred"], ["sample", "run", "--regularizer", "centred", "--beta", "10"], ["explore", "run", "--no-open"],
     ["report", "run"]],
    [["check", "toy.toml"], ["check", "toy.toml", "--structural"], ["train", "toy.toml", "-o", "new", "--epochs", "3"],
     ["train", "run/model.toml", "-o", "run", "--resume"], ["landscape", "run", "--vary", "a=0:2:3", "--vary", "c=-1:1:3"],
     ["estimate", "run", "--regularizer", "centred"], ["estimate", "run", "--regularizer", "normD", "--on", "each"],
     ["sample", "run", "--regularizer", "centred", "--beta", "10"], ["predict", "run", "--theta", "posterior", "-o", "out.npz"],
     ["predict", "run", "--theta", "estimate", "-o", "out.csv"], ["explain", "run", "--theta", "estimate", "--write", "next.toml"],
     ["report", "run"], ["report", "run", "--vary", "a=0:1:3"], ["refit", "run", "--theta", "a=1,c=0.2", "-o", "refit"],
     ["curves", "run"], ["explore", "run", "--no-open"], ["new", "toy.csv", "-o", "made.toml"],
     ["compare", "toy.toml", "--trials", "1", "--lambda", "1e-2", "--epochs", "2", "-o", "compared"]])
RUN_OF_TANK = ["run", "--theta", "posterior", "--draws", "3"]
TANKS = Case(
    "tank", write_tank, {"k": 1, "b": 0.3},
    [["train", "tank.toml", "-o", "run", "--epochs", "5"], ["landscape", "run", "--vary", "k=0.1:2:3", "--vary", "b=0:1:3", "--no-verdicts"],
     ["estimate", "run", "--regularizer", "normD", "--method", "lbfgs"],
     ["sample", "run", "--regularizer", "normD", "--beta", "10", "--method", "nuts", "--chains", "1", "--warmup", "10", "--draws", "10"],
     ["simulate", "run", "--start", "0", "--theta", "estimate"], ["explore", "run", "--no-open"], ["report", "run"]],
    [["check", "tank.toml"], ["train", "tank.toml", "-o", "new", "--epochs", "2"], ["train", "run/model.toml", "-o", "run", "--resume"],
     ["landscape", "run", "--vary", "k=0.1:2:3", "--vary", "b=0:1:3", "--no-verdicts"], ["report", "run"],
     ["estimate", "run", "--regularizer", "normD", "--method", "lbfgs"], ["predict", "run", "--theta", "posterior", "-o", "out.npz"],
     ["simulate", *RUN_OF_TANK, "--start", "0"], ["simulate", *RUN_OF_TANK, "--start", "x=1", "--inputs", "inputs.csv"],
     ["simulate", "run", "--theta", "estimate", "--start", "x=1", "--inputs", "inputs.csv", "--horizon", "2", "--no-bands"],
     ["simulate", "run", "--start", "1:0.4", "--theta", "estimate", "--conformal", "--level", "0.5"],
     ["simulate", "run", "--start", "0", "--data", "tank.csv", "--theta", "k=1,b=0.3"], ["explain", "run", "--theta", "posterior"],
     ["explore", "run", "--no-open"], ["compare", "tank.toml", "other.toml", "--epochs", "1", "-o", "compared"],
     ["new", "tank.csv", "-o", "made.toml"]])
# Inputs in files of their own.
DOSES = Case(
    "doses", write_tank, {"k": 1, "b": 0.3},
    [["train", "own.toml", "-o", "run", "--epochs", "2"]],
    [["check", "own.toml"], ["train", "own.toml", "-o", "new", "--epochs", "2"], ["train", "run/model.toml", "-o", "run", "--resume"],
     ["predict", "run", "--theta", "k=1,b=0.3", "-o", "out.npz"],
     ["predict", "run", "--theta", "k=1,b=0.3", "--data", "tank.csv", "--inputs", "pump=pump.csv", "--inputs", "dose=doses.csv", "-o", "out.csv"],
     ["simulate", "run", "--theta", "k=1,b=0.3", "--start", "0", "--no-bands"],
     ["simulate", "run", "--theta", "k=1,b=0.3", "--start", "x=1", "--inputs", "rates.csv", "--horizon", "2", "--no-bands"],
     ["estimate", "run", "--regularizer", "normD", "--method", "lbfgs"]])
# Shards of a comparison and of a landscape, and a comparison as it was left.
COMPARED = ["compare", "toy.toml", "--trials", "2", "--lambda", "1e-2", "--epochs", "2"]
SEEDS = ["landscape", "run", "--vary", "a=0:2:3", "--vary", "c=-1:1:3", "--seeds", "2", "--no-verdicts"]
SHARDS = Case(
    "shards", write_toy, {"a": 1, "c": 0.2},
    [["train", "toy.toml", "-o", "run", "--epochs", "5"], [*SEEDS, "--shard", "1/2"], [*SEEDS, "--shard", "2/2"],
     [*COMPARED, "-o", "shared", "--shard", "1/2"], [*COMPARED, "-o", "shared", "--shard", "2/2"], [*COMPARED, "-o", "compared"]],
    [["merge", "shared"], ["merge", "run"], [*COMPARED, "-o", "shared", "--shard", "1/2"], [*SEEDS, "--shard", "2/2"],
     [*COMPARED, "-o", "compared"]])
CASES = [TOY, TANKS, DOSES, SHARDS]
