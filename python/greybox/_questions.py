"""What a trained model can be asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, cast

from . import _core
from ._arguments import handles, one_of, pair, texts
from ._control import Cancel, controlled
from ._errors import refuse
from ._mpi import Communicator
from ._progress import ProgressArgument
from ._run_base import RunBase, Theta
from ._selection import On, ThetaFrom, check_names, plane_of, selection, theta_options, values_by_name, varied
from ._training import Precision, precision_is_single
from .estimate import Estimate
from .landscape import Landscape
from .posterior import Posterior
from .prediction import Prediction
from .verdicts import Verdicts

if TYPE_CHECKING:
    from .run import Run

EstimateMethod = Literal["grid", "adam", "lbfgs", "bobyqa", "direct"]


class Questions(RunBase):
    """Landscapes, verdicts, estimates, distributions, predictions."""

    def landscape(
        self,
        *parameters: str,
        extra: Sequence[str] = (),
        on: On = None,
        n_windows: int = 0,
        data: Any = None,
        at: Theta | Literal["estimate", "estimator"] | None = None,
        plane: str | None = None,
        seeds: int = 1,
        with_runs: Sequence[Run] = (),
        retrain: int = 0,
        refits: int = 3,
        exact: bool = False,
        seed: int = 0,
        precision: Precision = "double",
        vary: Mapping[str, Any] | None = None,
        threads: int = 0,
        progress: ProgressArgument = True,
        cancel: Cancel | None = None,
        comm: Communicator | None = None,
        **ranges: Any,
    ) -> Landscape:
        """Regularizers and errors over the parameters.

        `run.landscape(g=(8, 12, 101))` varies `g`; without any parameter all are varied, of more than two every pair.

        Args:
            *parameters: parameters to vary over their whole range.
            extra: expressions beyond the regularizers of the model file.
            on: which windows: a split, the number of one, `(series, time)`, or ranges of the inputs of an algebraic
                model; by default the validation windows.
            n_windows: only so many of them, drawn by `seed`, one from each of as many equal parts; 0: all.
            data: other data than the run's own.
            at: values of parameters that are not varied; or "estimate" (the last one) or "estimator" (the model's).
            plane: a plane through all parameters instead: "random", "pca" or "pca:REGULARIZER".
            seeds: networks behind the bands, including the run's own; the others are trained once.
            with_runs: further runs of the same model for the bands.
            retrain: compare with so many trainings at fixed θ.
            refits: short refits, at most, where θ do not fit and the data alone do not tell why.
            exact: evaluate networks at every θ, even where values can be interpolated without a visible error.
            seed: of the windows that are drawn, of planes, and of the θ for `retrain`.
            precision: of the arithmetic.
            vary: parameters to vary, for those called like an argument of this function.
            threads: as for `Model.fit`.
            progress: as for `Model.fit`.
            cancel: once set, `Interruption` is raised.
            comm: processes that share the work, as for `Model.fit`; the result is of use in the first.
            **ranges: `(low, high)`, `(low, high, n_points)` or `n_points` of each parameter to vary.
        """
        check_names([*parameters, *ranges], list(self.model.parameters), self.landscape)
        options: dict[str, Any] = {
            "vary": varied(parameters, {**(vary or {}), **ranges}),
            **self._common(on, n_windows, data, extra),
            "plane": plane_of(plane),
            "seed": seed,
            "seeds": seeds,
            "with": handles(with_runs, "with_runs"),
            "retrain": retrain,
            "refits": refits,
            "exact": exact,
            "single_precision": precision_is_single(precision),
        }
        if isinstance(at, str):
            if at not in ("estimate", "estimator"):
                refuse(f"`{at}` is no reference", 'values by name, "estimate" or "estimator"', argument="at")
            options["reference"] = at
        elif at is not None:
            options["at"] = values_by_name(at, "at")
        with self._asked(data, extra), controlled(threads, progress, cancel, comm=comm) as control:
            core = _core.landscape(self._handle, options, control)
        return Landscape._made(core)

    def verdicts(
        self,
        *,
        extra: Sequence[str] = (),
        on: On = None,
        n_windows: int = 0,
        data: Any = None,
        at: Theta | None = None,
        seeds: int = 1,
        with_runs: Sequence[Run] = (),
        n_resamples: int = 32,
        seed: int = 0,
        threads: int = 0,
        progress: ProgressArgument = True,
        cancel: Cancel | None = None,
    ) -> Verdicts:
        """Which parameters each regularizer determines, which it leaves open, and why.

        Args:
            extra: expressions beyond the regularizers of the model file.
            on: as for `landscape`; by default the validation windows.
            n_windows: only so many of them; 0: all.
            data: other data than the run's own.
            at: parameters that are held and not judged.
            seeds: networks to ask, including the run's own.
            with_runs: further runs of the same model to ask.
            n_resamples: resampled sets of windows per network.
            seed: of the resampling.
            threads: as for `Model.fit`.
            progress: as for `Model.fit`.
            cancel: once set, `Interruption` is raised.
        """
        options = {
            **self._common(on, n_windows, data, extra),
            "held": values_by_name(at, "at"),
            "seeds": seeds,
            "with": handles(with_runs, "with_runs"),
            "n_resamples": n_resamples,
            "seed": seed,
        }
        with self._asked(data, extra), controlled(threads, progress, cancel) as control:
            core = _core.judge(self._handle, options, control)
        return Verdicts._made(core)

    def estimate(
        self,
        regularizer: str,
        *,
        method: EstimateMethod | None = None,
        on: On = None,
        each: bool = False,
        data: Any = None,
        starts: int | None = None,
        steps: int | None = None,
        rate: tuple[float, float] | None = None,
        amortised: bool = False,
        epochs: int = 50,
        batch: int | None = None,
        overwrite: bool = False,
        seed: int = 0,
        precision: Precision = "double",
        exact: bool = False,
        threads: int = 0,
        progress: ProgressArgument = True,
        cancel: Cancel | None = None,
        comm: Communicator | None = None,
    ) -> Estimate:
        """The parameters at which a regularizer is lowest.

        Args:
            regularizer: a name of the model file, or an expression.
            method: grid (the default for one or two parameters), adam (the default for more), lbfgs, bobyqa or direct.
            on: as for `landscape`; by default the test windows.
            each: one estimate for each window instead of one for all.
            data: other data than the run's own.
            starts: draws of the prior to start from.
            steps: of adam; evaluations per start of the others.
            rate: first and last rate of adam, or of an amortised training.
            amortised: train the model's [estimator], unless that was done, and apply it.
            epochs: of that training.
            batch: of that training; None: as in the model file.
            overwrite: train it anew.
            seed: of starts, and of the order of windows.
            precision: of the arithmetic.
            exact: compute every θ of a grid, even where values can be interpolated.
            threads: as for `Model.fit`.
            progress: as for `Model.fit`.
            cancel: once set, `Interruption` is raised.
            comm: processes that share the work, as for `Model.fit`; the result is of use in the first.
        """
        options = {
            "regularizer": regularizer,
            "method": one_of(method, ("grid", "adam", "lbfgs", "bobyqa", "direct"), "method"),
            "on": selection(on, self.calendar),
            "each_window": each,
            "data": self._table(data),
            "starts": starts,
            "steps": steps,
            "rate": None if rate is None else pair(rate, "rate"),
            "amortised": amortised,
            "epochs": epochs,
            "batch": batch,
            "overwrite": overwrite,
            "seed": seed,
            "single_precision": precision_is_single(precision),
            "exact": exact,
        }
        with self._asked(data), controlled(threads, progress, cancel, comm=comm) as control:
            core = _core.estimate(self._handle, options, control)
        trained = core.trained()
        return Estimate._made(core, self.calendar, None if trained is None else cast("Run", self._wrap(trained)))

    def sample(
        self,
        regularizer: str,
        *,
        beta: float | None = None,
        method: Literal["grid", "nuts"] | None = None,
        on: On = None,
        n_windows: int = 0,
        data: Any = None,
        chains: int = 4,
        draws: int = 1000,
        warmup: int = 1000,
        target_acceptance: float = 0.8,
        seed: int = 0,
        exact: bool = False,
        threads: int = 0,
        progress: ProgressArgument = True,
        cancel: Cancel | None = None,
        comm: Communicator | None = None,
    ) -> Posterior:
        """The distribution p(θ | data) ∝ p(θ) exp(−β R(θ)) of the parameters.

        Args:
            regularizer: a name of the model file, or an expression.
            beta: how much R counts; without it the error suggests values.
            method: grid (the default for one or two parameters) or nuts.
            on: as for `landscape`; by default the test windows.
            n_windows: only so many of them, as for `landscape`; 0: all.
            data: other data than the run's own.
            chains: Markov chains.
            draws: of each chain.
            warmup: of each chain.
            target_acceptance: that nuts aims at.
            seed: of everything random.
            exact: compute R at every θ, even where its means can be interpolated.
            threads: as for `Model.fit`.
            progress: as for `Model.fit`.
            cancel: once set, chains give the draws they have, with a warning; before there are ten of each,
                `Interruption` is raised.
            comm: processes that share the work, as for `Model.fit`; the result is of use in the first.
        """
        options = {
            "regularizer": regularizer,
            "beta": beta,
            "method": one_of(method, ("grid", "nuts"), "method"),
            "on": selection(on, self.calendar),
            "n_windows": n_windows,
            "data": self._table(data),
            "chains": chains,
            "draws": draws,
            "warmup": warmup,
            "target_acceptance": target_acceptance,
            "seed": seed,
            "exact": exact,
        }
        with self._asked(data), controlled(threads, progress, cancel, comm=comm) as control:
            core = _core.sample(self._handle, options, control)
        return Posterior._made(core)

    def predict(
        self,
        data: Any = None,
        *,
        theta: Theta | ThetaFrom | None = None,
        on: On = None,
        extra: Sequence[str] = (),
        precision: Precision = "double",
        threads: int = 0,
    ) -> Prediction:
        """Predictions, the parts of theory and network, and the regularizers' values.

        Args:
            data: other data than the run's own.
            theta: a value for every parameter, or where they come from: "run" (learned with the weights),
                "estimate" (the last), "posterior" (its mean) or "estimator" (the model's); None: what there is.
            on: as for `landscape`; by default all windows.
            extra: expressions beyond the regularizers of the model file.
            precision: of the arithmetic.
            threads: as for `Model.fit`.
        """
        options = {
            **theta_options(theta),
            "data": self._table(data),
            "on": selection(on, self.calendar),
            "regularizers": texts(extra, "extra"),
            "single_precision": precision_is_single(precision),
        }
        with self._asked(data, extra), controlled(threads, False, None) as control:
            core = _core.predict(self._handle, options, control)
        return Prediction._made(core, self.calendar)
