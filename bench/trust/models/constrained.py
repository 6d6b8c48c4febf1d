"""Networks that cannot imitate all of the theory: what they do not see, or do not add to, the data determine."""
from hybrid_model import HybridModel
from prior import uniform

BOX = {"x": (0.3, 2.0), "y": (0.3, 2.0)}
JOINT = {"q": (-1.0, 1.0), "v": (-2.0, 2.0)}
HIDDEN = {"x": (0.5, 2.0), "h": (0.0, 1.0)}

MODELS = [
    HybridModel("joint", {"k": uniform(20, 80)}, {"q": "v", "v": "-k*q"}, {"q": "v", "v": "-50*q - v - 0.5*v*abs(v)"},
                state=JOINT, dt=0.02, network_inputs=("v",), network_outputs=("v",), determined={"k": 50.0}, fast=True),
    HybridModel("joint-damped", {"k": uniform(20, 80), "c": uniform(0, 4)}, {"q": "v", "v": "-k*q - c*v"},
                {"q": "v", "v": "-50*q - v - 0.5*v*abs(v)"}, state=JOINT, dt=0.02, network_inputs=("v",),
                network_outputs=("v",), determined={"k": 50.0}),
    HybridModel("sees-one-input", {"a": uniform(0, 4), "b": uniform(0, 4)}, {"y": "a*x1 + b*x2"},
                {"y": "2*x1 + 1.5*x2 + 0.5*sin(3*x2)"}, {"x1": (-2.0, 2.0), "x2": (-2.0, 2.0)}, network_inputs=("x2",),
                determined={"a": 2.0}),
    HybridModel("one-component", {"a": uniform(0.5, 2), "d": uniform(0.3, 1.5)}, {"x": "a*x - x*y", "y": "d*x*y - y"},
                {"x": "1.3*x - x*y - 0.15*x^2", "y": "0.8*x*y - y"}, state=BOX, network_outputs=("x",), determined={"d": 0.8}),
    HybridModel("determined-sum", {"k": uniform(0, 2), "m": uniform(0, 2)},
                {"x": "-(k + m)*x", "y": "m*x - 0.5*y"}, {"x": "-1.5*x", "y": "0.6*x - 0.5*y - 0.2*y^2"}, state=BOX,
                network_outputs=("y",)),
    HybridModel("determined-product", {"a": uniform(0.3, 2), "b": uniform(0.3, 2)},
                {"x": "-a*b*x", "y": "x - y"}, {"x": "-0.8*x", "y": "x - y + 0.3*sin(2*y)"}, state=BOX, network_outputs=("y",)),
    HybridModel("compartments", {"k12": uniform(0.1, 1.5), "k21": uniform(0.1, 1.5), "ke": uniform(0.1, 1.5)},
                {"x": "-(k12 + ke)*x + k21*y", "y": "k12*x - k21*y"},
                {"x": "-(0.7 + 0.5)*x + 0.4*y - 0.3*x/(1 + x)", "y": "0.7*x - 0.4*y"}, state=BOX, network_outputs=("x",),
                determined={"k12": 0.7, "k21": 0.4}, dt=0.2),
    HybridModel("hidden-delay", {"a": uniform(0.2, 2)}, {"x": "-a*h", "h": "x - h"}, {"x": "-h - 0.2*x^2", "h": "x - h"},
                state=HIDDEN, hidden_states=("h",), network_outputs=("x",), dt=0.2),
    HybridModel("hidden-product", {"a": uniform(0.3, 2), "b": uniform(0.3, 2)}, {"x": "-a*b*h", "h": "x - h"},
                {"x": "-h - 0.2*x^2", "h": "x - h"}, state=HIDDEN, hidden_states=("h",), network_outputs=("x",), dt=0.2),
    HybridModel("hidden-growth", {"r": uniform(0.2, 2), "c": uniform(0, 1)}, {"x": "r*x - c*x*h", "h": "0.5*x - h"},
                {"x": "x - 0.4*x*h - 0.1*x^2", "h": "0.5*x - h"}, state=HIDDEN, hidden_states=("h",), network_outputs=("x",)),
]
