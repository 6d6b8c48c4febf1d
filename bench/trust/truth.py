"""The true R of a model (f_D* = f_true - f_T at the data's exact states), and what it says of every parameter."""
import numpy as np

from expression import vector
from hidden import HiddenStates
from least_squares import minimise

PROFILE = np.linspace(0, 1, 41)
NARROW = 1 / 3
STRICT = 1e-5      # of the rise: what is lower is the minimum itself
PRECISION = 0.02   # of the size of f_true: how near to f_D* a well-trained network comes
EXCESS = 1e3       # weight of what the network cannot add: it decides before R does
MOST_POINTS = 6500
VALIDATION = 0.2   # the part of the windows that is judged
N_RESAMPLED = 16


class TrueRegularizer:
    """R as a sum of squares over a residual vector, a monotone function of the regularizer itself."""

    def __init__(self, model, data, name, series=None):
        """Over all series, or over those given, as often as they are given."""
        if series is None:
            n = max(int(model.windows * MOST_POINTS / len(data.weights)), 1)
            series = np.random.default_rng(1).permutation(model.windows)[:n]
        order = np.argsort(data.series, kind="stable").reshape(model.windows, -1)
        keep = order[series].ravel()
        self.priors = list(model.parameters.values())
        self.names = list(model.parameters)
        self.points = {key: value[keep] for key, value in data.points.items()}
        self.weights = data.weights[keep] / data.weights[keep].sum()
        self.theory = vector(model.theory.values())
        self.true = vector(model.true.values())(self.points) + np.zeros((len(keep), 1))
        self.added = np.array([output in model.free_outputs for output in model.outputs])
        self.scale = np.array([data.scales[output] for output in model.outputs])
        self.kind = name
        # Where their equations lack something, the theory's hidden states are not the true ones.
        self.hidden = HiddenStates(model, data, keep) if model.hidden_states and not model.lacks_in_hidden else None
        self.is_seen = np.array([output not in model.hidden_states for output in model.outputs])

    def theta(self, u):
        return np.stack([prior.theta(u[..., i]) for i, prior in enumerate(self.priors)], -1)

    def terms(self, u):
        """f_T and what the network has to add: (batch, points, components) each."""
        thetas = {name: column[:, None] for name, column in zip(self.names, self.theta(u).T)}
        points = self.points | self.hidden.at(thetas) if self.hidden else self.points
        theory = self.theory(thetas | points) + np.zeros((len(u), len(self.weights), 1))
        return theory, (self.true - theory) * self.is_seen

    def residuals(self, u):
        theory, correction = self.terms(u)
        network = correction * self.added
        if self.kind == "normD":
            r = (network * np.sqrt(self.weights)[:, None]).reshape(len(u), -1)
        else:
            means = {"corr": self.mean(theory * network),
                     "normdif": self.mean(theory**2) - self.mean(network**2)}
            r = np.sqrt(np.abs(np.stack([means["corr"], means["normdif"]], 1))) if self.kind == "both" \
                else means[self.kind][:, None]
        return r if self.added.all() else np.concatenate([r, EXCESS * self.typical() * self.unexplained(correction)], 1)

    def unexplained(self, correction):
        """What would have to be added where the network adds nothing, in units of the true derivative: (batch, m)."""
        return (correction * ~self.added / self.scale * np.sqrt(self.weights)[:, None]).reshape(len(correction), -1)

    def excess(self, u):
        return self.unexplained(self.terms(u)[1])

    def typical(self):
        """So that the excess decides whatever the units."""
        return float(np.sqrt(np.mean(self.true**2))) ** (1 if self.kind == "normD" else 2) or 1.0

    def resolution(self, best):
        """How far R may be off for a network within PRECISION of f_D*: what rises more, any sound reading can tell."""
        theory, correction = (np.sqrt(self.mean(part**2))[0] for part in self.terms(best[None]))
        error = PRECISION * float(np.sqrt(self.mean((self.true**2)[None])[0]))
        return error * {"normD": 2 * correction + error, "corr": theory, "normdif": 2 * correction,
                        "both": theory + 2 * correction}[self.kind]

    def mean(self, values):
        return np.einsum("bpc,p->b", values, self.weights)

    def regularizer(self, u):
        """R itself at many u."""
        theory, correction = self.terms(u)
        network = correction * self.added
        values = {"normD": self.mean(network**2), "corr": np.abs(self.mean(theory * network)),
                  "normdif": np.abs(self.mean(theory**2) - self.mean(network**2))}
        values["both"] = values["corr"] + values["normdif"]
        return values[self.kind]

    def value(self, u, batch=200):
        """The sum of squares at many u; not finite where the theory is not."""
        parts = [np.sum(self.residuals(u[i:i + batch])**2, 1) for i in range(0, len(u), batch)]
        return np.nan_to_num(np.concatenate(parts), nan=np.inf)


