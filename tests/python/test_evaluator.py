"""The trained right-hand side, with scipy and jax."""

import copy

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import greybox as gb


@pytest.fixture
def f(run):
    return run.evaluator({"g": 9.8}, window=0)


def test_is_theory_plus_network(f):
    state = np.array([0.4, -1.0])
    total = f(0.0, state)
    assert np.allclose(total, f.theory(0.0, state) + f.network(0.0, state), rtol=0, atol=1e-15)
    assert f.theory(0.0, state) == pytest.approx([-1.0, -9.8 * np.sin(0.4)])
    assert np.array_equal(f.observe(0.0, state), state)
    assert f.states == f.components == ["angle", "velocity"]
    assert "g = 9.8" in repr(f)


def test_scipy_integrates_it_as_the_library_does(f, run):
    prediction = run.predict(theta={"g": 9.8}, on=0)
    times = prediction.time[0] - prediction.windows[0].start
    span = (0, times[-1])
    for options in ({"method": "RK45"}, {"method": "BDF", "jac": f.jacobian}):
        solution = solve_ivp(f, span, f.initial_state(), t_eval=times, rtol=1e-8, atol=1e-10, **options)
        assert np.allclose(solution.y[0], prediction["angle"][0], atol=1e-4)
    vectorised = solve_ivp(f, span, f.initial_state(), method="BDF", vectorized=True)
    assert vectorised.success


def test_derivatives_agree_with_finite_differences(f):
    state, h = np.array([0.4, -1.0]), 1e-6
    for of, call in (("total", f), ("theory", f.theory), ("network", f.network), ("observed", f.observe)):
        numeric = np.stack([(call(0, state + h * e) - call(0, state - h * e)) / (2 * h) for e in np.eye(2)], axis=1)
        jacobian = f.jacobian(0, state, of=of)
        assert np.allclose(jacobian, numeric, atol=1e-7)
        direction = np.array([0.3, -0.7])
        assert np.allclose(f.jvp(0, state, direction, of=of), jacobian @ direction)
        assert np.allclose(f.vjp(0, state, direction, of=of)["state"], direction @ jacobian)
    slope = f.vjp(0, state, np.array([0.0, 1.0]))["theta"][0]
    f.theta = {"g": 9.8 + h}
    above = f(0, state)[1]
    f.theta = {"g": 9.8 - h}
    assert slope == pytest.approx((above - f(0, state)[1]) / (2 * h), abs=1e-6)


def test_writes_where_it_is_told(f):
    state, out = np.array([0.4, -1.0]), np.empty(2)
    assert f(0, state, out) is out
    assert np.array_equal(out, f(0, state))
    jacobian = np.empty((2, 2))
    f.jacobian(0, state, jacobian)
    assert np.array_equal(jacobian, f.jacobian(0, state))
    with pytest.raises(ValueError, match="contiguous, writable array of float64"):
        f(0, state, np.empty(2, dtype=np.float32))
    with pytest.raises(ValueError, match="2"):
        f(0, np.zeros(3))


@pytest.mark.parametrize(
    ("t", "state", "expected"),
    [
        ("noon", [0.1, 0.2], "`t` is a number, not str"),
        (0, 0.1, "`state` is an array of real numbers with one axis, on the CPU, not ndarray of float64 with 0 axes"),
        (0, np.array([1j, 2]), "not ndarray of complex128 with 1 axes"),
    ],
)
def test_says_what_a_point_is(f, t, state, expected):
    with pytest.raises(TypeError, match=expected):
        f(t, state)


def test_takes_lists_integers_and_several_states(f):
    assert np.array_equal(f(0, [1, 2]), f(0, np.array([1.0, 2.0])))
    many = f(0, np.array([[0.1, 0.2, 0.3], [1.0, 2.0, 3.0]]))
    assert many.shape == (2, 3)
    assert np.array_equal(many[:, 1], f(0, [0.2, 2.0]))


def test_copies_are_independent(f):
    other = copy.deepcopy(f)
    other.theta = {"g": 8.5}
    assert f.theta == {"g": 9.8}
    with pytest.raises(gb.InputError, match="g"):
        other.theta = {"g": 100}
    assert other.theta == {"g": 8.5}
    with pytest.raises(KeyError, match="no parameter `h`"):
        other.theta = {"h": 1}


def test_jax_arrays_go_in_and_out(f):
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    state = jax.numpy.array([0.4, -1.0])
    assert np.array_equal(f(0, state), f(0, np.array([0.4, -1.0])))
    back = jax.dlpack.from_dlpack(f(0, state))
    assert back.shape == (2,)


def test_an_algebraic_model_gives_its_output(toy_run):
    f = toy_run.evaluator({"a": 1, "c": 0})
    assert f.is_algebraic
    prediction = toy_run.predict(theta={"a": 1, "c": 0}, on=0)
    assert f(0, prediction.data["x"][0]) == pytest.approx(prediction["y"][0])
