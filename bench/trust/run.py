#!/usr/bin/env python3
"""How often verdicts are right: trains hybrid models with known answers, judges them and compares.

Trainings and true answers are kept in --keep and used again, so that a change of the verdicts costs verdicts only.
"""
import argparse
import hashlib
import json
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import replace
from fnmatch import fnmatch
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))

import score  # noqa: E402
import tool  # noqa: E402
from made_data import make_data  # noqa: E402
from model_file import write_model  # noqa: E402
from models import all_models  # noqa: E402
from summary import print_bands, print_summary, violations  # noqa: E402
from truth import true_findings  # noqa: E402

HERE = Path(__file__).resolve().parent
TRUTH_FIELDS = ("name", "seed", "parameters", "theory", "true", "inputs", "state", "hidden_states", "lacks_in_hidden", "observe", "windows", "length",
                "windows_per_series", "dt", "substeps", "network_outputs", "regularizers", "determined")
RUN_KEYS = ("rmse_over_noise", "training_seconds", "judging_seconds")


def digest(*parts):
    return hashlib.sha256("\0".join(map(str, parts)).encode()).hexdigest()


def kept(path, key, make):
    """The JSON in `path` while its key is the same; else made anew."""
    if path.exists():
        stored = json.loads(path.read_text())
        if stored["key"] == key:
            return stored["value"]
    value = make()
    written = path.with_suffix(".new")
    written.write_text(json.dumps({"key": key, "value": value}))
    written.replace(path)
    return value


def truth_fields(model):
    """What the truth depends on: not how the network is trained."""
    return [getattr(model, name) for name in TRUTH_FIELDS]


def truths_of(model, data, folder):
    code = "".join((HERE / name).read_text() for name in ("truth.py", "least_squares.py", "made_data.py"))
    return kept(folder / "truth.json", digest(*truth_fields(model), code),
                lambda: {name: true_findings(model, data, name) for name in model.regularizers})


def answers_of(options):
    return options.keep / f"{'ideal' if options.ideal else 'network'}{options.data_seed or ''}"


def judged(model, options):
    folder = answers_of(options) / model.name
    data = make_data(model)
    model_file = write_model(model, data, folder, options.ideal)
    truths = truths_of(model, data, folder)
    key = digest(model_file.read_text(), (folder / "data.csv").read_text(), options.seed)
    run = folder / "run"
    if options.rescore:
        trained = json.loads((folder / "trained.json").read_text())["value"]
    else:
        trained = kept(folder / "trained.json", key, lambda: trained_run(model_file, run, options))
    if trained["error"]:
        return refused_training(model, truths, trained["error"])
    answer_file = folder / "answer.json"
    if not options.rescore:
        answer_file.write_text(json.dumps(tool.judge(options.greybox, run, model, folder / "judged", options.seeds), indent=1))
    answer = json.loads(answer_file.read_text())
    return {"cases": score.cases_of(model, truths, answer), "combinations": score.combinations_of(model, truths, answer),
            "bands": score.bands_held(model, data, answer), "fit": (bool(model.sick), answer["fit"]),
            # Nothing is finite over most of a diverging region.
            "rmse_over_noise": (answer["rmse"]["median"] or np.inf) / noise_of(model, data), "training_seconds": trained["seconds"],
            "judging_seconds": answer["seconds"]}


def refused_training(model, truths, error):
    """A training that ends with a message claims nothing: right of a sick run, a failure of a healthy one."""
    if not model.sick:
        raise tool.ToolError(error)
    verdicts = [{"parameter": p, "regularizer": r, "finding": "not judged", "interval": None, "sentence": error}
                for r in model.regularizers for p in model.parameters]
    answer = {"verdicts": verdicts, "combinations": []}
    return {"cases": score.cases_of(model, truths, answer), "combinations": [], "bands": [], "fit": (True, ""), "rmse_over_noise": np.inf,
            "training_seconds": 0, "judging_seconds": 0}


def noise_of(model, data):
    """The RMSE that noise alone leaves, or a thousandth of the data's spread where there is none."""
    spreads = [data.columns[name].std() for name in model.observed]
    return max(model.noise, 1e-3) * float(np.sqrt(np.mean(np.square(spreads))))


def trained_run(model_file, run, options):
    try:
        return {"seconds": tool.train(options.greybox, model_file, run, options.seed), "error": ""}
    except tool.ToolError as error:
        return {"seconds": 0, "error": str(error)}


def chosen_models(options):
    models = [replace(m, seed=options.data_seed) for m in all_models() if not options.models or any(fnmatch(m.name, p) for p in options.models)]
    if options.fast:
        models = [m for m in models if m.fast]
    if options.part:
        models = [m for m in models if m.part == options.part]
    if options.ideal:
        models = [m for m in models if not m.sick and m.network_inputs is None]  # the expression sees everything
    return models


