"""Random valid models, their data, and both as files."""

from __future__ import annotations

import math
import random
import struct
import zipfile
from pathlib import Path

from reference import ACTIVATIONS, TABLEAUX, Model

REGULARIZERS = {
    "normD": (["norm2_network"], "m0", "mean(norm2(network))"),
    "corr": (["dot"], "abs(m0)", "abs(mean(dot(theory, network)))"),
    "ratio": (["norm2_network", "norm2_theory"], "log1p(m0/(1 + m1))",
              "log1p(mean(norm2(network))/(1 + mean(norm2(theory))))"),
    "fixed": (["a^2 + b"], "m0", "mean(a^2 + b)"),
    "mixed": (["a*x*t", "b"], "m0 - 2*m1", "mean(a*x*t) - 2*mean(b)"),
}


class Expressions:
    """Random texts that are finite wherever they are evaluated."""

    def __init__(self, chance: random.Random, names: list[str]) -> None:
        self.chance, self.names = chance, names

    def make(self, depth: int) -> str:
        if depth == 0 or self.chance.random() < 0.15:
            return self.leaf()
        return self.chance.choice([self.binary, self.call, self.minus, self.power, self.choice])(depth - 1)

    def leaf(self) -> str:
        if self.chance.random() < 0.7:
            return self.chance.choice(self.names)
        return f"{self.chance.uniform(0.1, 2):.3g}"

    def binary(self, depth: int) -> str:
        a, b = self.make(depth), self.make(depth)
        return self.chance.choice([f"({a} + {b})", f"({a} - {b})", f"{a} * {b}", f"{a} / (1 + abs({b}))"])

    def minus(self, depth: int) -> str:
        return f"(-{self.make(depth)})"

    def power(self, depth: int) -> str:
        a = self.make(depth)
        return self.chance.choice([f"({a})^2", f"tanh({a})^3", f"(0.5 + abs({a}))^0.5", f"(0.2 + abs({a}))^-1.5"])

    def choice(self, depth: int) -> str:
        a, b, c = self.make(depth), self.make(depth), self.make(depth)
        return self.chance.choice([f"where({a} > {b}, {c}, {a})", f"min({a}, {b})", f"max({b}, {c})",
                                   f"clamp({a}, -0.7, 0.9)", f"atan2({a}, 1 + abs({b}))"])

    def call(self, depth: int) -> str:
        a = self.make(depth)
        return self.chance.choice([f"sin({a})", f"cos({a})", f"tanh({a})", f"exp(-abs({a}))", f"sqrt(0.1 + abs({a}))",
                                   f"log1p(abs({a}))", f"abs({a})", f"sigmoid({a})", f"softplus({a})", f"atan({a})"])


def random_model(chance: random.Random) -> Model:
    inputs = {"push": "u"} if chance.random() < 0.5 else {}
    states = ["x", "v"] if chance.random() < 0.7 else ["x"]
    parts = Expressions(chance, [*states, "a", "b", "t", "t0", *inputs])
    state = {"x": "x"} | ({"v": chance.choice(["v", "v + 0.1*a", "0.3*b"])} if "v" in states else {})
    observe = {"x": "x"} | ({"w": "0.5*x + tanh(v) * a"} if "v" in states else {})
    model = Model(
        parameters={"a": round(chance.uniform(0.2, 1.5), 3), "b": round(chance.uniform(-1, 1), 3)},
        inputs=inputs,
        state=state,
        theory={name: f"0.5 * tanh({parts.make(3)})" for name in states},
        observe=observe,
        network_inputs=[*states, parts.make(1), *(["theory"] if chance.random() < 0.5 else [])],
        hidden=[chance.randint(1, 4) for _ in range(chance.randint(1, 2))],
        activation=chance.choice(list(ACTIVATIONS)),
        method=chance.choice(list(TABLEAUX)),
        step=chance.choice([None, 0.07, 0.11]),
        means=chance.choice(["evaluations", "time"]),
        regularizers={name: (terms, text) for name, (terms, text, _) in REGULARIZERS.items()},
    )
    n_inputs = len(model.network_inputs) + (len(states) - 1 if "theory" in model.network_inputs else 0)
    sizes = [n_inputs, *model.hidden, len(states)]
    model.weights = [[[chance.uniform(-0.7, 0.7) for _ in range(n + 1)] for _ in range(m)]
                     for n, m in zip(sizes, sizes[1:])]
    return model


