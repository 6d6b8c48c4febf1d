"""The only place that knows the tool's commands and its JSON."""
import json
import subprocess
import time

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
    "fit": word or "", "rmse": {min, median, max}, "seconds"}. A landscape of three points goes along, because there is no command for verdicts alone."""
    name, prior = next(iter(model.parameters.items()))
    command = [greybox, "landscape", run, "--vary", f"{name}={prior.low!r}:{prior.high!r}:3", "--threads", 1, "--json",
               "-o", output]
    if seeds > 1:
        command += ["--seeds", seeds]
    begin = time.monotonic()
    answer = json.loads(call(command))
    seconds = time.monotonic() - begin
    fit = answer.get("fit", {})
    return {"verdicts": [verdict_of(v) for v in answer["verdicts"]],
            "combinations": [{"regularizer": c["regularizer"], "text": c["text"]} for c in answer["combinations"]],
            "fit": fit.get("word", "") if isinstance(fit, dict) else str(fit), "rmse": answer["landscapes"][0]["rmse"],
            "seconds": seconds}


def verdict_of(verdict):
    return {key: verdict.get(key) for key in ("parameter", "regularizer", "finding", "interval", "best", "sentence")}
