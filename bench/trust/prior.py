"""Priors of parameters, and the coordinate in which truth and verdicts are compared: the prior's quantile, 0 to 1."""
import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

STANDARD = NormalDist()
TAIL = 0.005  # without bounds a range is the prior's central 99 %


@dataclass(frozen=True)
class Prior:
    kind: str
    low: float
    high: float
    mean: float = 0
    sd: float = 1

    def toml(self):
        if self.kind == "uniform":
            return f'{{ prior = "uniform", low = {self.low!r}, high = {self.high!r} }}'
        return f'{{ prior = "{self.kind}", mean = {self.mean!r}, sd = {self.sd!r} }}'

    def theta(self, u):
        """The value at coordinate u of the range."""
        u = np.clip(np.asarray(u, float), 0, 1)
        if self.kind == "uniform":
            return self.low + u * (self.high - self.low)
        normal = np.vectorize(STANDARD.inv_cdf)(TAIL + u * (1 - 2 * TAIL)) * self.sd + self.mean
        return np.exp(normal) if self.kind == "lognormal" else normal

    def coordinate(self, theta):
        """The inverse; beyond the range it stays at 0 or 1."""
        if self.kind == "uniform":
            return min(max((theta - self.low) / (self.high - self.low), 0.0), 1.0)
        if self.kind == "lognormal":
            theta = math.log(theta) if theta > 0 else -math.inf
        z = (theta - self.mean) / self.sd
        quantile = 0.0 if z == -math.inf else 1.0 if z == math.inf else STANDARD.cdf(z)
        return min(max((quantile - TAIL) / (1 - 2 * TAIL), 0.0), 1.0)

    def centred_text(self, name):
        """The parameter as an input of a network, brought to about -1 to 1."""
        if self.kind == "lognormal":
            return f"(log({name}) - {self.mean!r})/{2 * self.sd!r}"
        middle, half = (self.low + self.high) / 2, (self.high - self.low) / 2
        if self.kind == "normal":
            middle, half = self.mean, 2 * self.sd
        return f"({name} - {middle!r})/{half!r}"


def uniform(low, high):
    return Prior("uniform", float(low), float(high))


def normal(mean, sd):
    low, high = (mean + sd * STANDARD.inv_cdf(p) for p in (TAIL, 1 - TAIL))
    return Prior("normal", low, high, float(mean), float(sd))


def lognormal(mean, sd):
    """mean and sd of the logarithm."""
    low, high = (math.exp(mean + sd * STANDARD.inv_cdf(p)) for p in (TAIL, 1 - TAIL))
    return Prior("lognormal", low, high, float(mean), float(sd))
