"""Evaluators: a trained right-hand side at points of one's own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from . import _core
from ._arguments import entry
from ._errors import refuse

Quantity = Literal["total", "theory", "network", "observed"]
Floats = npt.NDArray[np.float64]


def _point(values: Any) -> Any:
    """Arrays as they are (numpy, torch, jax: no copy of float64), anything else as numpy's."""
    if type(values) is np.ndarray:
        return values
    if hasattr(values, "detach"):
        return values.detach()
    return values if hasattr(values, "__dlpack__") else np.asarray(values, dtype=np.float64)


def _known(of: Quantity) -> Quantity:
    if of not in get_args(Quantity):
        refuse(f"`{of}` is no part", f"one of {', '.join(get_args(Quantity))}", argument="of")
    return of


def _wrong_point(t: Any, state: Any) -> TypeError:
    if not isinstance(t, (int, float, np.number)):
        return TypeError(f"`t` is a number, not {type(t).__name__}")
    kind = f"{type(state).__name__} of {getattr(state, 'dtype', 'no type')} with {len(state.shape)} axes"
    return TypeError(f"`state` is an array of real numbers with one axis, on the CPU, not {kind}")


class Evaluator:
    """The right-hand side `ds/dt = f(t, s)` of a trained model, its parts, and their exact derivatives.

    Call it like a function: `scipy.integrate.solve_ivp(f, (0, 10), f.initial_state(), jac=f.jacobian)`. A state is an
    array with the variables of `f.states` one after another (a field row by row); a second axis holds several states.
    Of an algebraic model, a point holds the columns that it reads, and `t` has no effect. Results are new arrays, or
    `out`, which is written where it is.

    An evaluator keeps θ, inputs and scratch memory: `f.copy()` gives every thread its own.
    """

    def __init__(self, core: _core.Evaluator) -> None:
        self._handle = core

    @property
    def states(self) -> list[str]:
        """What a point holds; of an algebraic model the columns that it reads."""
        return [one["name"] for one in self._handle.states()]

    @property
    def components(self) -> list[str]:
        """What the right-hand side and its parts hold."""
        return [one["name"] for one in self._handle.components()]

    @property
    def outputs(self) -> list[str]:
        """What `observe` gives."""
        return [one["name"] for one in self._handle.outputs()]

    @property
    def inputs(self) -> list[str]:
        """The exogenous inputs u."""
        return self._handle.inputs()

    @property
    def is_algebraic(self) -> bool:
        """Whether the model has no state."""
        return self._handle.is_algebraic()

    @property
    def theta(self) -> dict[str, float]:
        """The theory's parameters; assign a dictionary, also of some of them, to change them."""
        return dict(zip(self._handle.parameters(), self._handle.theta().tolist(), strict=True))

    @theta.setter
    def theta(self, values: Mapping[str, float]) -> None:
        known = self.theta
        for name in values:
            entry(known, name, "parameter")
        self._handle.set_theta(np.array([float(values.get(name, known[name])) for name in known]))

    def set_inputs(self, values: Any) -> None:
        """The inputs u from now on, whatever the time, in the order of `inputs`."""
        self._handle.set_inputs(_point(values))

    def use_window_inputs(self) -> None:
        """Inputs of the window again, linear between its snapshots."""
        self._handle.use_window_inputs()

    @property
    def start_time(self) -> float:
        """The clock time at t = 0, `t0` of the equations."""
        return self._handle.start_time()

    @start_time.setter
    def start_time(self, value: float) -> None:
        self._handle.set_start_time(value)

    def initial_state(self) -> Floats:
        """The state at the first snapshot of the window that the evaluator was made with."""
        return self._handle.initial_state()

    def __call__(self, t: float, state: Any, out: Any = None) -> Any:
        """The right-hand side; of an algebraic model, its output."""
        return self._evaluate("total", t, state, out)

    def theory(self, t: float, state: Any, out: Any = None) -> Any:
        """The theory's part."""
        return self._evaluate("theory", t, state, out)

    def network(self, t: float, state: Any, out: Any = None) -> Any:
        """The network's part."""
        return self._evaluate("network", t, state, out)

    def observe(self, t: float, state: Any, out: Any = None) -> Any:
        """What is observed in this state."""
        return self._evaluate("observed", t, state, out)

    def _evaluate(self, of: Quantity, t: float, state: Any, out: Any) -> Any:
        point = _point(state)
        if len(point.shape) == 2:
            columns = [self._handle.evaluate(of, t, np.ascontiguousarray(one)) for one in np.asarray(point).T]
            return np.stack(columns, axis=1)
        try:
            return self._handle.evaluate(of, t, point, out)
        except TypeError:
            raise _wrong_point(t, point) from None

    def jacobian(self, t: float, state: Any, out: Any = None, *, of: Quantity = "total") -> Any:
        """∂q/∂s of the right-hand side, or of the part named by `of`: components × states."""
        return self._handle.jacobian(_known(of), t, _point(state), out)

    def jvp(self, t: float, state: Any, tangent: Any, out: Any = None, *, of: Quantity = "total") -> Any:
        """The Jacobian times a direction of the state."""
        return self._handle.jacobian_vector(_known(of), t, _point(state), _point(tangent), out)

    def vjp(self, t: float, state: Any, cotangent: Any, *, of: Quantity = "total") -> dict[str, Floats]:
        """A cotangent times the Jacobians with respect to `state`, `theta` and `inputs`, in one reverse pass."""
        found = self._handle.vector_jacobian(_known(of), t, _point(state), _point(cotangent))
        return dict(zip(("state", "theta", "inputs"), found, strict=True))

    def copy(self) -> Evaluator:
        """An independent evaluator, for another thread."""
        return Evaluator(self._handle.copy())

    def __copy__(self) -> Evaluator:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Evaluator:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError("an evaluator does not pickle: send the run, and call `run.evaluator(…)` there")

    def __repr__(self) -> str:
        theta = ", ".join(f"{name} = {value:.4g}" for name, value in self.theta.items())
        return f"<greybox.Evaluator of {', '.join(self.components)} at {theta}>"
