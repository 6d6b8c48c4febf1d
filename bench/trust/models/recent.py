"""Models that were held out for a third report: rules have been looked at on them since."""
from dataclasses import replace

from hybrid_model import HybridModel
from prior import lognormal, normal, uniform

X = {"x": (-2.0, 2.0)}
POSITIVE = {"x": (0.1, 4.0)}
SIX = {f"x{i}": (-1.0, 1.0) for i in range(1, 7)}
PLANE = {"x": (-1.2, 1.2), "y": (-1.2, 1.2)}
THREE = {"x": (0.2, 1.5), "y": (0.2, 1.5), "z": (0.2, 1.5)}


def weighted(values, terms):
    return " + ".join(f"({v})*{t}" for v, t in zip(values, terms))


def waves(n):
    """n sines and cosines of six inputs, each with its amplitude."""
    terms = [f"{f}({1 + i // 12}*x{1 + i // 2 % 6})" for i, f in zip(range(n), ("sin", "cos") * n)]
    values = [round(1.1 * (-0.8) ** (i % 7) + 0.2, 3) for i in range(n)]
    return HybridModel(f"waves-{n}", {f"w{i}": uniform(-3, 3) for i in range(n)},
                    {"y": " + ".join(f"w{i}*{t}" for i, t in enumerate(terms))}, {"y": weighted(values, terms) + " + 0.5*x1*x2*x3"},
                    SIX, windows=900, regularizers=("normD",), epochs=600, layers=(32, 32))


def decays():
    """Ten parameters that do not enter linearly: five saturating curves."""
    names = [f"x{i}" for i in range(1, 6)]
    parameters = {f"V{i}": uniform(0.2, 4) for i in range(1, 6)} | {f"K{i}": lognormal(0, 0.6) for i in range(1, 6)}
    return HybridModel("five-saturations", parameters, {"y": " + ".join(f"V{i}*{x}/(K{i} + {x})" for i, x in enumerate(names, 1))},
                    {"y": " + ".join(f"{1 + 0.4 * i:g}*{x}/({0.5 + 0.2 * i:g} + {x})" for i, x in enumerate(names, 1)) + " + 0.4*x1*x2"},
                    {x: (0.0, 3.0) for x in names}, windows=1200, regularizers=("normD",), epochs=600, layers=(32, 32))


