"""Models that were held out for a second report: rules have been looked at on them since."""
from dataclasses import replace

from hybrid_model import HybridModel
from prior import lognormal, normal, uniform

X = {"x": (-2.0, 2.0)}
POSITIVE = {"x": (0.2, 5.0)}
FIVE = {f"x{i}": (-1.0, 1.0) for i in range(1, 6)}
PLANE = {"x": (-1.5, 1.5), "y": (-1.5, 1.5)}
STOCKS = {"n": (0.3, 2.0), "p": (0.2, 1.5)}
LEVELS = {"upper": (0.5, 3.0), "lower": (0.5, 2.0)}


def many(name, n, missing):
    values = [round(1.2 * (-1) ** i / (1 + 0.3 * i), 3) for i in range(n)]
    terms = [*FIVE, *(f"{name}^3" for name in FIVE), *(f"{a}*{b}" for a, b in zip(FIVE, list(FIVE)[1:]))][:n]
    return HybridModel(name, {f"c{i}": uniform(-2.5, 2.5) for i in range(n)}, {"y": " + ".join(f"c{i}*{t}" for i, t in enumerate(terms))},
                    {"y": " + ".join(f"({v})*{t}" for v, t in zip(values, terms)) + missing}, FIVE, windows=800,
                    regularizers=("normD",), epochs=800)


ALGEBRAIC = [
    HybridModel("offset-decay", {"A": uniform(0.5, 4), "p": uniform(0.2, 2), "C": uniform(-1, 1)}, {"y": "A*exp(-p*x) + C"},
             {"y": "2*exp(-0.8*x) + 0.3 + 0.15*sin(3*x)"}, POSITIVE),
    HybridModel("arrhenius", {"k0": lognormal(14.0, 1.5), "E": uniform(3e4, 6e4)}, {"r": "k0*exp(-E/(8.314*T))"},
             {"r": "1.2e6*exp(-4.4e4/(8.314*T)) + 0.02*sin((T - 300)/10)"}, {"T": (300.0, 360.0)}),
    HybridModel("a-exp-b", {"a": uniform(0.5, 2), "b": uniform(-1, 1)}, {"y": "a*exp(b)*x"}, {"y": "1.3*x + 0.4*sin(3*x)"}, X),
    HybridModel("two-squares", {"a": uniform(-2, 2), "b": uniform(-2, 2)}, {"y": "(a^2 + b^2)*x"}, {"y": "1.5*x + 0.4*cos(2*x)"}, X),
    HybridModel("ratio", {"a": uniform(0.5, 3), "b": uniform(0.5, 3)}, {"y": "a*x/b"}, {"y": "1.4*x + 0.3*sin(4*x)"}, X),
    HybridModel("shifted-square", {"a": uniform(-2, 3)}, {"y": "(a - 0.5)^2*x"}, {"y": "1.44*x + 0.4*sin(3*x)"}, X),
    HybridModel("interior-K", {"V": lognormal(0.5, 0.6), "K": lognormal(0.0, 1.0)}, {"y": "V*x/(K + x)"},
             {"y": "2*x/(0.75 + x) + 0.1*sin(2*x)"}, {"x": (0.05, 4.0)}, windows=500),
    HybridModel("much-missing", {"a": uniform(-3, 3), "b": uniform(-3, 3)}, {"y": "a*x + b*x^2"}, {"y": "x - 0.8*x^2 + 6*cos(3*x)"}, X,
             windows=1000, epochs=500),
    HybridModel("noise-20", {"a": uniform(-3, 3)}, {"y": "a*x"}, {"y": "1.2*x + 0.6*cos(2*x)"}, X, noise=0.2, windows=800),
    HybridModel("normal-slope", {"a": normal(0.0, 1.5), "b": normal(1.0, 1.0)}, {"y": "a*x + b*tanh(3*x)"},
             {"y": "0.9*x + 0.6*tanh(3*x) + 0.3*x^2"}, X),
    many("seven", 7, " + 0.5*cos(4*x1)*x3"),
    many("twelve", 12, " + 0.5*sin(3*x2)*x5"),
]