def starting_points(regularizer, free, fixed, n=400, keep=4):
    """The lowest of a random set, far from each other."""
    rng = np.random.default_rng(2)
    u = rng.uniform(size=(n, len(free)))
    u[:, ~free] = fixed[~free]
    order = np.argsort(regularizer.value(u))
    chosen = [u[order[0]]]
    for i in order[1:]:
        if len(chosen) < keep and min(np.abs(u[i] - c).max() for c in chosen) > 0.2:
            chosen.append(u[i])
    return chosen


def lowest(regularizer, free, starts):
    found = [minimise(regularizer.residuals, start, free) for start in starts]
    return min(found, key=lambda pair: pair[1])


def profile_of(regularizer, index, free, best):
    """(u, lowest R over the others) along one parameter, warm-started outwards from the best point, ordered in u."""
    others = free.copy()
    others[index] = False
    near = best[index] + np.array([-0.1, -0.05, -0.02, -0.01, -0.003, 0, 0.003, 0.01, 0.02, 0.05, 0.1])
    grid = np.unique(np.clip(np.concatenate([PROFILE, near]), 0, 1))
    values, points = {}, {}
    for side in (grid[grid >= best[index]], grid[grid < best[index]][::-1]):
        warm = best
        for u in side:
            start = warm.copy()
            start[index] = u
            starts = [start]
            if others.any() and others.sum() <= 3:
                starts += starting_points(regularizer, others, start, n=60, keep=2)
            warm, values[u] = lowest(regularizer, others, starts)
            points[u] = warm
    values |= refined_minima(regularizer, index, free, grid, values, points)
    grid = np.array(sorted(values))
    return grid, np.array([values[u] for u in grid])


def refined_minima(regularizer, index, free, grid, values, points):
    """Every dent of the profile followed to its bottom: R at grid points beside a sharp minimum is not its value there."""
    found = {}
    r = np.array([values[u] for u in grid])
    for i in range(len(grid)):
        if r[i] <= r[max(i - 1, 0):i + 2].min():
            u, value = minimise(regularizer.residuals, points[grid[i]], free)
            found[float(u[index])] = min(value, values.get(float(u[index]), np.inf))
    return found


def components(grid, low):
    """Intervals of neighbouring grid points that are low."""
    intervals = []
    for u, is_low in zip(grid, low):
        if not is_low:
            intervals.append(None)
        elif intervals and intervals[-1] is not None:
            intervals[-1][1] = u
        else:
            intervals.append([u, u])
    return [tuple(map(float, i)) for i in intervals if i is not None]


def finding_of(grid, profile, lowest_value, rise, resolution, power):
    """What this profile says. `power` turns the sum of squares into R (0.5 where R is an absolute value)."""
    r = profile**power
    strict = components(grid, r <= lowest_value**power + STRICT * rise)
    resolved = components(grid, r <= lowest_value**power + resolution)
    width = sum(high - low for low, high in strict)
    resolved_width = sum(high - low for low, high in resolved)
    minimisers = [sum(i) / 2 for i in strict]
    if width > NARROW:
        accepted = ["flat"]
    elif len(strict) > 1:
        accepted = ["several minima"]
    elif resolved_width > NARROW:
        accepted = ["flat", "identifiable", "one-sided", "several minima"]
    elif len(resolved) > 1:
        accepted = ["several minima", "identifiable", "one-sided", "flat"]
    elif minimisers[0] < 0.002 or minimisers[0] > 0.998:
        accepted = ["one-sided"]
    elif resolved[0][0] <= 0 or resolved[0][1] >= 1:
        accepted = ["identifiable", "one-sided"]
    else:
        accepted = ["identifiable"]
    return {"accepted": accepted, "minimisers": minimisers, "strict": strict, "resolved": resolved}


