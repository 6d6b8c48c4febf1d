"""What a model file means, written a second time: slow, plain, and independent of the engine."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

TABLEAUX = {
    "euler": ([[]], [1.0], [0.0]),
    "midpoint": ([[], [0.5]], [0.0, 1.0], [0.0, 0.5]),
    "rk4": ([[], [0.5], [0, 0.5], [0, 0, 1]], [1 / 6, 1 / 3, 1 / 3, 1 / 6], [0, 0.5, 0.5, 1]),
    "rk4_38": (
        [[], [1 / 3], [-1 / 3, 1], [1, -1, 1]],
        [1 / 8, 3 / 8, 3 / 8, 1 / 8],
        [0, 1 / 3, 2 / 3, 1],
    ),
}

ACTIVATIONS = {
    "leaky_relu": lambda x: x if x > 0 else 0.01 * x,
    "relu": lambda x: max(x, 0.0),
    "tanh": math.tanh,
    "silu": lambda x: x / (1 + math.exp(-x)),
    "softplus": lambda x: max(x, 0.0) + math.log1p(math.exp(-abs(x))),
    "gelu": lambda x: 0.5 * x * (1 + math.erf(x / math.sqrt(2))),
    "sigmoid": lambda x: 1 / (1 + math.exp(-x)),
}

FUNCTIONS = {
    "sin": math.sin,
    "cos": math.cos,
    "atan": math.atan,
    "tanh": math.tanh,
    "exp": math.exp,
    "log1p": math.log1p,
    "sqrt": math.sqrt,
    "abs": abs,
    "sign": lambda x: (x > 0) - (x < 0),
    "min": min,
    "max": max,
    "clamp": lambda x, low, high: min(max(x, low), high),
    "sigmoid": ACTIVATIONS["sigmoid"],
    "softplus": ACTIVATIONS["softplus"],
    "atan2": math.atan2,
    "where": lambda c, a, b: a if c else b,
    "pi": math.pi,
}


@dataclass
class Model:
    """The parts of a model file that the generator makes, expressions as Python texts."""

    parameters: dict[str, float]
    inputs: dict[str, str]
    state: dict[str, str]
    theory: dict[str, str]
    observe: dict[str, str]
    network_inputs: list[str]
    hidden: list[int]
    activation: str
    method: str
    step: float | None
    means: str
    # name: (what is averaged, per evaluation; what becomes of the means)
    regularizers: dict[str, tuple[list[str], str]]
    weights: list[list[list[float]]] = field(default_factory=list)  # per layer rows of weights, bias last


def evaluate(expression: str, names: dict[str, float]) -> float:
    """An expression of the language: `^` is Python's `**`, and everything else is the same."""
    return float(eval(expression.replace("^", "**"), {"__builtins__": {}}, FUNCTIONS | names))  # noqa: S307


def network(model: Model, values: list[float]) -> list[float]:
    for number, layer in enumerate(model.weights):
        values = [sum(w * x for w, x in zip(row, values)) + row[-1] for row in layer]
        if number + 1 < len(model.weights):
            values = [ACTIVATIONS[model.activation](x) for x in values]
    return values


@dataclass
class Result:
    predictions: list[dict[str, list[float]]]
    loss: float
    regularizers: dict[str, float]


class Window:
    """One window with its rows (dictionaries of columns, `time` among them) at one θ."""

    def __init__(self, model: Model, rows: list[dict[str, float]], theta: dict[str, float]) -> None:
        self.model, self.rows, self.theta = model, rows, theta
        self.times = [row["time"] - rows[0]["time"] for row in rows]
        self.sums: dict[str, list[float]] = {name: [0.0] * len(r[0]) for name, r in model.regularizers.items()}
        self.weight = 0.0

    def input_at(self, expression: str, interval: int, t: float) -> float:
        begin, end = self.times[interval], self.times[interval + 1]
        values = [evaluate(expression, self.rows[k] | {"t": self.rows[k]["time"]}) for k in (interval, interval + 1)]
        part = (t - begin) / (end - begin)
        return values[0] + part * (values[1] - values[0])

    def derivative(self, interval: int, t: float, state: dict[str, float], weight: float) -> dict[str, float]:
        model = self.model
        names = self.theta | state | {"t": t, "t0": self.rows[0]["time"]}
        names |= {name: self.input_at(text, interval, t) for name, text in model.inputs.items()}
        theory = {name: evaluate(text, names) for name, text in model.theory.items()}
        network_inputs: list[float] = []
        for text in model.network_inputs:
            network_inputs += list(theory.values()) if text == "theory" else [evaluate(text, names)]
        correction = dict(zip(model.theory, network(model, network_inputs)))
        names |= {
            "norm2_network": sum(c * c for c in correction.values()),
            "norm2_theory": sum(c * c for c in theory.values()),
            "dot": sum(theory[name] * correction[name] for name in theory),
        }
        for name, (terms, _) in model.regularizers.items():
            for k, term in enumerate(terms):
                self.sums[name][k] += weight * evaluate(term, names)
        self.weight += weight
        return {name: theory[name] + correction[name] for name in theory}

    def run(self) -> dict[str, list[float]]:
        model = self.model
        a, b, c = TABLEAUX[model.method]
        first = self.rows[0]
        state = {name: evaluate(text, self.theta | first) for name, text in model.state.items()}
        predicted: dict[str, list[float]] = {name: [] for name in model.observe}
        for k in range(len(self.times) - 1):
            length = self.times[k + 1] - self.times[k]
            n = max(1, math.ceil(length / model.step - 1e-6)) if model.step else 1
            h = length / n
            for m in range(n):
                t = self.times[k] + m * h
                slopes: list[dict[str, float]] = []
                for i in range(len(b)):
                    at = {s: x + h * sum(a[i][j] * slopes[j][s] for j in range(i)) for s, x in state.items()}
                    weight = h * b[i] if model.means == "time" else 1.0
                    slopes.append(self.derivative(k, t + c[i] * h, at, weight))
                state = {s: x + h * sum(b[i] * slopes[i][s] for i in range(len(b))) for s, x in state.items()}
            for name, text in model.observe.items():
                predicted[name].append(evaluate(text, self.theta | state))
        return predicted


def run(model: Model, windows: list[list[dict[str, float]]], theta: dict[str, float], lam: float = 0,
        regularizer: str = "") -> Result:
    """Predictions, L and every R over the windows; with a regularizer, L is L + λR."""
    predictions, squares, count = [], 0.0, 0
    ran = [Window(model, rows, theta) for rows in windows]
    for window in ran:
        predicted = window.run()
        predictions.append(predicted)
        for name, values in predicted.items():
            for row, value in zip(window.rows[1:], values):
                squares += (value - row[name]) ** 2
                count += 1
    total = sum(window.weight for window in ran)
    means = {
        name: evaluate(text, {f"m{k}": sum(w.sums[name][k] for w in ran) / total for k in range(len(terms))})
        for name, (terms, text) in model.regularizers.items()
    }
    loss = squares / count
    return Result(predictions, loss + (lam * means[regularizer] if regularizer else 0), means)
