"""The only place that knows the tool's commands and its JSON."""
import json
import subprocess
import time

import numpy as np

REFUSALS = ("not adapted", "not judged", "too little data", "cut off", "does not fit")
CLAIMS = ("identifiable", "one-sided", "several minima", "determined by the data")


class ToolError(RuntimeError):
    pass


def call(command):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True)
    if done.returncode != 0:
        raise ToolError(f"{' '.join(map(str, command))}\n{done.stderr.strip()[-2000:]}")
    return done.stdout


def train(greybox, model_file, run, seed):
    begin = time.monotonic()
    call([greybox, "train", model_file, "-o", run, "--seed", seed, "--threads", 1, "--overwrite", "--json"])
    return time.monotonic() - begin


def judge(greybox, run, model, output, seeds=1):
    """{"verdicts": [{parameter, regularizer, finding, interval, best, sentence}], "combinations": [{regularizer, text}],
    "fit": word or "", "rmse": {min, median, max}, "bands": bands_of(...), "seconds"}. A landscape of a few points along the
    first parameter goes along: its bands are judged too."""
    name, prior = next(iter(model.parameters.items()))
    command = [greybox, "landscape", run, "--vary", f"{name}={prior.low!r}:{prior.high!r}:9", "--threads", 1, "--json",
               "-o", output]
    if seeds > 1:
        command += ["--seeds", seeds]
    begin = time.monotonic()
    answer = json.loads(call(command))
    seconds = time.monotonic() - begin
    grid = answer["landscapes"][0]
    fit = json.loads((run / "run.json").read_text()).get("fit") or {}
    return {"verdicts": [verdict_of(v) for v in answer["verdicts"]],
            "combinations": [{"regularizer": c["regularizer"], "text": c["text"]} for c in answer["combinations"]],
            "fit": fit.get("word", ""), "rmse": grid["rmse"],
            "bands": bands_of(output / "landscape.npz", name, grid["held"], model.regularizers), "seconds": seconds}


def verdict_of(verdict):
    return {key: verdict.get(key) for key in ("parameter", "regularizer", "finding", "interval", "best", "sentence")}


def bands_of(file, name, held, regularizers):
    """Where bands are: [{"theta": {...}, "low": {regularizer: R}, "high": {...}}], without θ that do not fit or are excluded,
    and where the tool draws none."""
    arrays = np.load(file)
    if any(f"{r}.low" not in arrays for r in regularizers):
        return []
    ruled_out = arrays["is_poor"] | arrays["is_excluded"]
    return [{"theta": held | {name: float(value)}, "low": {r: float(arrays[f"{r}.low"][i]) for r in regularizers},
             "high": {r: float(arrays[f"{r}.high"][i]) for r in regularizers}}
            for i, value in enumerate(arrays[name]) if not ruled_out[i] and np.isfinite(arrays[f"{regularizers[0]}.low"][i])]
