"""Six to twenty parameters: linear and nonlinear, some idle, some tied."""
import math

from hybrid_model import HybridModel
from prior import uniform

INPUTS = {f"x{i}": (-1.0, 1.0) for i in range(1, 6)}
MISSING = "0.6*sin(4*x1)*x2 + 0.4*x3*x4"
SPECIES = ("x", "y", "z")
BOX = {name: (0.3, 1.5) for name in SPECIES}
RATES = {"x": (1.0, (1.0, 0.5, 0.3)), "y": (0.8, (0.3, 1.0, 0.4)), "z": (0.6, (0.2, 0.4, 0.8))}


def basis(n):
    """n products of powers of the inputs, told apart by the data."""
    names = list(INPUTS)
    single = names + [f"{name}^2" for name in names]
    pairs = [f"{a}*{b}" for i, a in enumerate(names) for b in names[i + 1:]]
    return (single + pairs)[:n]


def linear(n, **changes):
    terms = basis(n)
    values = [round(math.sin(1.7 * i + 1) * 0.8, 3) for i in range(n)]
    parameters = {f"c{i}": uniform(-2, 2) for i in range(n)}
    theory = " + ".join(f"c{i}*{term}" for i, term in enumerate(terms))
    true = " + ".join(f"({v})*{term}" for v, term in zip(values, terms))
    return HybridModel(f"linear-{n}", parameters, {"y": theory}, {"y": f"{true} + {MISSING}"}, INPUTS, windows=1000,
                       regularizers=("normD",), layers=(32, 32), activation="silu", epochs=2500, **changes)


def paired(n):
    """Products of two parameters before every term."""
    terms = basis(n // 2)
    parameters = {f"{letter}{i}": uniform(0.5, 2) for i in range(n // 2) for letter in "ab"}
    theory = " + ".join(f"a{i}*b{i}*{term}" for i, term in enumerate(terms))
    true = " + ".join(f"{1 + 0.1 * i:g}*{term}" for i, term in enumerate(terms))
    return HybridModel(f"paired-{n}", parameters, {"y": theory}, {"y": f"{true} + {MISSING}"}, INPUTS, windows=1000,
                       regularizers=("normD",), layers=(32, 32), activation="silu", epochs=2500)


def lotka_volterra(free_rows):
    """Generalised Lotka–Volterra; growth and interactions of the first species are parameters, the rest is known."""
    parameters, theory, true = {}, {}, {}
    for k, name in enumerate(SPECIES):
        growth, row = RATES[name]
        known = f"{name}*({growth} - " + " - ".join(f"{v}*{s}" for v, s in zip(row, SPECIES)) + ")"
        true[name] = known + (f" - 0.15*{name}^2/(0.5 + {name})")
        theory[name] = known
        if k < free_rows:
            parameters[f"r{k}"] = uniform(0.3, 1.8)
            parameters |= {f"A{k}{j}": uniform(0, 1.6) for j in range(3)}
            theory[name] = f"{name}*(r{k} - " + " - ".join(f"A{k}{j}*{s}" for j, s in enumerate(SPECIES)) + ")"
    return HybridModel(f"generalised-lotka-volterra-{4 * free_rows}", parameters, theory, true, state=BOX, windows=500,
                       regularizers=("normD",), layers=(32, 32), activation="silu", epochs=300, dt=0.2)


MODELS = [linear(6), linear(8), linear(10), linear(14), linear(20), paired(6), paired(12), lotka_volterra(1), lotka_volterra(2),
          lotka_volterra(3)]
MODELS.append(HybridModel("idle-six", {"a": uniform(0, 4)} | {f"i{k}": uniform(-1, 1) for k in range(5)},
                          {"y": "a*x1 + 0*(i0 + i1 + i2 + i3 + i4)"}, {"y": "2*x1 + 0.5*sin(3*x1)"}, {"x1": (-2.0, 2.0)},
                          regularizers=("normD",)))