def sampling_spread(model, data, name, free, best):
    """Standard deviation of every parameter's minimiser when R is taken over as many windows as are judged."""
    rng = np.random.default_rng(6)
    n = max(int(VALIDATION * model.windows), 2)
    found = []
    for _ in range(N_RESAMPLED):
        regularizer = TrueRegularizer(model, data, name, rng.integers(model.windows, size=n))
        found.append(minimise(regularizer.residuals, best, free)[0])
    return np.std(found, axis=0)


def allow_for_sampling(finding, spread):
    """Where other windows would have said something else, saying less is right too."""
    if finding["accepted"][0] not in ("identifiable", "one-sided"):
        return
    low, high = (finding["minimisers"][0] + side * 2 * spread for side in (-1, 1))
    more = []
    if low <= 0 or high >= 1:
        more.append("one-sided")
    if high - low > 0.6 * NARROW:
        more.append("flat")
    finding["accepted"] += [one for one in more if one not in finding["accepted"]]
    finding["sampling_sd"] = float(spread)


def ridge_of(regularizer, free, fixed, lowest_value, rise, power, n=60):
    """Points of the true minimum set, from random starts; combinations are tested on them."""
    rng = np.random.default_rng(3)
    points = []
    for _ in range(n):
        start = rng.uniform(size=len(free))
        start[~free] = fixed[~free]
        u, value = minimise(regularizer.residuals, start, free)
        if value**power <= lowest_value**power + 1e-4 * rise:
            points.append(u)
    return np.array(points)


def fitting_draws(regularizer, free, fixed):
    """Draws of the prior, moved to where the model can fit at all: R's rise is measured over these."""
    draws = np.random.default_rng(4).uniform(size=(300, len(free)))
    draws[:, ~free] = fixed[~free]
    if regularizer.added.all():
        return draws
    return np.array([minimise(regularizer.excess, u, free)[0] for u in draws[:60]])


def true_findings(model, data, name):
    """Of one regularizer: parameter -> what is true of it; and the minimum set as θ."""
    regularizer = TrueRegularizer(model, data, name)
    power = 1.0 if name in ("normD", "both") else 0.5
    parameters = list(model.parameters)
    free = np.array([p not in model.determined for p in parameters])
    fixed = np.array([model.parameters[p].coordinate(model.determined.get(p, 0)) for p in parameters])
    values = regularizer.value(fitting_draws(regularizer, free, fixed))
    starts = starting_points(regularizer, free, fixed, keep=8)
    best, lowest_value = lowest(regularizer, free, starts)
    rise = float(np.median(values[np.isfinite(values)] ** power) - lowest_value**power)
    findings = {}
    profiles = {p: profile_of(regularizer, i, free, best) for i, p in enumerate(parameters) if free[i]}
    lowest_value = min([lowest_value, *(p[1].min() for p in profiles.values())])
    spreads = sampling_spread(model, data, name, free, best)
    for p, profile in profiles.items():
        findings[p] = finding_of(*profile, lowest_value, rise, regularizer.resolution(best), power)
        if model.lacks_in_hidden and "flat" not in findings[p]["accepted"]:
            findings[p]["accepted"].append("flat")
        allow_for_sampling(findings[p], spreads[parameters.index(p)])
    for i, p in enumerate(parameters):
        if not free[i]:
            findings[p] = {"accepted": ["determined by the data", "identifiable"], "minimisers": [float(fixed[i])],
                           "strict": [(fixed[i], fixed[i])], "resolved": [(fixed[i], fixed[i])]}
    ridge = ridge_of(regularizer, free, fixed, lowest_value, rise, power)
    thetas = regularizer.theta(ridge) if len(ridge) else np.zeros((0, len(parameters)))
    return {"findings": findings, "ridge": thetas.tolist(), "lowest": float(lowest_value**power), "rise": rise}
