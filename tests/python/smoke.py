"""A short look at an installed package, with numpy alone: the tool, a fit, its questions, a copy, a stop."""

import contextlib
import pickle
import subprocess
import sys
import sysconfig
from pathlib import Path

import numpy as np

import greybox as gb


def main() -> None:
    """Raises where something does not hold."""
    x = np.linspace(-3, 3, 60)
    run = gb.example("toy").fit({"x": x, "y": np.sin(x)}, epochs=20, seed=1, progress=False)
    assert run.landscape(a=5, c=5, progress=False)["normD"].values.shape == (5, 5)
    assert len(run.verdicts(progress=False))
    again = pickle.loads(pickle.dumps(run))
    assert all(np.array_equal(again.weights[name], weights) for name, weights in run.weights.items())
    with contextlib.suppress(gb.InputError):
        raise AssertionError(run.landscape(b=3))
    try:
        gb.example("toy").fit({"x": x, "y": x}, epochs=5, callback=lambda _: 1 / 0, progress=False)
    except ZeroDivisionError:
        assert gb.interrupted_run().resume(progress=False).outcome == "finished"
    tool = Path(sysconfig.get_path("scripts")) / "greybox"
    said = subprocess.run([tool, "--version"], check=True, capture_output=True, text=True).stdout
    assert gb.__version__ in said, said
    print(f"Python {sys.version.partition(' ')[0]}: greybox {gb.__version__}, {Path(gb._core.__file__).name}")


if __name__ == "__main__":
    main()
