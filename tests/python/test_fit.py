"""Training: bits, callbacks, interruption, copies, threads, processes, memory."""

import concurrent.futures
import copy
import csv
import multiprocessing
import os
import pickle
import signal
import subprocess
import threading
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import greybox as gb


def assert_same(one: gb.Run, other: gb.Run) -> None:
    assert one.weights.keys() == other.weights.keys()
    for name, weights in one.weights.items():
        assert np.array_equal(weights, other.weights[name]), name
    for name, values in one.curves.items():
        assert np.array_equal(values, other.curves[name], equal_nan=True), name


def exactly(file: Path) -> dict[str, np.ndarray]:
    """Every number as it is written, which pandas does not promise."""
    with file.open(encoding="utf-8") as lines:
        names, *rows = csv.reader(lines)
    return {name: np.array([float(row[place]) for row in rows]) for place, name in enumerate(names)}


@pytest.mark.parametrize("mode", ["adaptive", "inductive"])
@pytest.mark.parametrize("precision", ["float", "double"])
def test_bits_are_those_of_the_command_line(model, frame, tool, tmp_path, mode, precision):
    (tmp_path / "pendulum.toml").write_text(model.text, encoding="utf-8")
    frame.to_csv(tmp_path / "swings.csv", index=False)
    command = ["train", "pendulum.toml", "--data", "swings.csv", "-o", "run", "--seed", "7", "--mode", mode]
    subprocess.run([tool, *command, "--precision", precision], cwd=tmp_path, check=True, capture_output=True)
    exact = exactly(tmp_path / "swings.csv")
    mine = model.fit(exact, seed=7, mode=mode, precision=precision, progress=False, threads=1)
    theirs = gb.open(tmp_path / "run")
    assert_same(mine, theirs)
    assert mine.theta == theirs.theta
    table = mine.landscape(g=(8, 12, 9), progress=False).to_pandas()
    subprocess.run([tool, "landscape", "run", "--vary", "g=8:12:9"], cwd=tmp_path, check=True, capture_output=True)
    written = np.load(tmp_path / "run" / "landscape" / "landscape.npz")
    assert np.array_equal(table["normD"], written["normD"])


def test_python_opens_what_the_tool_made_and_the_tool_what_python_made(run, tool, tmp_path):
    copy.deepcopy(run).save(tmp_path / "run")
    command = [tool, "predict", "run", "--theta", "g=9.8", "--json"]
    done = subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True)
    assert f"{run.predict(theta={'g': 9.8}).rmse:.9g}"[:8] in done.stdout


def test_a_callback_hears_every_epoch(model, frame):
    heard, told = [], []
    model.fit(frame, epochs=4, callback=heard.append, progress=told.append)
    assert [epoch.epoch for epoch in heard] == [1, 2, 3, 4]
    assert heard[-1].epochs == 4
    assert [one.epoch for one in told] == heard
    assert told[-1].stage == "training"


class Whim(Exception):
    pass


def test_an_exception_in_a_callback_comes_out_whole_and_the_run_goes_on(model, frame):
    whole = model.fit(frame, seed=3, progress=False)
    mine = Whim("enough")

    def object_to(epoch: gb.Epoch) -> None:
        if epoch.epoch == 5:
            raise mine

    with pytest.raises(Whim) as caught:
        model.fit(frame, seed=3, callback=object_to, progress=False)
    assert caught.value is mine
    assert caught.value.__traceback__ is not None
    assert "object_to" in [entry.name for entry in caught.traceback]
    stopped = gb.interrupted_run()
    assert stopped.outcome == "interrupted"
    assert mine.run is stopped
    assert_same(stopped.resume(progress=False), whole)


def interrupt_soon(delay: float = 0.1) -> None:
    threading.Timer(delay, lambda: os.kill(os.getpid(), signal.SIGINT)).start()


def interrupt_after_an_epoch(epoch: gb.Epoch) -> None:
    if epoch.epoch == 1:
        interrupt_soon(0.05)


@pytest.mark.parametrize("in_folder", [False, True])
def test_ctrl_c_leaves_a_run_that_resumes_to_the_same_bits(model, frame, tmp_path, in_folder):
    folder = tmp_path / "run" if in_folder else None
    epochs = 1500
    with pytest.raises(KeyboardInterrupt, match="interrupted_run") as caught:
        model.fit(frame, seed=2, epochs=epochs, folder=folder, progress=False, callback=interrupt_after_an_epoch)
    stopped = caught.value.run
    assert isinstance(caught.value, gb.Interrupted)
    done = stopped.record["epochs_done"]
    assert 0 < done < epochs
    again = pickle.loads(pickle.dumps(stopped))
    assert again.record["epochs_done"] == done
    with pytest.raises(gb.InputError, match=r"run\.resume\(\)"):
        stopped.landscape(progress=False)
    assert_same(stopped.resume(progress=False), again.resume(progress=False))


def test_ctrl_c_ends_other_long_functions(run):
    interrupt_soon()
    with pytest.raises(KeyboardInterrupt):
        run.landscape(g=(8, 12, 100000), seeds=1, progress=False)


def test_an_event_cancels(model, frame, run):
    cancel = threading.Event()
    stopped = model.fit(
        frame, epochs=1000, cancel=cancel, progress=False, callback=lambda e: cancel.set() if e.epoch == 3 else None
    )
    assert stopped.outcome == "interrupted"
    with pytest.raises(gb.Interruption):
        run.landscape(g=(8, 12, 100000), cancel=cancel, progress=False)


