"""Differential equations of one to four parameters, all states observed, the network free to add to every state."""
from hybrid_model import HybridModel
from prior import uniform

PREY = {"x": "a*x - b*x*y", "y": "d*x*y - g*y"}
PENDULUM = {"q": "v", "v": "-w*sin(q) - 0.3*v"}
BOX = {"x": (0.5, 2.0), "y": (0.5, 2.0)}

MODELS = [
    HybridModel("decay", {"k": uniform(0.2, 2)}, {"x": "-k*x"}, {"x": "-0.8*x - 0.2*x^2"}, state={"x": (0.5, 3.0)}, fast=True),
    HybridModel("decay-sum", {"k": uniform(0.1, 1), "m": uniform(0.1, 1)}, {"x": "-(k + m)*x"}, {"x": "-0.9*x - 0.2*x*sin(2*x)"},
                state={"x": (0.5, 3.0)}, fast=True),
    HybridModel("logistic", {"r": uniform(0.2, 2), "K": uniform(1, 5)}, {"x": "r*x*(1 - x/K)"},
                {"x": "x*(1 - x/3) - 0.3*x^2/(1 + x^2)"}, state={"x": (0.2, 4.0)}),
    HybridModel("pendulum", {"g": uniform(4, 16)}, {"q": "v", "v": "-g*sin(q)"}, {"q": "v", "v": "-9*sin(q) - 0.4*v"},
                state={"q": (-2.0, 2.0), "v": (-2.0, 2.0)}, dt=0.05, fast=True),
    HybridModel("pendulum-friction", {"g": uniform(4, 16), "c": uniform(0, 1)}, {"q": "v", "v": "-g*sin(q) - c*v"},
                {"q": "v", "v": "-9*sin(q) - 0.4*v - 0.1*v*abs(v)"}, state={"q": (-2.0, 2.0), "v": (-2.0, 2.0)}, dt=0.05),
    HybridModel("lotka-volterra", {"a": uniform(0.5, 2), "b": uniform(0.5, 2)},
                {"x": "a*x - b*x*y", "y": "0.8*x*y - y"}, {"x": "1.3*x - x*y - 0.15*x^2", "y": "0.8*x*y - y"}, state=BOX),
    HybridModel("lotka-volterra-4", {"a": uniform(0.5, 2), "b": uniform(0.5, 2), "d": uniform(0.3, 1.5), "g": uniform(0.5, 2)},
                PREY, {"x": "1.3*x - x*y - 0.15*x^2", "y": "0.8*x*y - y"}, state=BOX, epochs=800),
    HybridModel("spring-product", {"k": uniform(1, 4), "s": uniform(0.5, 2)}, {"q": "v", "v": "-k*s*q"},
                {"q": "v", "v": "-4*q - 0.5*q^3"}, state={"q": (-1.0, 1.0), "v": (-1.0, 1.0)}),
    HybridModel("sir-two", {"beta": uniform(0.5, 3), "gamma": uniform(0.1, 1.5)},
                {"s": "-beta*s*i", "i": "beta*s*i - gamma*i"}, {"s": "-1.5*s*i/(1 + i)", "i": "1.5*s*i/(1 + i) - 0.5*i"},
                state={"s": (0.3, 1.0), "i": (0.02, 0.5)}, dt=0.2),
    HybridModel("van-der-pol", {"mu": uniform(0, 3)}, {"x": "y", "y": "mu*(1 - x^2)*y - x"},
                {"x": "y", "y": "1.2*(1 - x^2)*y - x - 0.3*x^3"}, state={"x": (-2.0, 2.0), "y": (-2.0, 2.0)}, dt=0.05),
]
