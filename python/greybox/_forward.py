"""What a trained model can be asked about its dynamics: simulations and explanations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Union

import numpy as np

from . import _core
from ._arguments import handles, texts
from ._calendar import duration, moment
from ._control import Cancel, controlled
from ._errors import refuse
from ._progress import ProgressArgument
from ._questions import Questions
from ._run_base import Theta
from ._selection import On, ThetaFrom, selection, theta_options, values_by_name
from .explanation import Explanation
from .simulation import Simulation

if TYPE_CHECKING:
    from .run import Run

#: Values of states by name, the number of a window, or `(series, time)` for a row of the data.
Start = Union[Mapping[str, float], int, tuple[Any, Any]]


class Forward(Questions):
    """Simulations and explanations."""

    def simulate(
        self,
        start: Start,
        *,
        states: Mapping[str, float] | None = None,
        start_time: Any = None,
        inputs: Any = None,
        data: Any = None,
        horizon: Any = None,
        step: Any = None,
        theta: Theta | ThetaFrom | None = None,
        bands: bool = True,
        level: float = 0.9,
        conformal: bool = False,
        seeds: int = 1,
        with_runs: Sequence[Run] = (),
        draws: int = 50,
        threads: int = 0,
        progress: ProgressArgument = True,
        cancel: Cancel | None = None,
    ) -> Simulation:
        """The model forward in time, from any start and over any length, without outputs.

        `run.simulate({"angle": 0.3, "velocity": 0}, horizon=20)`, or `run.simulate(3)` from the start of window 3 to
        the end of its series.

        Args:
            start: values of states by name, the number of a window, or `(series, time)` for a row of the data.
            states: values that replace some of the states of a row.
            start_time: of a start from values, a date where the run's data have dates; None: the first time of the
                inputs, or 0.
            inputs: a table with a time and the columns that [inputs] reads; None: the data that it starts in.
            data: other data than the run's own to start in.
            horizon: how long, as a number or a `timedelta`; None: to the end of the inputs, or of the series.
            step: between output times, as a number or a `timedelta`; None: as in the data.
            theta: a value for every parameter, or where they come from: "run", "estimate", "posterior" or
                "estimator"; None: what there is.
            bands: with bands, which need the run's data.
            level: share of values that the bands are meant to hold.
            conformal: correct the bands by split conformal prediction on the validation windows.
            seeds: networks behind the bands, as for `landscape`.
            with_runs: further runs of the same model for the bands.
            draws: of the distribution of θ, where it is "posterior".
            threads: as for `Model.fit`.
            progress: as for `Model.fit`.
            cancel: once set, `Interruption` is raised.
        """
        options = {
            "start": {**_start(start, self.calendar, states), "time": moment(start_time, self.calendar, "start_time")},
            "inputs": self._table(inputs),
            "data": self._table(data),
            "horizon": duration(horizon, self.calendar, "horizon"),
            "step": duration(step, self.calendar, "step"),
            **theta_options(theta),
            "bands": bands,
            "level": level,
            "conformal": conformal,
            "seeds": seeds,
            "with": handles(with_runs, "with_runs"),
            "draws": draws,
        }
        with self._asked(data), controlled(threads, progress, cancel) as control:
            core = _core.simulate(self._handle, options, control)
        return Simulation._made(core, self.calendar)

    def explain(
        self,
        *,
        theta: Theta | ThetaFrom | None = None,
        on: On = None,
        data: Any = None,
        most_terms: int = 4,
        terms: Sequence[str] = (),
        threads: int = 0,
        progress: ProgressArgument = True,
        cancel: Cancel | None = None,
    ) -> Explanation:
        """What the network learned: its share, on what it depends, and formulas that may stand for it.

        Args:
            theta: as for `simulate`.
            on: as for `landscape`; by default the training windows.
            data: other data than the run's own.
            most_terms: terms of a formula at the most.
            terms: further terms to try, as expressions in states and inputs: `"velocity*abs(velocity)"`.
            threads: as for `Model.fit`.
            progress: as for `Model.fit`.
            cancel: once set, `Interruption` is raised.
        """
        options = {
            **theta_options(theta),
            "on": selection(on, self.calendar),
            "data": self._table(data),
            "most_terms": most_terms,
            "terms": texts(terms, "terms"),
        }
        with self._asked(data), controlled(threads, progress, cancel) as control:
            core = _core.explain(self._handle, options, control)
        return Explanation._made(core)


def _start(start: Any, calendar: Any, states: Mapping[str, float] | None) -> dict[str, Any]:
    replaced = {} if states is None else values_by_name(states, "states")
    if isinstance(start, Mapping):
        return {"states": {**values_by_name(start, "start"), **replaced}}
    if isinstance(start, str) or (isinstance(start, tuple) and len(start) != 2):
        help_ = "values of states by name, the number of a window, or (series, time)"
        refuse(f"`{start}` is no start", help_, argument="start")
    place = int(start) if isinstance(start, (int, np.integer)) else start
    return {"at": selection(place, calendar), "states": replaced}
