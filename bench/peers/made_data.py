"""The three data sets of Yin et al. (2021), simulated: damped pendulum, reaction–diffusion and damped waves."""
import numpy as np

PENDULUM = {"stiffness": (2 * np.pi / 12) ** 2, "friction": 0.2}
REACTION = {"a": 1e-3, "b": 5e-3, "k": 5e-3}
WAVE = {"c": 330.0, "k": 50.0}


def runge_kutta(derivative, state, step, n_steps):
    for _ in range(n_steps):
        k1 = derivative(state)
        k2 = derivative(state + step / 2 * k1)
        k3 = derivative(state + step / 2 * k2)
        k4 = derivative(state + step * k3)
        state = state + step / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return state


def simulate(derivative, state, interval, n_snapshots, n_steps):
    """Snapshots × the state's shape; `n_steps` of the solver between two snapshots."""
    snapshots = [state]
    while len(snapshots) < n_snapshots:
        snapshots.append(runge_kutta(derivative, snapshots[-1], interval / n_steps, n_steps))
    return np.stack(snapshots)


def laplacian(field, spacing, boundary):
    """Five-point; beyond the edge the field repeats (`periodic`), or is 0 (`fixed`)."""
    padded = np.pad(field, [(0, 0)] * (field.ndim - 2) + [(1, 1), (1, 1)],
                    mode="wrap" if boundary == "periodic" else "constant")
    centre = padded[..., 1:-1, 1:-1]
    return (padded[..., 2:, 1:-1] + padded[..., :-2, 1:-1] + padded[..., 1:-1, 2:] + padded[..., 1:-1, :-2]
            - 4 * centre) / spacing ** 2


def pendulum(file, n_series, rng):
    """40 snapshots in 20 s from a random direction at a distance from 1.3 to 2.3."""
    direction = rng.uniform(-1, 1, (2, n_series))
    start = direction / np.hypot(*direction) * rng.uniform(1.3, 2.3, n_series)

    def derivative(state):
        angle, velocity = state
        return np.stack([velocity, -PENDULUM["stiffness"] * np.sin(angle) - PENDULUM["friction"] * velocity])

    states = simulate(derivative, start, 0.5, 40, 50)
    rows = [f"{s},{0.5 * k!r},{states[k, 0, s]!r},{states[k, 1, s]!r}" for s in range(n_series) for k in range(40)]
    file.write_text("\n".join(["series,time,angle,velocity", *rows]) + "\n")


def reaction_diffusion(file, n_series, rng, size):
    """FitzHugh and Nagumo's equations on a torus over [-1, 1]², from noise; 30 snapshots, 0.1 apart."""
    a, b, k = REACTION.values()
    spacing = 2 / size

    def derivative(state):
        u, v = state
        return np.stack([a * laplacian(u, spacing, "periodic") + u - u ** 3 - v - k,
                         b * laplacian(v, spacing, "periodic") + u - v])

    states = simulate(derivative, rng.uniform(0, 1, (2, n_series, size, size)), 0.1, 30, 20)
    write_fields(file, ("u", "v"), states, 0.1)


def wave(file, n_series, rng, size):
    """A bump that spreads, with w = 0 beyond the edge; 25 snapshots, 1e-3 apart."""
    y, x = np.mgrid[:size, :size]
    bumps = [np.exp(-((x - rng.uniform(0.3, 0.6) * size) ** 2 + (y - rng.uniform(0.3, 0.6) * size) ** 2)
                    / (rng.uniform(10, 100) * (size / 64) ** 2)) for _ in range(n_series)]
    c, k = WAVE.values()

    def derivative(state):
        w, v = state
        return np.stack([v, c ** 2 * laplacian(w, 1, "fixed") - k * v])

    states = simulate(derivative, np.stack([bumps, np.zeros_like(bumps)]), 1e-3, 25, 5)
    write_fields(file, ("w", "v"), states, 1e-3)


def write_fields(file, names, states, interval):
    arrays = {name: states[:, i].swapaxes(0, 1).astype(np.float32) for i, name in enumerate(names)}
    np.savez(file, time=interval * np.arange(len(states)), **arrays)