DIFFERENTIAL = [
    HybridModel("limit-cycle", {"m": uniform(0, 2), "w": uniform(0.5, 2)}, {"q": "v", "v": "m*(1 - q^2)*v - w*q"},
             {"q": "v", "v": "0.8*(1 - q^2)*v - 1.2*q - 0.3*q^3"}, state={"q": (-2.0, 2.0), "v": (-2.0, 2.0)}),
    HybridModel("fitzhugh", {"a": uniform(0, 1), "b": uniform(0.2, 1.5)}, {"x": "x - x^3/3 - y", "y": "0.3*(x + a - b*y)"},
             {"x": "x - x^3/3 - y", "y": "0.3*(x + 0.6 - 0.8*y) - 0.1*y^3"}, state=PLANE, dt=0.2),
    HybridModel("clearance", {"CL": uniform(1, 10), "V": uniform(5, 50)}, {"c": "-CL/V*c"}, {"c": "-0.2*c - 0.4*c/(2 + c)"},
             state={"c": (1.0, 12.0)}, dt=0.5),
    HybridModel("raw-predators", {"a": lognormal(0.0, 0.5), "b": lognormal(-7.0, 0.7)}, {"n": "a*n - b*n*p", "p": "5e-4*n*p - 0.8*p"},
             {"n": "1.1*n - 9e-4*n*p - 1e-4*n^2", "p": "5e-4*n*p - 0.8*p"}, state={"n": (500.0, 3000.0), "p": (300.0, 2000.0)}),
    HybridModel("endemic", {"beta": uniform(0.5, 3), "gamma": uniform(0.1, 1.5)}, {"i": "beta*(1 - i)*i - gamma*i"},
             {"i": "1.6*(1 - i)*i - 0.5*i - 0.3*i^3"}, state={"i": (0.02, 0.8)}, dt=0.2),
    HybridModel("thirty-windows", {"r": uniform(0.2, 2)}, {"x": "r*x*(1 - x/3)"}, {"x": "0.9*x*(1 - x/3) - 0.1*x^2"}, state={"x": (0.2, 3.0)},
             windows=150, dt=0.2),
    HybridModel("sees-position", {"c": uniform(0, 2), "k": uniform(0, 4)}, {"q": "v", "v": "-k*q - c*v"},
             {"q": "v", "v": "-2*q - 0.7*v - 0.5*q^3"}, state={"q": (-1.5, 1.5), "v": (-1.5, 1.5)}, network_inputs=("q",),
             network_outputs=("v",), determined={"c": 0.7}),
    HybridModel("second-step-known", {"k": uniform(0.2, 2), "m": uniform(0.2, 2)}, {"x": "-k*x", "y": "k*x - m*y"},
             {"x": "-0.7*x - 0.2*x^2", "y": "0.7*x - 0.9*y"}, state={"x": (0.3, 2.0), "y": (0.2, 1.5)}, network_outputs=("x",),
             determined={"k": 0.7, "m": 0.9}, dt=0.2),
]

HIDDEN = [
    HybridModel("intermediate", {"k": uniform(0.3, 2), "m": uniform(0.2, 1.5)}, {"a": "-k*a", "b": "k*a - m*b"},
             {"a": "-0.8*a", "b": "0.8*a - 0.6*b - 0.15*b^2"}, state={"a": (0.5, 2.5), "b": (0.2, 1.5)}, hidden_states=("a",),
             network_outputs=("b",), dt=0.2, windows=200),
    HybridModel("overflow", {"k": uniform(0.3, 1.5), "m": uniform(0.2, 1.2)},
             {"upper": "-k*sqrt(abs(upper))", "lower": "k*sqrt(abs(upper)) - m*sqrt(abs(lower))"},
             {"upper": "-0.8*sqrt(abs(upper)) - 1.5*max(upper - 1.8, 0)", "lower": "0.8*sqrt(abs(upper)) - 0.6*sqrt(abs(lower))"},
             state=LEVELS, hidden_states=("upper",), network_outputs=("lower",), dt=0.2, windows=200, lacks_in_hidden=True),
    HybridModel("side-reaction", {"k": uniform(0.2, 2)}, {"a": "-k*a", "b": "k*a - b"}, {"a": "-0.9*a - 0.4*a^2", "b": "0.9*a - b - 0.1*b^2"},
             state={"a": (0.5, 2.0), "b": (0.1, 1.0)}, hidden_states=("a",), network_outputs=("b",), dt=0.2, windows=200,
             lacks_in_hidden=True),
]

NAMED = {model.name: model for model in ALGEBRAIC + DIFFERENTIAL + HIDDEN}


def varied(name, suffix, **changes):
    return replace(NAMED[name], name=f"{name}-{suffix}", **changes)


def sick(name, ailment, **changes):
    return replace(NAMED[name], name=f"{name}--{ailment}", sick=ailment, **changes)


MODELS = ALGEBRAIC + DIFFERENTIAL + HIDDEN + [
    varied("intermediate", "learned-start", learned_starts=True, observed_rows=4),
    varied("overflow", "learned-start", learned_starts=True, observed_rows=4),
    sick("limit-cycle", "5-epochs", epochs=5),
    sick("interior-K", "5-epochs", epochs=5),
    sick("fitzhugh", "5-epochs", epochs=5),
    sick("overflow", "5-epochs", epochs=5),
    sick("endemic", "2-hidden-units", layers=(2,), epochs=100),
    sick("clearance", "wide-prior", parameters={"CL": uniform(0, 300), "V": uniform(1, 500)}, epochs=60),
    sick("thirty-windows", "5-windows", windows=5),
]
