"""States that nobody measures, at any θ: the theory's solution along the exact measured states, from the exact start."""
import numpy as np

from expression import vector


class HiddenStates:
    """Runge–Kutta over two fine steps at a time, so that the measured states are known in the middle too."""

    def __init__(self, model, data, keep):
        self.model = model
        self.fine = data.fine
        self.step = model.dt / (8 * model.substeps)
        self.n_series = data.fine.shape[1]
        self.places = np.repeat(data.indices, self.n_series)[keep]
        self.series = data.series[keep]
        self.constants = {name: data.points[name][:self.n_series] for name in model.inputs}
        self.slope_of = vector([model.theory[name] for name in model.hidden_states])
        self.own = [list(model.state).index(name) for name in model.hidden_states]

    def slope(self, thetas, k, hidden):
        names = list(self.model.state)
        seen = {name: self.fine[k, :, i] for i, name in enumerate(names) if i not in self.own}
        values = self.slope_of(thetas | self.constants | seen | {"t": k * self.step} | dict(zip(self.model.hidden_states, hidden)))
        return np.moveaxis(values + np.zeros((*hidden.shape[1:], 1)), -1, 0)

    def at(self, thetas):
        """name -> (batch, points)."""
        n = len(next(iter(thetas.values())))
        hidden = np.stack([np.broadcast_to(self.fine[0, :, i], (n, self.n_series)) for i in self.own])
        path = [hidden]
        h = 2 * self.step
        for k in range(0, len(self.fine) - 1, 2):
            k1 = self.slope(thetas, k, hidden)
            k2 = self.slope(thetas, k + 1, hidden + h / 2 * k1)
            k3 = self.slope(thetas, k + 1, hidden + h / 2 * k2)
            k4 = self.slope(thetas, k + 2, hidden + h * k3)
            new = hidden + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
            path += [(hidden + new) / 2 + h / 8 * (k1 - self.slope(thetas, k + 2, new)), new]
            hidden = new
        found = np.array(path)[self.places, :, :, self.series]
        return {name: np.moveaxis(found[:, i], 0, -1) for i, name in enumerate(self.model.hidden_states)}
