"""Models: theory, networks and candidate regularizers as equations."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _core
from ._arguments import path_or_none
from ._control import Cancel, controlled, trainings
from ._errors import InputError, refuse
from ._model_html import model_html
from ._mpi import Communicator
from ._progress import Epoch, ProgressArgument
from ._selection import values_by_name
from ._toml import to_toml
from ._training import Mode, Precision, check_mode, finished, precision_is_single
from .dataset import Dataset
from .model_parts import Equation, Parameter, Summary
from .structure import StructuralCheck
from .table import explained, table_for

if TYPE_CHECKING:
    from .run import Run


class Model:
    """A model, read and checked; in a notebook it shows its mathematics.

    Args:
        source: the path of a model file, or a dictionary shaped like one. `Model.from_text` takes the text itself.
        name: what messages call a model that is not from a file.

    Examples:
        >>> model = Model({
        ...     "name": "decay",
        ...     "parameters": {"k": {"prior": "uniform", "low": 0.5, "high": 2}},
        ...     "state": {"x": "x"},
        ...     "theory": {"x": "-k * x"},
        ...     "network": {"fD": {"inputs": ["x", "k"], "hidden": [8], "outputs": ["x"]}},
        ...     "observe": {"x": "x"},
        ...     "regularizers": {"normD": "mean(norm2(network))"},
        ... })
        >>> model
        <greybox.Model decay: parameters k, states x>
    """

    _handle: _core.Model

    def __init__(self, source: str | os.PathLike[str] | Mapping[str, Any], *, name: str = "model") -> None:
        if isinstance(source, Mapping):
            self._handle, self._source = _core.Model.parse(to_toml(source), name), name
        elif not isinstance(source, (str, os.PathLike)):
            help_ = "give the path of a model file, or a dictionary shaped like one"
            refuse(f"{type(source).__name__} is no model", help_, argument="source")
        else:
            path = os.fspath(source)
            if "\n" in path:
                refuse("this is a text, not a path", "`Model.from_text(text)` reads it", argument="source")
            self._handle, self._source = _core.Model.read(path), path

    @classmethod
    def from_text(cls, text: str, name: str = "model") -> Model:
        """A model from the text of a model file; messages call it `name`."""
        if not isinstance(text, str):
            refuse(f"{type(text).__name__} is no text", "`Model` takes paths and dictionaries", argument="text")
        return cls._of(_core.Model.parse(text, name), name)

    @classmethod
    def _of(cls, core: _core.Model, source: str) -> Model:
        model = cls.__new__(cls)
        model._handle, model._source = core, source
        return model

    @property
    def name(self) -> str:
        """What the model calls itself."""
        return self._handle.name()

    @property
    def about(self) -> str:
        """One line for the reader."""
        return self._handle.about()

    @property
    def text(self) -> str:
        """The text of the model file."""
        return self._handle.text()

    @property
    def parameters(self) -> dict[str, Parameter]:
        """The theory's parameters, by name."""
        return {one["name"]: Parameter(**one) for one in self._handle.parameters()}

    @property
    def states(self) -> list[str]:
        """State variables; of an algebraic model, its outputs."""
        return self._handle.states()

    @property
    def outputs(self) -> list[str]:
        """Observed variables: what is compared with the data."""
        return self._handle.outputs()

    @property
    def regularizers(self) -> dict[str, str]:
        """The candidate regularizers: their expressions, by name."""
        return {one["name"]: one["expression"] for one in self._handle.regularizers()}

    @property
    def equations(self) -> list[Equation]:
        """All equations, section by section."""
        return [Equation(**one) for one in self._handle.equations()]

    @property
    def is_algebraic(self) -> bool:
        """A model without state: its theory gives the outputs themselves."""
        return self._handle.is_algebraic()

    @property
    def data_file(self) -> Path | None:
        """The data file that the model names."""
        path = os.fspath(self._handle.data_file())
        return Path(path) if path not in ("", ".") else None

    def dataset(self, data: Any = None, *, time_unit: str | None = None) -> Dataset:
        """What the model makes of data: windows, splits, and what was dropped.

        Args:
            data: as for `fit`.
            time_unit: as for `fit`.
        """
        if data is None:
            self._need_file()
            return Dataset(_core.Dataset(self._handle, self._handle.read_table()), None)
        table, calendar, left_out = table_for(self, data, time_unit=time_unit)
        try:
            return Dataset(_core.Dataset(self._handle, table), calendar)
        except InputError as error:
            raise explained(error, left_out) from None

    def _need_file(self) -> None:
        if self.data_file is None:
            help_ = "give the data, such as a DataFrame, or name a `file` in [data] of the model"
            refuse("the model names no data file", help_, argument="data")

    def check(self, data: Any = None, *, time_unit: str | None = None) -> Summary:
        """The model explained, with its data if it is given any or names some: mathematics, sizes, what looks odd."""
        if data is None and self.data_file is None:
            fields = self._handle.check()
        else:
            fields = self._handle.check(self.dataset(data, time_unit=time_unit)._handle)
        details = json.loads(fields["json"])
        return Summary(fields["text"], fields["n_weights"], fields["warnings"], details)

    def structural_check(
        self,
        data: Any = None,
        *,
        draws: int = 8,
        n_windows: int = 64,
        seed: int = 0,
        time_unit: str | None = None,
        threads: int = 0,
        progress: ProgressArgument = True,
        cancel: Cancel | None = None,
    ) -> StructuralCheck:
        """Before any training: which parameters no data of this design can determine.

        The design is what the data have: times, inputs, first states and which quantities are observed. Measured values
        play no other part, so planned or simulated data will do.

        Args:
            data: as for `fit`.
            draws: values of θ, drawn from the prior, at which the test is made.
            n_windows: at most so many windows, evenly spaced.
            seed: of the draws.
            time_unit: as for `fit`.
            threads: as for `fit`.
            progress: as for `fit`.
            cancel: once set, `Interruption` is raised.

        Examples:
            >>> import greybox as gb
            >>> import numpy as np
            >>> x = np.linspace(-3, 3, 60)
            >>> print(gb.example("toy").structural_check({"x": x, "y": np.sin(x)}, progress=False))
            a and c: determined, if the theory alone were right
            a and c: the network can undo whatever they do; the data alone do not choose, only a regularizer does
        """
        if draws == 0:
            refuse("there is no θ to look at", "1 or more", argument="draws")
        options = {"n_draws": draws, "n_windows": n_windows, "seed": seed}
        dataset = self.dataset(data, time_unit=time_unit)
        with controlled(threads, progress, cancel) as control:
            return StructuralCheck(_core.structural_check(dataset._handle, options, control))

    def fit(
        self,
        data: Any = None,
        *,
        mode: Mode | None = None,
        lambda_: float | None = None,
        regularizer: str | None = None,
        epochs: int | None = None,
        batch: int | None = None,
        seed: int | None = None,
        precision: Precision | None = None,
        theta: Mapping[str, float] | None = None,
        folder: str | os.PathLike[str] | None = None,
        resume: bool = False,
        overwrite: bool = False,
        time_unit: str | None = None,
        threads: int = 0,
        progress: ProgressArgument = True,
        callback: Callable[[Epoch], object] | None = None,
        cancel: Cancel | None = None,
        comm: Communicator | None = None,
    ) -> Run:
        """Train the networks; what is not given is taken from the model file.

        Ctrl-C, and the stop button of a notebook, end the training after its step and raise `Interrupted`, a
        `KeyboardInterrupt` whose `run` can be continued with `run.resume()`. So does an exception in a callback, which
        comes out as it is. That a training diverged is in the run's `outcome` and `message`, and a warning.

        Args:
            data: a pandas or polars DataFrame, an xarray Dataset, a dictionary of arrays, a list or dictionary of these
                (one per series), a `Table`, or the path of a CSV or npz file; None: the model's own file.
            mode: adaptive (for every θ at once), inductive, transductive, refit (θ fixed), aphynity
                or tailored.
            lambda_: the factor of the regularizer.
            regularizer: a name of the model file, or an expression.
            epochs: how many.
            batch: samples per step.
            seed: of everything random.
            precision: of the arithmetic, "float" or "double".
            theta: in mode refit, a value for every parameter.
            folder: where checkpoints, curves and the result are kept while training; None: in memory.
            resume: continue an interrupted run of this folder.
            overwrite: start anew in a folder that holds a run.
            time_unit: what dates are counted in: "s", "min", "h", "day", "week" or "year".
            threads: 0 for one per core; results do not depend on it.
            progress: True shows it, False does not, and a function is called with every `Progress`.
            callback: called with an `Epoch` at the end of every epoch.
            cancel: a `threading.Event`, or anything with `is_set()`; once set, the training ends, with outcome
                "interrupted".
            comm: processes that share the work, a communicator of mpi4py; all of them make the same call with the same
                data. The run has the same bits as without; the first process alone shows progress and writes.
        """
        options: dict[str, Any] = {
            "mode": mode,
            "lambda": lambda_,
            "regularizer": regularizer,
            "epochs": epochs,
            "batch": batch,
            "seed": seed,
            "single_precision": None if precision is None else precision_is_single(precision),
            "theta": values_by_name(theta, "theta"),
            "folder": path_or_none(folder, "folder"),
            "resume": resume,
            "overwrite": overwrite,
        }
        if mode is not None:
            check_mode(mode)
        if theta is not None and mode != "refit" and not resume:
            refuse("only mode refit fixes the parameters", '`mode="refit"`, or leave `theta` out', argument="theta")
        from .run import Run

        if resume and folder is None:
            refuse("there is no folder to resume in", "give `folder`, or call `run.resume()`", argument="resume")
        if data is None:
            self._need_file()
            table, calendar, left_out = None, None, dict[str, str]()
        else:
            table, calendar, left_out = table_for(self, data, time_unit=time_unit)

        def wrap(core: _core.Run) -> Run:
            return Run._of(core, self._source, calendar)

        try:
            with trainings(wrap), controlled(threads, progress, cancel, callback, comm) as control:
                if table is None:
                    core = _core.train(self._handle, options, control)
                else:
                    core = _core.train(self._handle, table, options, control)
        except InputError as error:
            raise explained(error, left_out) from None
        return finished(wrap(core))

    def __repr__(self) -> str:
        kind = "outputs" if self.is_algebraic else "states"
        return f"<greybox.Model {self.name}: parameters {', '.join(self.parameters)}, {kind} {', '.join(self.states)}>"

    def _repr_html_(self) -> str:
        return model_html(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Model) and (self.text, self._source) == (other.text, other._source)

    def __hash__(self) -> int:
        return hash((self.text, self._source))

    def __reduce__(self) -> tuple[Any, ...]:
        return Model.from_text, (self.text, self._source)

    def __deepcopy__(self, memo: dict[int, Any]) -> Model:
        return self  # immutable
