"""Models that were held out once: rules have been looked at on them since."""
from dataclasses import replace

from hybrid_model import HybridModel
from prior import lognormal, normal, uniform

X = {"x": (-2.0, 2.0)}
POSITIVE = {"x": (0.1, 5.0)}
TWO = {"u": (-1.0, 1.0), "w": (-1.0, 1.0)}
PLANE = {"x": (-1.5, 1.5), "y": (-1.5, 1.5)}
STOCKS = {"n": (0.2, 2.0), "p": (0.2, 1.5)}


ALGEBRAIC = [
    HybridModel("quadratic", {"a": uniform(-2, 2), "b": uniform(0, 2)}, {"y": "a*x + b*x^2"}, {"y": "0.7*x + 1.1*x^2 + 0.4*cos(4*x)"}, X),
    HybridModel("power-law", {"k": uniform(0.5, 3), "n": uniform(0.5, 2)}, {"y": "k*x^n"}, {"y": "1.5*x^1.2 + 0.3*sin(2*x)"}, POSITIVE),
    HybridModel("difference", {"a": uniform(0, 3), "b": uniform(0, 3)}, {"y": "(a - b)*x"}, {"y": "x + 0.4*cos(3*x)"}, X),
    HybridModel("cubed-product", {"a": uniform(0.5, 2), "b": uniform(0.5, 2)}, {"y": "a^2*b*x"}, {"y": "2*x + 0.4*cos(3*x)"}, X),
    HybridModel("parabola-ridge", {"a": uniform(-1, 1), "b": uniform(-1, 2)}, {"y": "(b + a^2)*x"}, {"y": "0.8*x + 0.3*cos(3*x)"}, X),
    HybridModel("two-signs", {"a": uniform(-2, 2), "b": uniform(0.5, 2)}, {"y": "a^2*x + b*x^3"}, {"y": "1.2*x + x^3 + 0.3*cos(5*x)"}, X),
    HybridModel("far-below", {"a": uniform(-5, -2)}, {"y": "a*x"}, {"y": "x + 0.4*sin(2*x)"}, X),
    HybridModel("langmuir", {"q": uniform(1, 8), "K": uniform(0.1, 5)}, {"y": "q*K*x/(1 + K*x)"},
             {"y": "4*x/(1 + x) + 0.5*x*exp(-x)"}, POSITIVE),
    HybridModel("plane-and-idle", {"a": uniform(-2, 2), "b": uniform(-2, 2), "idle": uniform(0, 1)}, {"y": "a*u + b*w + 0*idle"},
             {"y": "0.5*u - w + 0.5*sin(3*u)*w"}, TWO),
    HybridModel("decades", {"K": lognormal(0.0, 2.0)}, {"y": "x/(K + x)"}, {"y": "x/(2 + x) + 0.05*cos(3*x)"}, POSITIVE),
    HybridModel("normal-quadratic", {"a": normal(1.0, 0.5), "b": normal(0.0, 1.0)}, {"y": "a*x + b*x^2"},
             {"y": "1.4*x - 0.6*x^2 + 0.3*sin(5*x)"}, X),
    HybridModel("raw-density", {"rho": uniform(800, 1300), "alpha": uniform(0, 2e-3)}, {"d": "rho*(1 - alpha*(T - 290))"},
             {"d": "1020*(1 - 6e-4*(T - 290)) + 3*sin((T - 290)/15)"}, {"T": (280.0, 360.0)}),
    HybridModel("mostly-missing", {"a": uniform(0, 4)}, {"y": "a*x"}, {"y": "1.5*x + 5*cos(3*x)"}, X, windows=1000, epochs=500),
]