def test_a_folder_resumes(model, frame, tmp_path):
    interrupt_soon()
    with pytest.raises(KeyboardInterrupt):
        model.fit(frame, seed=2, epochs=1500, folder=tmp_path / "run", progress=False)
    finished = model.fit(frame, folder=tmp_path / "run", resume=True, progress=False)
    assert finished.outcome == "finished"
    with pytest.raises(gb.InputError, match="argument `overwrite`|holds"):
        model.fit(frame, folder=tmp_path / "run", progress=False)


def test_runs_pickle_and_copy(run, tmp_path):
    for again in (pickle.loads(pickle.dumps(run)), copy.deepcopy(run)):
        assert_same(again, run)
        assert again.predict(theta={"g": 9.5}).rmse == run.predict(theta={"g": 9.5}).rmse
        assert again.model == run.model
    elsewhere = copy.deepcopy(run)
    elsewhere.save(tmp_path / "run")
    assert elsewhere.folder == tmp_path / "run"
    assert run.folder is None


def test_a_run_saves_and_opens(run, tmp_path):
    saved = copy.deepcopy(run)
    saved.save(tmp_path / "run")
    opened = gb.open(tmp_path / "run")
    assert_same(opened, run)
    assert len(opened.dataset) == len(run.dataset)
    with pytest.raises(gb.InputError):
        copy.deepcopy(run).save(tmp_path / "run")
    copy.deepcopy(run).save(tmp_path / "run", overwrite=True)


def fitted(job: tuple[gb.Model, pd.DataFrame, int]) -> gb.Run:
    model, frame, seed = job
    return model.fit(frame, seed=seed, epochs=5, progress=False, threads=1)


def test_several_models_train_at_once_in_threads(model, frame):
    alone = [fitted((model, frame, seed)) for seed in range(4)]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        together = list(pool.map(fitted, [(model, frame, seed) for seed in range(4)]))
    for one, other in zip(alone, together, strict=True):
        assert_same(one, other)


def test_processes_take_models_and_give_runs(model, frame):
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(1, mp_context=context) as pool:
        there = pool.submit(fitted, (model, frame, 3)).result(timeout=120)
    assert_same(there, fitted((model, frame, 3)))


def test_other_threads_run_while_one_trains(model, frame):
    """The GIL is released: this thread counts while the other trains."""
    counted, done = 0, threading.Event()

    def train() -> None:
        model.fit(frame, epochs=400, progress=False, threads=1)
        done.set()

    worker = threading.Thread(target=train)
    worker.start()
    while not done.is_set():
        counted += 1
        time.sleep(0.001)
    worker.join()
    assert counted > 10


def test_a_hundred_fits_take_no_more_memory(model, frame):
    psutil = pytest.importorskip("psutil")
    small = frame[frame["series"] < 4]

    def use() -> None:
        one = model.fit(small, epochs=2, progress=False, threads=1, callback=lambda _: None)
        one.landscape(g=(8, 12, 21), progress=False)
        one.predict(theta={"g": 10})
        pickle.loads(pickle.dumps(one))

    for _ in range(20):
        use()
    before = psutil.Process().memory_info().rss
    for _ in range(100):
        use()
    assert psutil.Process().memory_info().rss - before < 8e6


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"mode": "adaptiv"}, "argument `mode`: error: `adaptiv` is no mode"),
        ({"precision": "half"}, "argument `precision`"),
        ({"lambda_": -1}, "lambda_"),
        ({"regularizer": "normd"}, "did you mean `normD`"),
        ({"mode": "refit"}, "argument `theta`|theta"),
        ({"epochs": 0}, "epochs"),
        ({"epochs": 2.5}, "argument `epochs`: error: 2.5 has the wrong type\n.*a whole number, 0 or more"),
        ({"seed": -1}, "argument `seed`: error: -1 has the wrong type"),
        ({"lambda_": "small"}, "argument `lambda_`: .*\n.*give a number"),
        ({"theta": "g"}, "argument `theta`: error: `g` has no names"),
        ({"theta": {"g": 9}}, "argument `theta`: error: only mode refit fixes the parameters"),
        ({"callback": 3}, "argument `callback`: error: int cannot be called"),
        ({"folder": 3}, "argument `folder`: error: int is no path"),
        ({"resume": True}, "argument `resume`: error: there is no folder"),
    ],
)
def test_wrong_options_say_what_is_wrong(model, frame, options, expected):
    with pytest.raises(gb.InputError, match=expected):
        model.fit(frame, progress=False, **options)


def test_a_diverged_training_is_an_outcome_and_a_warning(frame):
    from conftest import PENDULUM

    wild = {**PENDULUM, "train": {**PENDULUM["train"], "rate": [1e18, 1e18], "clip_value": 1e30, "clip_norm": 1e30}}
    with pytest.warns(gb.GreyboxWarning):
        run = gb.Model(wild).fit(frame, progress=False)
    assert run.outcome == "diverged"
    assert run.message


def test_weights_have_the_names_and_shapes_of_pytorch(run):
    shapes = {name: weights.shape for name, weights in run.weights.items()}
    assert shapes == {"fD.0.weight": (8, 3), "fD.0.bias": (8,), "fD.1.weight": (1, 8), "fD.1.bias": (1,)}