ALGEBRAIC = [
    HybridModel("growth-curve", {"L": uniform(0.5, 4), "k": lognormal(0.3, 0.7), "m": uniform(-2, 2)}, {"y": "L/(1 + exp(-k*(x - m)))"},
             {"y": "2/(1 + exp(-1.5*(x - 0.3))) + 0.1*cos(3*x)"}, {"x": (-4.0, 4.0)}, windows=400),
    HybridModel("phase", {"A": uniform(-2, 2), "p": uniform(-3, 3)}, {"y": "A*cos(x - p)"}, {"y": "1.3*cos(x - 0.8) + 0.4*sin(2*x)"},
             {"x": (-3.1416, 3.1416)}, regularizers=("normD", "corr", "both")),
    HybridModel("rational", {"a": uniform(-1, 3), "b": uniform(0, 3), "c": uniform(0, 1.5)}, {"y": "(a + b*x)/(1 + c*x)"},
             {"y": "(0.5 + 1.6*x)/(1 + 0.6*x) + 0.1*sin(3*x)"}, POSITIVE, windows=500, regularizers=("normD",)),
    HybridModel("radiating-raw", {"eps": uniform(0.1, 1), "h": uniform(2, 40)}, {"q": "eps*5.67e-8*T^4 + h*(T - 300)"},
             {"q": "0.6*5.67e-8*T^4 + 15*(T - 300) + 400*sin(T/60)"}, {"T": (320.0, 900.0)}),
    HybridModel("real-gas-raw", {"a": lognormal(-1.2, 0.5), "b": uniform(2e-5, 9e-5)}, {"P": "8.314*T/(V - b) - a/V^2"},
             {"P": "8.314*T/(V - 4.5e-5) - 0.36/V^2 + 2e-5/V^3"}, {"T": (280.0, 400.0), "V": (3e-4, 2e-3)}, windows=500),
    HybridModel("product-beside-slope", {"a": uniform(-2, 3), "b": uniform(0.3, 2), "c": uniform(0.3, 2)}, {"y": "a*x + b*c*x^2"},
             {"y": "0.8*x + 1.1*x^2 + 0.4*sin(4*x)"}, X),
    HybridModel("difference-of-rates", {"birth": uniform(0, 2), "death": uniform(0, 2)}, {"y": "exp((birth - death)*x)"},
             {"y": "exp(0.5*x) + 0.2*sin(4*x)"}, X),
    HybridModel("constant-missing", {"a": uniform(-3, 3), "s": uniform(0.2, 2)}, {"y": "a*x + s*x^3"}, {"y": "0.7*x + x^3 + 9"}, X,
             windows=800, epochs=600),
    HybridModel("twenty-percent", {"a": uniform(-2, 3), "b": uniform(-2, 2)}, {"y": "a*x + b*cos(2*x)"}, {"y": "1.1*x - 0.6*cos(2*x) + 0.4*x^2"},
             X, noise=0.2, windows=1000, epochs=600),
    HybridModel("exact-line", {"a": normal(0.5, 1.0)}, {"y": "a*x"}, {"y": "0.9*x + 0.5*sin(2*x)"}, X, noise=0.0,
             regularizers=("normD", "corr", "normdif")),
    HybridModel("forty-windows", {"a": uniform(-1, 4), "c": uniform(-2, 2)}, {"y": "a*x + c"}, {"y": "1.4*x + 0.4 + 0.4*cos(3*x)"}, X,
             windows=40, noise=0.05),
    HybridModel("two-thousand", {"p": uniform(0.2, 3), "A": uniform(0.3, 3)}, {"y": "A*exp(-p*x)"}, {"y": "1.6*exp(-1.1*x) + 0.1*x"},
             {"x": (0.0, 3.0)}, windows=2000, epochs=300, noise=0.1),
    HybridModel("mixed-eight", {"a": uniform(-2, 2), "b": uniform(-2, 2), "g": uniform(0.3, 2), "h": uniform(0.3, 2), "c": uniform(-2, 2),
                             "d": uniform(-2, 2), "i0": uniform(0, 1), "i1": uniform(0, 1)},
             {"y": "a*x1 + b*x2 + g*h*x3 + c*x4^2 + d*sin(3*x5) + 0*(i0 + i1)"},
             {"y": "0.9*x1 - 0.7*x2 + 1.2*x3 + 0.5*x4^2 - 0.8*sin(3*x5) + 0.5*x1*x3*x6"}, SIX, windows=800, regularizers=("normD",),
             epochs=600),
    decays(), waves(14), waves(20),
    HybridModel("positive-source", {"a": uniform(-1, 4)}, {"y": "a*x"}, {"y": "1.2*x + 2 + 0.5*sin(3*x)"}, X,
             constraints={"positive": True}, regularizers=("normD",)),
    HybridModel("sees-two-of-three", {"a": uniform(0, 3), "b": uniform(-2, 2)}, {"y": "a*u + b*v"}, {"y": "1.3*u + 0.6*v + 0.5*sin(3*v)*w"},
             {"u": (-1.0, 1.0), "v": (-1.0, 1.0), "w": (-1.0, 1.0)}, network_inputs=("v", "w"), determined={"a": 1.3}, windows=500),
]

