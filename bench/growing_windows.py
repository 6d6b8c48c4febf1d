#!/usr/bin/env python3
"""What windows that begin short and grow are worth where the theory alone is unstable.

Five systems whose theory without its network runs away, or loses the data, within a long window. Each is trained on long windows as they
are (grow = 0), on long windows that grow (the default), and on windows of a fifth of their length: the nodes of multiple shooting, whose
starts are measured, or (`nodes`) learned around what is measured, which is multiple shooting with the data in the place of the condition
that pieces meet. All are judged alike: simulated at the true parameters from the beginning of every series that was not learned from, over
the length of a long window; 1 - (mean square error) / variance, the median over the series, with the worst in parentheses.
"""
import argparse
import csv
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

N_SERIES, N_TEST, SUBSTEPS = 12, 4, 20
LONG = 50

SYSTEMS = {
    "lorenz": dict(
        dt=0.03, n=150, noise=0.01, states=["x", "y", "z"], theta=dict(sigma=10, rho=28, beta=8 / 3),
        true=lambda s, t, u: [10 * (s[1] - s[0]), s[0] * (28 - s[2]) - s[1] + 4 * np.sin(s[0] / 4), s[0] * s[1] - 8 / 3 * s[2]],
        theory=["sigma * (y - x)", "x * (rho - z) - y", "x * y - beta * z"], start=lambda r: r.normal([0, 0, 25], 8), warm=4, network=["y"]),
    "van-der-pol": dict(
        dt=0.1, n=150, noise=0.01, states=["v", "w"], theta=dict(mu=3),
        true=lambda s, t, u: [3 * (s[0] - s[0] ** 3 / 3 - s[1]), s[0] / 3],
        theory=["mu * (v - w)", "v / mu"], start=lambda r: r.normal(0, 1, 2), warm=5, network=["v"]),
    "inverted-pendulum": dict(
        dt=0.02, n=200, noise=0.005, states=["q", "p"], theta=dict(k=9.8),
        true=lambda s, t, u: [s[1], 9.8 * np.sin(s[0]) - 0.8 * s[1] - 0.5 * np.tanh(5 * s[1]) + u],
        control=lambda s, t, r: -25 * s[0] - 4 * s[1] + 3 * np.sin(1.3 * t + r), theory=["p", "k * sin(q) + u"],
        start=lambda r: r.normal(0, 0.3, 2), warm=0, network=["p"]),
    "double-well": dict(
        dt=0.1, n=150, noise=0.01, states=["x"], theta=dict(a=2), control=lambda s, t, r: 1.5 * np.sin(0.7 * t + r),
        true=lambda s, t, u: [2 * s[0] - s[0] ** 3 + u], theory=["a * x + u"], start=lambda r: r.normal(0, 1, 1), warm=0, network=["x"]),
    "growth-with-limit": dict(
        dt=0.2, n=75, noise=0.01, states=["n"], theta=dict(r=1.5),
        true=lambda s, t, u: [1.5 * s[0] * (1 - s[0] / 5)], theory=["r * n"], start=lambda r: np.exp(r.normal(-3, 0.5, 1)), warm=0, network=["n"]),
}


def series(system, random):
    """States and inputs, one row a snapshot; inputs are held from snapshot to snapshot."""
    s = np.asarray(system["start"](random), float)
    phase, rows = random.uniform(0, 6), []
    n_warm = round(system["warm"] / system["dt"])
    for k in range(n_warm + system["n"]):
        t = k * system["dt"]
        u = system["control"](s, t, phase) if "control" in system else 0.0
        if k >= n_warm:
            rows.append([t, *s, u])
        h = system["dt"] / SUBSTEPS
        for _ in range(SUBSTEPS):
            f = lambda y: np.asarray(system["true"](y, t, u), float)
            a = f(s)
            b = f(s + h / 2 * a)
            c = f(s + h / 2 * b)
            s = s + h / 6 * (a + 2 * b + 2 * c + f(s + h * c))
    return np.array(rows)


