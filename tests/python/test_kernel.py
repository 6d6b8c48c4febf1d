"""In a real kernel: one line of progress, the stop button, and a training that goes on after it."""

import queue
import time

import pytest

jupyter_client = pytest.importorskip("jupyter_client")
pytest.importorskip("ipykernel")

SETUP = """
import warnings
import numpy as np
import greybox as gb
warnings.simplefilter("ignore")
x = np.linspace(-3, 3, 60)
data = {"x": x, "y": np.sin(x)}
model = gb.example("toy")
"""


@pytest.fixture(scope="module")
def kernel():
    manager, client = jupyter_client.manager.start_new_kernel()
    yield Notebook(manager, client)
    client.stop_channels()
    manager.shutdown_kernel(now=True)


class Notebook:
    """A kernel and what its cells put out."""

    def __init__(self, manager, client):
        self._manager, self._client = manager, client
        self.run(SETUP)

    def run(self, code, *, stop_after=None):
        """The messages of one cell; the stop button is pressed so many seconds after the first progress."""
        identity, messages = self._client.execute(code), []
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline:
            try:
                message = self._client.get_iopub_msg(timeout=1)
            except queue.Empty:
                continue
            if message["parent_header"].get("msg_id") != identity:
                continue
            messages.append(message)
            kind = message["msg_type"]
            if kind == "status" and message["content"]["execution_state"] == "idle":
                return messages
            if kind == "display_data" and stop_after is not None:
                time.sleep(stop_after)
                self._manager.interrupt_kernel()
        raise TimeoutError(code)


def of_kind(messages, kind):
    return [message["content"] for message in messages if message["msg_type"] == kind]


def test_a_notebook_shows_one_line_that_updates(kernel):
    messages = kernel.run("run = model.fit(data, epochs=300, seed=1)")
    assert not of_kind(messages, "error")
    (first,) = of_kind(messages, "display_data")
    later = of_kind(messages, "update_display_data")
    assert {one["transient"]["display_id"] for one in later} == {first["transient"]["display_id"]}
    assert "300/300 epochs" in later[-1]["data"]["text/plain"]
    assert not of_kind(messages, "stream"), "nothing but the line"


def test_the_stop_button_ends_a_training_that_resumes_to_the_same_bits(kernel):
    messages = kernel.run("whole = model.fit(data, epochs=100000, seed=1)", stop_after=0.3)
    (error,) = of_kind(messages, "error")
    assert error["ename"] == "Interrupted"
    assert "greybox.interrupted_run()" in error["evalue"]
    code = """
stopped = gb.interrupted_run()
done = stopped.record["epochs_done"]
stop = done + 20
def leave(epoch):
    if epoch.epoch == stop:
        raise StopIteration
for start in (lambda: stopped.resume(progress=False, callback=leave),
              lambda: model.fit(data, epochs=100000, seed=1, progress=False, callback=leave)):
    try:
        start()
    except StopIteration:
        pass
    left = gb.interrupted_run()
    print(done > 0, left.record["epochs_done"] == stop, hash(left.weights["fD.0.weight"].tobytes()))
"""
    messages = kernel.run(code)
    assert not of_kind(messages, "error"), of_kind(messages, "error")
    lines = "".join(one["text"] for one in of_kind(messages, "stream")).split("\n")
    assert lines[0].startswith("True True ")
    assert lines[0] == lines[1], "the same bits as without the interruption"


def test_the_stop_button_ends_other_computations(kernel):
    messages = kernel.run("run.landscape(a=(0, 2, 600), c=(-3, 3, 600), exact=True)", stop_after=0.2)
    (error,) = of_kind(messages, "error")
    assert error["ename"] == "KeyboardInterrupt"


def test_results_show_themselves(kernel):
    for cell in ("model", "run", "run.verdicts(progress=False)", "run.landscape(a=5, c=5, progress=False)"):
        (shown,) = of_kind(kernel.run(cell), "execute_result")
        assert "<" in shown["data"]["text/html"], cell