DIFFERENTIAL = [
    HybridModel("brusselator", {"A": uniform(0.3, 2), "B": uniform(0.5, 3)}, {"x": "A + x^2*y - (B + 1)*x", "y": "B*x - x^2*y"},
             {"x": "0.9 + x^2*y - 2.4*x - 0.1*x^3", "y": "1.4*x - x^2*y"}, state={"x": (0.3, 1.8), "y": (0.5, 2.0)}),
    HybridModel("convection", {"sigma": uniform(4, 16), "rho": uniform(10, 40), "beta": uniform(0.5, 5)},
             {"x": "sigma*(y - x)", "y": "x*(rho - z) - y", "z": "x*y - beta*z"},
             {"x": "9*(y - x)", "y": "x*(26 - z) - y - 0.1*y*abs(y)", "z": "x*y - 2.5*z"},
             state={"x": (-10.0, 10.0), "y": (-10.0, 10.0), "z": (10.0, 35.0)}, dt=0.02, regularizers=("normD",)),
    HybridModel("goodwin-three", {"a": uniform(0.5, 4), "b": uniform(0.2, 2), "c": uniform(0.2, 2), "d": uniform(0.2, 2), "e": uniform(0.2, 2),
                               "f": uniform(0.2, 2)},
             {"x": "a/(1 + z^2) - b*x", "y": "c*x - d*y", "z": "e*y - f*z"},
             {"x": "1.8/(1 + z^2) - 0.8*x - 0.2*x^2", "y": "0.9*x - 0.7*y", "z": "1.1*y - 0.8*z"}, state=THREE, dt=0.2,
             network_outputs=("x",), determined={"c": 0.9, "d": 0.7, "e": 1.1, "f": 0.8}, regularizers=("normD",), windows=400,
             source="Goodwin's oscillator, all three states observed"),
    HybridModel("mammillary", {"a21": uniform(0.1, 2), "a31": uniform(0.1, 2), "a01": uniform(0.1, 2)},
             {"x": "-(a21 + a31 + a01)*x + 0.5*y + 0.3*z", "y": "a21*x - 0.5*y", "z": "a31*x - 0.3*z"},
             {"x": "-(0.7 + 0.4 + 0.5)*x + 0.5*y + 0.3*z - 0.3*x/(1 + x)", "y": "0.7*x - 0.5*y", "z": "0.4*x - 0.3*z"}, state=THREE, dt=0.2,
             network_outputs=("x",), determined={"a21": 0.7, "a31": 0.4}, source="mammillary compartments, all observed"),
    HybridModel("one-of-two-compartments", {"k01": uniform(0.1, 1.5), "k12": uniform(0.2, 1.5)},
             {"x": "-(0.6 + k01)*x + k12*p", "p": "0.6*x - k12*p"}, {"x": "-(0.6 + 0.5)*x + 0.7*p - 0.3*x^2/(1 + x)", "p": "0.6*x - 0.7*p"},
             state={"x": (0.5, 2.5), "p": (0.2, 1.5)}, hidden_states=("p",), network_outputs=("x",), dt=0.2, length=10, windows=250,
             source="two compartments, one output"),
    HybridModel("unseen-predator", {"r": uniform(0.3, 2), "c": uniform(0.2, 2)}, {"n": "r*n - c*n*p", "p": "0.5*n*p - 0.6*p"},
             {"n": "1.1*n - 0.9*n*p - 0.2*n^2", "p": "0.5*n*p - 0.6*p"}, state={"n": (0.4, 2.0), "p": (0.3, 1.5)}, hidden_states=("p",),
             network_outputs=("n",), dt=0.15, length=10, windows=250, regularizers=("normD",), source="Lotka–Volterra, one output"),
    HybridModel("culture-raw", {"mu": lognormal(-1.0, 0.5), "Ks": lognormal(3.5, 0.7)}, {"X": "mu*S/(Ks + S)*X", "S": "-2.2*mu*S/(Ks + S)*X"},
             {"X": "0.45*S/(40 + S)*X - 0.02*X", "S": "-2.2*0.45*S/(40 + S)*X"}, state={"X": (5.0, 60.0), "S": (40.0, 400.0)}, dt=0.25),
    HybridModel("reactor-raw", {"q": uniform(0.2, 3), "k": lognormal(0.0, 0.6)},
             {"c": "q*(800 - c) - k*exp(8000*(1/350 - 1/T))*c", "T": "q*(310 - T) + 0.08*k*exp(8000*(1/350 - 1/T))*c"},
             {"c": "1.2*(800 - c) - 0.9*exp(8000*(1/350 - 1/T))*c", "T": "1.2*(310 - T) + 0.08*0.9*exp(8000*(1/350 - 1/T))*c - 0.8*(T - 300)"},
             state={"c": (200.0, 700.0), "T": (320.0, 365.0)}, dt=0.05),
    HybridModel("noisy-oscillator", {"w": uniform(1, 8), "c": uniform(0, 1.5)}, {"q": "v", "v": "-w*q - c*v"},
             {"q": "v", "v": "-4*q - 0.3*v - 0.8*q^3"}, state={"q": (-1.2, 1.2), "v": (-2.0, 2.0)}, noise=0.12, windows=500, length=10),
    HybridModel("long-windows", {"m": uniform(0, 2), "K": uniform(0.5, 3)}, {"x": "m*x*(1 - x/K)"}, {"x": "0.8*x*(1 - x/1.6) - 0.15*sin(2*x)"},
             state={"x": (0.1, 2.5)}, windows=80, length=20),
    HybridModel("heated-plate-raw", {"loss": uniform(1e-4, 4e-3), "gain": uniform(1e-4, 2e-3)}, {"T": "gain*P - loss*(T - 295)"},
             {"T": "9e-4*P - 1.5e-3*(T - 295) - 4e-12*(T^4 - 295^4)"}, {"P": (0.0, 500.0)}, state={"T": (300.0, 420.0)}, dt=40.0),
    HybridModel("rotor", {"J": uniform(0.5, 3), "k": uniform(0.5, 4)}, {"q": "v", "v": "-k/J*sin(q)"},
             {"q": "v", "v": "-1.4*sin(q) - 0.3*v*abs(v)"}, state={"q": (-2.0, 2.0), "v": (-1.5, 1.5)}, regularizers=("normD", "both")),
    HybridModel("odd-friction", {"k": uniform(0.5, 5), "b": uniform(0, 2)}, {"q": "v", "v": "-k*q - b*v"},
             {"q": "v", "v": "-2.5*q - 0.6*v - 0.4*v*abs(v)"}, state={"q": (-1.5, 1.5), "v": (-1.5, 1.5)}, network_outputs=("v",),
             determined={"k": 2.5}, constraints={"odd": ("v",)}, scaled=False, regularizers=("normD",)),
    HybridModel("turning", {"a": uniform(-2, 2), "w": uniform(-3, 3)}, {"x": "a*x - w*y", "y": "w*x + a*y"},
             {"x": "0.4*x - 1.6*y - 0.3*x^3", "y": "1.6*x + 0.4*y - 0.3*y^3"}, state=PLANE, noise=0.05),
    HybridModel("thirty-series", {"k": uniform(0.1, 2)}, {"x": "-k*(x - 1)"}, {"x": "-0.9*(x - 1) - 0.2*(x - 1)^3"}, state={"x": (-0.5, 3.0)},
             windows=30, windows_per_series=3, length=6, dt=0.2, epochs=900),
    HybridModel("unseen-upstream-learned-start", {"k": uniform(0.3, 2)}, {"a": "-k*a", "b": "k*a - 0.5*b"},
             {"a": "-1.1*a", "b": "1.1*a - 0.5*b - 0.15*b^2"}, state={"a": (0.6, 2.0), "b": (0.2, 1.2)}, hidden_states=("a",),
             network_outputs=("b",), dt=0.15, length=10, windows=200, learned_starts=True, observed_rows=4),
]

NAMED = {model.name: model for model in ALGEBRAIC + DIFFERENTIAL}


def sick(name, ailment, **changes):
    return replace(NAMED[name], name=f"{name}--{ailment}", sick=ailment, **changes)


MODELS = ALGEBRAIC + DIFFERENTIAL + [
    sick("growth-curve", "5-epochs", epochs=5),
    sick("rotor", "5-epochs", epochs=5),
    sick("brusselator", "5-epochs", epochs=5),
    sick("goodwin-three", "5-epochs", epochs=5),
    sick("unseen-predator", "5-epochs", epochs=5),
    sick("turning", "2-hidden-units", layers=(2,), epochs=100),
    sick("phase", "2-hidden-units", layers=(2,), epochs=100),
    sick("noisy-oscillator", "wide-prior", parameters={"w": uniform(0, 200), "c": uniform(0, 40)}, epochs=60),
    sick("brusselator", "rate-too-low", rate=(1e-5, 1e-6)),
    sick("long-windows", "4-windows", windows=4),
]