def write_data(system, folder, seed):
    random = np.random.default_rng(seed)
    every = [series(system, random) for _ in range(N_SERIES)]
    spread = np.std(np.concatenate(every)[:, 1:-1], axis=0)
    for rows in every:
        rows[:, 1:-1] += system["noise"] * spread * random.standard_normal((len(rows), len(spread)))
    with open(folder / "data.csv", "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["series", "time", *system["states"], "u"])
        for number, rows in enumerate(every):
            writer.writerows([f"s{number:02d}", *(f"{x:.9g}" for x in row)] for row in rows)
    return every, spread


def write_model(system, path, length, grow, is_node, spread):
    has_input = "control" in system
    start = ([f'{s} = {{ start = "learned", mean = "{s}", sd = {system["noise"] * d:.3g} }}' for s, d in zip(system["states"], spread)] if is_node
             else [f'{s} = "{s}"' for s in system["states"]])
    inputs = [*system["states"], *(["u"] if has_input else []), *system["theta"], "theory"]
    quoted = ", ".join(f'"{name}"' for name in inputs)
    path.write_text("\n".join([
        "[data]", 'file = "data.csv"', f"window = {{ length = {length}, stride = {max(2, length // 2)}, observed = {min(5, length - 1) if is_node else 1} }}",
        f"split = {{ validation = {1 / 6:.4f}, test = {N_TEST / N_SERIES:.4f}, by = \"series\", shuffle = false }}",
        *(["[inputs]", 'u = { equation = "u", hold = "previous" }'] if has_input else []), "[parameters]",
        *(f'{name} = {{ prior = "lognormal", mean = "log({value})", sd = 0.2 }}' for name, value in system["theta"].items()),
        "[state]", *start, "[theory]", *(f'{s} = "{f}"' for s, f in zip(system["states"], system["theory"])),
        "[network.fD]", f"inputs = [{quoted}]", "hidden = [32, 32]", 'activation = "tanh"',
        "outputs = [" + ", ".join(f'"{s}"' for s in system["network"]) + "]",
        "[observe]", *(f'{s} = "{s}"' for s in system["states"]), "[solver]", 'method = "tsit5"',
        "[regularizers]", 'size = "mean(norm2(network))"', "[train]", 'regularizer = "size"', "lambda = 0.001", 'recipe = "auto"',
        *([f"grow = {grow}"] if grow is not None else []), ""]))


def simulated(tool, run, system, number, rows, folder):
    theta = ",".join(f"{name}={value}" for name, value in system["theta"].items())
    out = folder / "simulated"
    done = subprocess.run([tool, "simulate", run, "--theta", theta, "--start", f"s{number:02d}:{rows[0, 0]:.9g}", "--horizon",
                           f"{rows[LONG - 1, 0] - rows[0, 0]:.9g}", "--no-bands", "--threads", "1", "-o", out], capture_output=True, text=True)
    if done.returncode:
        return None
    with open(out / "simulation.csv") as file:
        table = list(csv.DictReader(file))
    return np.array([[float(row[s]) for s in system["states"]] for row in table])


def judge(tool, run, system, every, folder):
    values = []
    for number in range(N_SERIES - N_TEST, N_SERIES):
        rows = every[number]
        found = simulated(tool, run, system, number, rows, folder)
        truth = rows[:LONG, 1:-1]
        if found is None or found.shape != truth.shape or not np.isfinite(found).all():
            values.append(-np.inf)
            continue
        values.append(float(np.mean(1 - np.mean((found - truth) ** 2, axis=0) / np.var(truth, axis=0))))
    return float(np.median(values)), float(np.min(values))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--only", nargs="*", default=list(SYSTEMS))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kinds", nargs="*", default=["whole", "growing", "short", "nodes"])
    arguments = parser.parse_args()
    root = arguments.keep or Path(tempfile.mkdtemp())
    kinds = {"whole": (LONG, 0, False), "growing": (LONG, None, False), "short": (LONG // 5, 0, False), "nodes": (LONG // 5, 0, True)}
    kinds = {kind: kinds[kind] for kind in arguments.kinds}
    print(f"{'':20}" + "".join(f"{kind:>24}" for kind in kinds))
    for name in arguments.only:
        system, folder = SYSTEMS[name], root / name
        folder.mkdir(parents=True, exist_ok=True)
        every, spread = write_data(system, folder, arguments.seed)
        cells = []
        for kind, (length, grow, is_node) in kinds.items():
            model, run = folder / f"{kind}.toml", folder / kind
            write_model(system, model, length, grow, is_node, spread)
            done = subprocess.run([arguments.tool, "train", model, "-o", run, "--overwrite", "--threads", "1"], capture_output=True, text=True)
            (folder / f"{kind}.log").write_text(done.stdout + done.stderr)
            cells.append("diverged" if done.returncode else "{:.3f} ({:.3f})".format(*judge(arguments.tool, run, system, every, folder)))
        print(f"{name:20}" + "".join(f"{cell:>24}" for cell in cells), flush=True)


if __name__ == "__main__":
    sys.exit(main())
