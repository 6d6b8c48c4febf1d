"""Raw units, lognormal and normal priors, large missing terms."""
from hybrid_model import HybridModel
from prior import lognormal, normal, uniform

X = {"x": (-2.0, 2.0)}
CONCENTRATION = {"c": (0.0, 6e-3)}
SATURATION = {"y": "V*x/(K + x)"}
TRUE_SATURATION = {"y": "2*x/(1 + x) + 0.2*x/(1 + 0.3*x^2)"}

MODELS = [
    HybridModel("raw-enzyme", {"Vmax": uniform(5e3, 4e4), "Km": uniform(2e-4, 4e-3)}, {"rate": "Vmax*c/(Km + c)"},
                {"rate": "2e4*c/(1e-3 + c) + 1.5e6*c/(1 + 3e5*c^2)"}, CONCENTRATION),
    HybridModel("raw-cooling", {"k": uniform(1e-4, 2e-3), "Ta": uniform(270, 320)}, {"T": "-k*(T - Ta)"},
                {"T": "-8e-4*(T - 293) - 3e-12*(T^4 - 293^4)"}, state={"T": (300.0, 380.0)}, dt=60.0),
    HybridModel("raw-arrhenius", {"A": lognormal(13.8, 1.0), "E": uniform(4e4, 6e4)}, {"k": "A*exp(-E/(8.314*T))"},
                {"k": "1e6*exp(-5e4/(8.314*T))*(1 + 0.1*sin(T/10))"}, {"T": (300.0, 400.0)}, regularizers=("normD",)),
    HybridModel("raw-tank", {"k": uniform(0.02, 0.3), "area": uniform(5, 40)}, {"h": "-k*sqrt(abs(h))/area*100"},
                {"h": "-0.12*sqrt(abs(h))/20*100 - 0.01*h"}, state={"h": (20.0, 200.0)}, dt=2.0),
    HybridModel("lognormal-slope", {"a": lognormal(0.5, 0.6)}, {"y": "a*x"}, {"y": "2*x + 0.5*sin(3*x)"}, X, fast=True),
    HybridModel("lognormal-saturation", {"V": lognormal(0.7, 0.4), "K": lognormal(0.0, 0.8)}, SATURATION, TRUE_SATURATION,
                {"x": (0.0, 6.0)}),
    HybridModel("lognormal-product", {"a": lognormal(0.3, 0.5), "b": lognormal(0.3, 0.5)}, {"y": "a*b*x"},
                {"y": "3*x + 0.5*sin(3*x)"}, X),
    HybridModel("lognormal-decay", {"k": lognormal(-0.5, 0.7)}, {"x": "-k*x"}, {"x": "-0.8*x - 0.2*x^2"}, state={"x": (0.5, 3.0)}),
    HybridModel("lognormal-wide", {"K": lognormal(0.0, 1.5)}, {"y": "x/(K + x)"}, {"y": "x/(0.75 + x) + 0.05*sin(3*x)"},
                {"x": (0.0, 6.0)}, activation="silu", epochs=4000),
    HybridModel("normal-line", {"a": normal(1.5, 1.0), "c": normal(0, 1)}, {"y": "a*x + c"}, {"y": "2*x + 0.5 + 0.5*sin(3*x)"}, X),
    HybridModel("large-missing-slope", {"a": uniform(0, 4)}, {"y": "a*x"}, {"y": "2*x + 12*cos(2*x)"}, X, windows=2000, epochs=200,
                fast=True),
    HybridModel("missing-slope", {"a": uniform(0, 4)}, {"y": "a*x"}, {"y": "2*x + 3*cos(2*x)"}, X, windows=1000, epochs=400),
    HybridModel("missing-line", {"a": uniform(0, 4), "c": uniform(-3, 3)}, {"y": "a*x + c"}, {"y": "2*x + 2*sin(5*x)"},
                {"x": (-1.57, 1.57)}, windows=1000, epochs=1500, layers=(32, 32), activation="silu", rate=(1e-2, 1e-4)),
    HybridModel("large-missing-line", {"a": uniform(0, 4), "c": uniform(-3, 3)}, {"y": "a*x + c"}, {"y": "2*x + 8*sin(6*x)"},
                {"x": (-1.57, 1.57)}, windows=2000, epochs=800, layers=(32, 32), activation="silu", rate=(1e-2, 1e-4)),
    HybridModel("large-missing-decay", {"k": uniform(0.2, 2)}, {"x": "-k*x"}, {"x": "-0.8*x + 6*sin(2*x)"}, state={"x": (-6.0, 6.0)}, dt=0.02,
                layers=(32, 32), activation="silu", epochs=800),
    HybridModel("large-missing-pair", {"a": uniform(-1, 3), "b": uniform(-2, 2)}, {"y": "a*x1 + b*x2"},
                {"y": "x1 - 0.5*x2 + 6*x1*x2"}, {"x1": (-1.0, 1.0), "x2": (-1.0, 1.0)}, windows=2000, epochs=200),
]
