"""Fixed steps of the 3/8 rule, as a scan written by hand or by diffrax; both give states and the means behind R."""
import diffrax
import jax
import jax.numpy as jnp
import numpy as np


def squares(theory, network):
    """Summed over components (and grid points), averaged over samples."""
    def mean(a, b):
        return (a * b).reshape(len(a), -1).sum(-1).mean()

    return jnp.stack([mean(theory, theory), mean(network, network), mean(theory, network)])


def named(means):
    return dict(zip(("theory", "network", "dot"), means))


def by_scan(evaluate, start, times):
    """R's means run over every evaluation of the right-hand side, each counting alike."""
    step = times[1] - times[0]

    def derivative(t, state):
        theory, network = evaluate(t, state)
        return theory + network, squares(theory, network)

    def advance(state, t):
        k1, m1 = derivative(t, state)
        k2, m2 = derivative(t + step / 3, state + step / 3 * k1)
        k3, m3 = derivative(t + 2 * step / 3, state + step * (k2 - k1 / 3))
        k4, m4 = derivative(t + step, state + step * (k1 - k2 + k3))
        state = state + step / 8 * (k1 + 3 * k2 + 3 * k3 + k4)
        return state, (state, (m1 + m2 + m3 + m4) / 4)

    _, (states, means) = jax.lax.scan(advance, start, jnp.asarray(times[:-1]))
    return jnp.moveaxis(states, 0, 1), named(means.mean(0))


class Kutta38(diffrax.AbstractERK):
    tableau = diffrax.ButcherTableau(
        c=np.array([1 / 3, 2 / 3, 1.0]),
        a_lower=(np.array([1 / 3]), np.array([-1 / 3, 1.0]), np.array([1.0, -1.0, 1.0])),
        b_sol=np.array([1, 3, 3, 1]) / 8,
        b_error=np.zeros(4))
    interpolation_cls = diffrax.ThirdOrderHermitePolynomialInterpolation.from_k

    def order(self, terms):
        return 4


def by_diffrax(evaluate, start, times):
    """R's means are integrals beside the states, so that evaluations count by the rule's weights."""
    def derivative(t, both, _):
        theory, network = evaluate(t, both[0])
        return theory + network, squares(theory, network)

    solution = diffrax.diffeqsolve(
        diffrax.ODETerm(derivative), Kutta38(), t0=times[0], t1=times[-1], dt0=times[1] - times[0],
        y0=(start, jnp.zeros(3)), saveat=diffrax.SaveAt(ts=jnp.asarray(times[1:])), max_steps=len(times) - 1)
    states, integrals = solution.ys
    return jnp.moveaxis(states, 0, 1), named(integrals[-1] / (times[-1] - times[0]))


SOLVERS = {"scan": by_scan, "diffrax": by_diffrax}