def parsed(arguments):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("greybox", type=Path, help="the program to judge with")
    parser.add_argument("--fast", action="store_true", help="only the fast part")
    parser.add_argument("--part", choices=("choose", "report"), help="only the models on which rules were chosen, or only the others")
    parser.add_argument("--models", nargs="*", help="names or patterns of models")
    parser.add_argument("--ideal", action="store_true", help="the ideal network, an expression, instead of a trained one")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0, help="of the trainings")
    parser.add_argument("--data-seed", type=int, default=0, help="of the data: another set of windows and noise for every model")
    parser.add_argument("--seeds", type=int, default=1, help="networks per verdict")
    parser.add_argument("--keep", type=Path, help="folder for trainings and truths that are used again")
    parser.add_argument("-o", "--output", type=Path, help="JSON of all cases; by default in the folder of --keep")
    parser.add_argument("--rescore", action="store_true", help="score the answers in --keep again, without the tool")
    parser.add_argument("--check", action="store_true", help="exit with 1 when a goal is missed")
    parser.add_argument("--list", action="store_true", help="print the models and end")
    parser.add_argument("--truth", action="store_true", help="print what is true of the models and end")
    return parser.parse_args(arguments)


def judge_all(models, options):
    results, failures = {}, {}
    if options.rescore:
        models = [m for m in models if (answers_of(options) / m.name / "answer.json").exists()]
    with ThreadPoolExecutor(options.jobs) as pool:
        tasks = {pool.submit(judged, model, options): model for model in models}
        for task in as_completed(tasks):
            model = tasks[task]
            try:
                results[model.name] = task.result()
                done = results[model.name]
                outcomes = ", ".join(f"{c['parameter']}/{c['regularizer']}: {c['finding']} ({c['outcome']})"
                                     for c in done["cases"] if c["outcome"] != "right") or "all right"
                print(f"{model.name}: {done['training_seconds']:.1f} s + {done['judging_seconds']:.1f} s, "
                      f"RMSE {done['rmse_over_noise']:.1f} × noise: {outcomes}",
                      file=sys.stderr)
            except (tool.ToolError, ValueError) as error:
                failures[model.name] = str(error)
                print(f"{model.name}: failed: {error}", file=sys.stderr)
    return results, failures


def report(models, results, failures, options):
    ordered = [results[m.name] for m in models if m.name in results]
    cases = [c for r in ordered for c in r["cases"]]
    combinations = [c for r in ordered for c in r["combinations"]]
    print_summary(cases, combinations, {m.name: results[m.name]["fit"] for m in models if m.name in results})
    print_bands({m.name: (m.sick, results[m.name]["bands"]) for m in models if m.name in results})
    if failures:
        print(f"\nfailed: {', '.join(failures)}")
    output = options.output or options.keep / ("results-ideal.json" if options.ideal else "results.json")
    output.write_text(json.dumps({"cases": cases, "combinations": combinations, "failures": failures,
                                  "runs": {m.name: {key: results[m.name][key] for key in RUN_KEYS}
                                           for m in models if m.name in results}}, indent=1))
    print(f"all cases: {output}")


def print_truth(models, options):
    for m in models:
        folder = answers_of(options) / m.name
        folder.mkdir(parents=True, exist_ok=True)
        for name, truth in truths_of(m, make_data(m), folder).items():
            for p, one in truth["findings"].items():
                at = ", ".join(f"{m.parameters[p].theta(u):.4g}" for u in one["minimisers"])
                print(f"{m.name:30} {name:8} {p:6} {'/'.join(one['accepted']):40} {at}", flush=True)


def main():
    options = parsed(sys.argv[1:])
    models = chosen_models(options)
    if options.list:
        for m in models:
            print(f"{m.name:28} {m.part:7} {len(m.parameters):2} parameters  {'ODE' if m.is_ode else 'algebraic':9} "
                  f"{m.windows:5} windows  {100 * m.noise:4.0f} % noise  {m.sick}")
        return 0
    with tempfile.TemporaryDirectory() as temporary:
        options.keep = options.keep or Path(temporary)
        if options.truth:
            return print_truth(models, options)
        options.output = options.output or (Path("trust-results.json") if str(options.keep) == temporary else None)
        results, failures = judge_all(models, options)
        report(models, results, failures, options)
        missed = violations([c for r in results.values() for c in r["cases"]]) if options.check else []
        for line in missed:
            print(f"missed: {line}")
    return 1 if failures or missed else 0


if __name__ == "__main__":
    sys.exit(main())