DIFFERENTIAL = [
    HybridModel("gompertz", {"r": uniform(0.2, 2), "K": uniform(1, 6)}, {"x": "r*x*log(K/x)"}, {"x": "0.9*x*log(3/x) - 0.2*x*x/(1 + x)"},
             state={"x": (0.3, 5.0)}),
    HybridModel("duffing", {"k": uniform(0, 3), "c": uniform(0, 1)}, {"q": "v", "v": "-k*q - c*v"}, {"q": "v", "v": "-1.5*q - 0.4*v - 0.6*q^3"},
             state={"q": (-1.5, 1.5), "v": (-1.5, 1.5)}),
    HybridModel("chemostat", {"m": uniform(0.5, 3), "D": uniform(0.1, 1)}, {"n": "D*(2 - n) - m*n*p/(1 + n)", "p": "m*n*p/(1 + n) - D*p"},
             {"n": "0.4*(2 - n) - 1.4*n*p/(1 + n)", "p": "1.4*n*p/(1 + n) - 0.4*p - 0.15*p^2"}, state=STOCKS, dt=0.2),
    HybridModel("competition", {"a": uniform(0, 2), "b": uniform(0, 2)}, {"n": "n*(1 - n - a*p)", "p": "p*(1 - p - b*n)"},
             {"n": "n*(1 - n - 0.6*p) - 0.1*n^2*p", "p": "p*(1 - p - 1.1*n)"}, state=STOCKS, dt=0.2),
    HybridModel("rotation", {"w": uniform(0.5, 3)}, {"x": "-w*y", "y": "w*x"}, {"x": "-1.7*y - 0.2*x^3", "y": "1.7*x - 0.2*y^3"}, state=PLANE),
    HybridModel("cooling-product", {"h": uniform(0.2, 2), "A": uniform(0.2, 2)}, {"x": "-h*A*x"}, {"x": "-0.9*x - 0.3*x*abs(x)"},
             state={"x": (-2.0, 3.0)}),
    HybridModel("toggle", {"a": uniform(0.5, 3), "b": uniform(0.5, 3)}, {"n": "a/(1 + p^2) - n", "p": "b/(1 + n^2) - p"},
             {"n": "1.6/(1 + p^2) - n + 0.2*sin(2*n)", "p": "1.2/(1 + n^2) - p"}, state=STOCKS, dt=0.2),
    HybridModel("reversible", {"kf": uniform(0.1, 2), "kr": uniform(0.1, 2)}, {"x": "-kf*x + kr*y", "y": "kf*x - kr*y"},
             {"x": "-0.9*x + 0.5*y - 0.2*x^2", "y": "0.9*x - 0.5*y + 0.2*x^2"}, state={"x": (0.2, 2.0), "y": (0.2, 2.0)}),
    HybridModel("seasonal", {"r": uniform(0, 2), "s": uniform(0, 2)}, {"x": "r*x - s*x^2"}, {"x": "x - 0.7*x^2 + 0.3*x*sin(3*x)"},
             state={"x": (0.2, 2.5)}, length=5, dt=0.2),
    HybridModel("raw-population", {"r": lognormal(-1.0, 0.6), "K": lognormal(13.0, 0.5)}, {"n": "r*n*(1 - n/K)"},
             {"n": "0.45*n*(1 - n/6e5) - 8e3*n/(1e5 + n)"}, state={"n": (2e4, 9e5)}, dt=0.5),
    HybridModel("sees-speed-only", {"k": uniform(2, 10), "m": uniform(0, 1)}, {"q": "v", "v": "-k*q - m*v"},
             {"q": "v", "v": "-6*q - 0.3*v - 0.4*v^3"}, state={"q": (-1.5, 1.5), "v": (-1.5, 1.5)}, dt=0.05,
             network_inputs=("v",), network_outputs=("v",), determined={"k": 6.0}),
    HybridModel("one-reaction-known", {"k": uniform(0.2, 2), "d": uniform(0.1, 1)}, {"x": "-k*x", "y": "k*x - d*y"},
             {"x": "-0.8*x", "y": "0.8*x - 0.3*y - 0.2*y^2"}, state={"x": (0.3, 2.0), "y": (0.2, 1.5)}, network_outputs=("y",),
             determined={"k": 0.8}, dt=0.2),
]

NAMED = {model.name: model for model in ALGEBRAIC + DIFFERENTIAL}


def varied(name, suffix, **changes):
    return replace(NAMED[name], name=f"{name}-{suffix}", **changes)


def sick(name, ailment, **changes):
    return replace(NAMED[name], name=f"{name}--{ailment}", sick=ailment, **changes)


MODELS = ALGEBRAIC + DIFFERENTIAL + [
    varied("quadratic", "noise-15", noise=0.15, windows=600),
    varied("duffing", "noise-10", noise=0.1),
    varied("gompertz", "noise-0", noise=0.0),
    varied("rotation", "windows-50", windows=50),
    varied("competition", "windows-800", windows=800, epochs=200),
    sick("quadratic", "5-epochs", epochs=5),
    sick("langmuir", "5-epochs", epochs=5),
    sick("duffing", "5-epochs", epochs=5),
    sick("chemostat", "5-epochs", epochs=5),
    sick("toggle", "5-epochs", epochs=5),
    sick("rotation", "2-hidden-units", layers=(2,), epochs=100),
    sick("power-law", "2-hidden-units", layers=(2,), epochs=100),
    sick("duffing", "wide-prior", parameters={"k": uniform(0, 60), "c": uniform(0, 20)}, epochs=60),
    sick("gompertz", "wide-prior", parameters={"r": uniform(0, 20), "K": uniform(1, 60)}, epochs=60),
    sick("competition", "rate-too-low", rate=(1e-5, 1e-6)),
    sick("rotation", "5-windows", windows=5),
]
