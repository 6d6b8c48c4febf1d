"""Runs that must not be believed: hardly trained, networks too small, priors too wide, regions that diverge, too few data."""
from dataclasses import replace

from hybrid_model import HybridModel
from models.algebraic import MODELS as ALGEBRAIC
from models.ode import MODELS as ODE
from prior import uniform

HEALTHY = {model.name: model for model in ALGEBRAIC + ODE}


def sick(name, ailment, **changes):
    return replace(HEALTHY[name], name=f"{name}--{ailment}", sick=ailment, fast=name in ("slope", "decay"), **changes)


FEW_EPOCHS = [sick(name, "5-epochs", epochs=5) for name in
              ("slope", "product", "line", "saturation", "sine", "decay", "logistic", "pendulum", "lotka-volterra", "sir-two")]
SMALL = [sick(name, "2-hidden-units", layers=(2,), epochs=100) for name in
         ("line", "saturation", "pendulum", "lotka-volterra", "decay")]
SLOW = [sick("pendulum", "rate-too-low", rate=(1e-5, 1e-6)), sick("line", "rate-too-low", rate=(1e-5, 1e-6))]

MODELS = FEW_EPOCHS + SMALL + SLOW + [
    sick("pendulum", "wide-prior", parameters={"g": uniform(0, 300)}, epochs=100),
    sick("lotka-volterra", "wide-prior", parameters={"a": uniform(0, 8), "b": uniform(0, 8)}, epochs=60),
    sick("saturation", "wide-prior", parameters={"V": uniform(0, 200), "K": uniform(0.01, 200)}, epochs=30),
    HybridModel("explosion--diverging-region", {"k": uniform(-2, 2)}, {"x": "k*x^2"}, {"x": "-0.8*x - 0.2*x^2"},
                state={"x": (0.5, 3.0)}, epochs=60, sick="diverging-region"),
    sick("slope", "4-windows", windows=4),
    sick("decay", "6-windows", windows=6),
]