def random_windows(chance: random.Random) -> list[list[dict[str, float]]]:
    windows = []
    for _ in range(chance.randint(1, 5)):
        time, rows = round(chance.uniform(0, 1), 3), []
        for k in range(chance.randint(2, 6)):
            rows.append({"time": time, "x": round(math.sin(k + chance.random()), 4), "v": round(chance.uniform(-1, 1), 4),
                         "w": round(chance.uniform(-1, 1), 4), "u": round(chance.uniform(-1, 1), 4)})
            time = round(time + chance.uniform(0.05, 0.3), 3)
        windows.append(rows)
    return windows


def model_text(model: Model, train: str = "") -> str:
    def table(name: str, equations: dict[str, str]) -> str:
        return f"[{name}]\n" + "".join(f'{key} = "{text}"\n' for key, text in equations.items()) if equations else ""

    parameters = "".join(
        f'{name} = {{ prior = "uniform", low = -3, high = 3, start = {value} }}\n'
        for name, value in model.parameters.items())
    inputs = ", ".join(f'"{text}"' for text in model.network_inputs)
    outputs = ", ".join(f'"{name}"' for name in model.state)
    step = f"step = {model.step}\n" if model.step else ""
    return (
        'scale = "none"\n[data]\nfile = "data.csv"\n[parameters]\n' + parameters + table("inputs", model.inputs)
        + table("state", model.state) + table("theory", model.theory)
        + f'[network.fD]\ninputs = [{inputs}]\nhidden = {model.hidden}\nactivation = "{model.activation}"\n'
        + f"outputs = [{outputs}]\n" + table("observe", model.observe)
        + f'[solver]\nmethod = "{model.method}"\nmeans = "{model.means}"\n{step}'
        + table("regularizers", {name: text for name, (_, _, text) in REGULARIZERS.items()}) + train
    )


def write_data(windows: list[list[dict[str, float]]], file: Path) -> None:
    lines = ["series,time,x,v,w,u"]
    for number, rows in enumerate(windows):
        lines += [",".join([f"s{number}", *(repr(value) for value in row.values())]) for row in rows]
    file.write_text("\n".join(lines) + "\n")


def _npy(rows: list[list[float]], shape: str) -> bytes:
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}"
    header += " " * (63 - (len(header) + 10) % 64) + "\n"
    numbers = [number for row in rows for number in row]
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + struct.pack(f"<{len(numbers)}d", *numbers)


def write_weights(model: Model, file: Path) -> None:
    with zipfile.ZipFile(file, "w") as archive:
        for number, layer in enumerate(model.weights):
            rows = [row[:-1] for row in layer]
            archive.writestr(f"fD.{number}.weight.npy", _npy(rows, f"({len(rows)}, {len(rows[0])})"))
            archive.writestr(f"fD.{number}.bias.npy", _npy([[row[-1] for row in layer]], f"({len(rows)},)"))


def read_weights(model: Model, file: Path) -> tuple[list[list[list[float]]], list[float]]:
    """Layers as the reference has them, and θ."""
    def numbers(data: bytes) -> list[float]:
        begin = 10 + struct.unpack("<H", data[8:10])[0]
        assert b"'<f8'" in data[:begin], "weights in double"
        return list(struct.unpack(f"<{(len(data) - begin) // 8}d", data[begin:]))

    with zipfile.ZipFile(file) as archive:
        arrays = {name.removesuffix(".npy"): numbers(archive.read(name)) for name in archive.namelist()}
    layers = []
    for number, layer in enumerate(model.weights):
        flat, bias, n = arrays[f"fD.{number}.weight"], arrays[f"fD.{number}.bias"], len(layer[0]) - 1
        layers.append([[*flat[i * n:(i + 1) * n], bias[i]] for i in range(len(layer))])
    return layers, arrays.get("theta", [])
