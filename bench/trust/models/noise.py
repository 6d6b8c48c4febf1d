"""Noise from none to 20 %, and from 30 to 2000 windows."""
from dataclasses import replace

from models.algebraic import MODELS as ALGEBRAIC
from models.ode import MODELS as ODE

HEALTHY = {model.name: model for model in ALGEBRAIC + ODE}


def with_noise(name, noise, **changes):
    return replace(HEALTHY[name], name=f"{name}-noise-{100 * noise:g}", noise=noise, fast=False, **changes)


def with_windows(name, windows, **changes):
    return replace(HEALTHY[name], name=f"{name}-windows-{windows}", windows=windows, fast=False, **changes)


MODELS = [
    with_noise("slope", 0.0), with_noise("slope", 0.2, windows=800), with_noise("product", 0.1), with_noise("line", 0.1),
    with_noise("saturation", 0.0), with_noise("decay", 0.0), with_noise("decay", 0.1), with_noise("logistic", 0.05),
    with_noise("pendulum", 0.1), with_noise("lotka-volterra", 0.05), with_noise("lotka-volterra", 0.2, windows=600),
    with_noise("spring-product", 0.1),
    with_windows("slope", 30), with_windows("line", 60), with_windows("product", 2000, epochs=300),
    with_windows("sine", 1000, epochs=500), with_windows("decay", 40), with_windows("pendulum", 60),
    with_windows("lotka-volterra", 1000, epochs=150),
]
