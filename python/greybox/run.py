"""Runs: a model with trained weights, and everything that can be asked of it."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _core
from ._arguments import path_of, path_or_none, texts
from ._calendar import Calendar
from ._control import Cancel, controlled, trainings
from ._errors import warn_all
from ._forward import Forward
from ._html import escape, number, table, warnings
from ._mpi import Communicator
from ._packing import pack, unpack
from ._progress import Epoch, ProgressArgument
from ._run_base import PathLike, Theta
from ._selection import On, check_names, selection, values_by_name, varied
from ._training import Precision, finished, precision_is_single
from .evaluator import Evaluator
from .explorer import Explorer
from .landscape import theta_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class Run(Forward):
    """A model with trained weights, the record of its training, and its data.

    `Model.fit` makes one, and `greybox.open` opens one that was saved. It lives in memory alone, or in a folder too.
    """

    def resume(
        self,
        *,
        threads: int = 0,
        progress: ProgressArgument = True,
        callback: Callable[[Epoch], object] | None = None,
        cancel: Cancel | None = None,
        comm: Communicator | None = None,
    ) -> Run:
        """Continue an interrupted training, to the same bits as without the interruption.

        A finished run is given back as it is. Arguments are as for `Model.fit`.
        """
        with trainings(self._wrap), controlled(threads, progress, cancel, callback, comm) as control:
            core = _core.resume(self._handle, control)
        return finished(self._wrap(core))

    def refit(
        self,
        theta: Theta,
        data: Any = None,
        *,
        epochs: int | None = None,
        batch: int | None = None,
        seed: int | None = None,
        precision: Precision | None = None,
        folder: PathLike | None = None,
        overwrite: bool = False,
        threads: int = 0,
        progress: ProgressArgument = True,
        callback: Callable[[Epoch], object] | None = None,
        cancel: Cancel | None = None,
        comm: Communicator | None = None,
    ) -> Run:
        """Fix the parameters and train the networks alone, from fresh weights.

        Args:
            theta: a value for every parameter.
            data: other data than the run's own.
            epochs: as for `Model.fit`; what is not given is as in the run's own training.
            batch: as for `Model.fit`.
            seed: as for `Model.fit`.
            precision: as for `Model.fit`.
            folder: as for `Model.fit`.
            overwrite: as for `Model.fit`.
            threads: as for `Model.fit`.
            progress: as for `Model.fit`.
            callback: as for `Model.fit`.
            cancel: as for `Model.fit`.
            comm: as for `Model.fit`.
        """
        options = {
            "epochs": epochs,
            "batch": batch,
            "seed": seed,
            "single_precision": None if precision is None else precision_is_single(precision),
            "folder": path_or_none(folder, "folder"),
            "overwrite": overwrite,
        }
        values, table_ = values_by_name(theta, "theta"), self._table(data)
        control_of = controlled(threads, progress, cancel, callback, comm)
        with self._asked(data), trainings(self._wrap), control_of as control:
            core = _core.refit(self._handle, values, table_, options, control)
        return finished(self._wrap(core))

    def augment(
        self,
        ranges: Mapping[str, tuple[float, float]] | None = None,
        *,
        at: Theta | None = None,
        windows: int = 2000,
        epochs: int = 100,
        seed: int = 0,
        folder: PathLike | None = None,
        threads: int = 0,
        progress: ProgressArgument = True,
        cancel: Cancel | None = None,
    ) -> Run:
        """Teach the model's [estimator] parameters that the data do not have, with windows that the model makes.

        Args:
            ranges: where to draw θ; parameters that are not named keep the bounds of the model.
            at: the θ that the network belongs to; None: the run's own.
            windows: to make.
            epochs: of fitting the estimator.
            seed: of everything random.
            folder: where the new run is kept; None: in memory.
            threads: as for `Model.fit`.
            progress: as for `Model.fit`.
            cancel: as for `Model.fit`.
        """
        options = {
            "theta": varied((), ranges or {}),
            "at": values_by_name(at, "at"),
            "windows": windows,
            "epochs": epochs,
            "seed": seed,
            "folder": path_or_none(folder, "folder"),
        }
        with controlled(threads, progress, cancel) as control:
            made = _core.augment(self._handle, options, control)
        warn_all(made["warnings"])
        return self._wrap(made["run"])

    def evaluator(self, theta: Theta | None = None, *, window: int | None = None) -> Evaluator:
        """The trained right-hand side at points of one's own, for solvers and controllers.

        Args:
            theta: a value for every parameter; None: the run's own.
            window: of the run's data, for a model that reads its observed window, and for inputs and initial states.
        """
        values = self.theta if theta is None else values_by_name(theta, "theta")
        return Evaluator(self._handle.evaluator(values, window))

    def report(
        self,
        file: PathLike = "report.html",
        *parameters: str,
        extra: Sequence[str] = (),
        on: On = None,
        n_windows: int = 0,
        seed: int = 0,
        at: Theta | None = None,
        threads: int = 0,
        progress: ProgressArgument = True,
        cancel: Cancel | None = None,
        **ranges: Any,
    ) -> Path:
        """Write everything that the run has to say as one page for a browser; returns its path.

        Args:
            file: where to.
            *parameters: as for `landscape`.
            extra: as for `landscape`.
            on: as for `landscape`.
            n_windows: as for `landscape`; 0: as many as the page can wait for.
            seed: of the windows that are drawn.
            at: values of parameters that are not varied.
            threads: as for `Model.fit`.
            progress: as for `Model.fit`.
            cancel: once set, `Interruption` is raised.
            **ranges: as for `landscape`.
        """
        check_names([*parameters, *ranges], list(self.model.parameters), self.report)
        options = {
            "vary": varied(parameters, ranges),
            "regularizers": texts(extra, "extra"),
            "on": selection(on, self.calendar),
            "n_windows": n_windows,
            "seed": seed,
            "at": values_by_name(at, "at"),
        }
        with self._asked(None, extra), controlled(threads, progress, cancel) as control:
            warn_all(_core.report(self._handle, path_of(file, "file"), options, control))
        return Path(file)

    def explore(self, *, port: int = 0, open_page: bool = True, threads: int = 0) -> Explorer:
        """Serve a live page on this machine in which θ is dragged and everything follows.

        It serves until `stop` is called on what is returned, or that is thrown away; a script calls its `wait`.

        Args:
            port: of 127.0.0.1; 0: one that is free.
            open_page: show it in the browser.
            threads: as for `Model.fit`.
        """
        return Explorer(self, port, open_page, threads)

    def save(self, folder: PathLike, *, overwrite: bool = False) -> Path:
        """Write the run, and its data unless they came from a file; from then on it lives in this folder.

        Args:
            folder: where to.
            overwrite: replace a run that is there.
        """
        self._handle.save(path_of(folder, "folder"), overwrite)
        self._keep_calendar()
        return Path(folder)

    def plot(self, *, ax: Any = None) -> list[Axes]:
        """Draw the curves of the training: `run.curves.plot()`."""
        return self.curves.plot(ax=ax)

    def __repr__(self) -> str:
        where = f" in {self.folder}" if self.folder else ""
        return f"<greybox.Run of {self.model.name}{where}: {self.outcome}>"

    def _repr_html_(self) -> str:
        record = self.record
        rows = [["model", escape(self.model.name)], ["outcome", escape(self.message or self.outcome)]]
        if record is not None:
            options = record["options"]
            rows += [
                ["mode", escape(options["mode"])],
                ["regularizer", f"{escape(options['regularizer'])}, λ = {escape(options.get('lambda', '–'))}"],
                ["epochs", f"{record['epochs_done']} of {options['epochs']}, {record['seconds']:.1f} s"],
                ["seed", escape(options["seed"])],
                ["L, R", f"{number(_float(record.get('L')))}, {number(_float(record.get('R')))}"],
            ]
        if self.fit_judgement is not None:
            rows.append(["fit", self.fit_judgement.html()])
        if self.theta:
            rows.append(["θ", escape(theta_text(self.theta))])
        if self.noise:
            rows.append(["noise", escape(theta_text(self.noise))])
        rows.append(["folder", escape(self.folder or "in memory")])
        return table(["run", ""], rows) + warnings(self.warnings)

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpacked, (pack(self._handle), self._source, self.calendar)

    def __deepcopy__(self, memo: dict[int, Any]) -> Run:
        return Run._of(self._handle.in_memory(), self._source, self.calendar)


def _unpacked(content: bytes, source: str, calendar: Calendar | None) -> Run:
    return Run._of(unpack(content), source, calendar)


def _float(value: Any) -> float:
    return float("nan") if value is None else float(value)


def open_run(folder: PathLike) -> Run:
    """Open a run that was saved, or that the tool made; also a folder with model.toml and weights.npz alone.

    Args:
        folder: of the run.
    """
    path = Path(path_of(folder, "folder"))
    return Run._of(_core.Run.open(os.fspath(path)), os.fspath(path / "model.toml"), Calendar.of_folder(path))
