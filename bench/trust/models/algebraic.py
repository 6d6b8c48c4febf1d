"""Algebraic models of one to three parameters: every finding once, ridges of all kinds."""
from hybrid_model import HybridModel
from prior import uniform

WAVE = "0.5*sin(3*x)"
X = {"x": (-2.0, 2.0)}

MODELS = [
    HybridModel("slope", {"a": uniform(0, 4)}, {"y": "a*x"}, {"y": f"2*x + {WAVE}"}, X, fast=True),
    HybridModel("slope-at-bound", {"a": uniform(2.5, 6)}, {"y": "a*x"}, {"y": f"2*x + {WAVE}"}, X, fast=True),
    HybridModel("idle", {"a": uniform(0.5, 4), "idle": uniform(-1, 1)}, {"y": "a*x + 0*idle"}, {"y": f"2*x + {WAVE}"}, X),
    HybridModel("product", {"a": uniform(0.5, 4), "b": uniform(0.5, 4)}, {"y": "a*b*x"}, {"y": f"3*x + {WAVE}"}, X, fast=True),
    HybridModel("quotient", {"a": uniform(0.5, 4), "b": uniform(0.5, 4)}, {"y": "a/b*x"}, {"y": f"1.5*x + {WAVE}"}, X),
    HybridModel("sum", {"a": uniform(0.5, 3), "b": uniform(0.5, 3)}, {"y": "(a + b)*x"}, {"y": f"3*x + {WAVE}"}, X),
    HybridModel("weighted-sum", {"a": uniform(0.5, 4), "b": uniform(0.2, 2)}, {"y": "(a + 2*b)*x"}, {"y": f"4*x + {WAVE}"}, X),
    HybridModel("circle", {"a": uniform(0.2, 2), "b": uniform(0.2, 2)}, {"y": "(a^2 + b^2)*x"}, {"y": f"2*x + {WAVE}"}, X, fast=True),
    HybridModel("exponential-ridge", {"a": uniform(0.3, 3), "b": uniform(-1, 1)}, {"y": "a*exp(b)*x"},
                {"y": f"1.2*x + {WAVE}"}, X),
    HybridModel("product-and-curve", {"a": uniform(0.5, 4), "b": uniform(0.5, 4), "c": uniform(-1, 1)},
                {"y": "a*b*x + c*x^2"}, {"y": f"3*x + 0.3*x^2 + {WAVE}"}, X),
    HybridModel("line", {"a": uniform(0, 4), "c": uniform(-2, 2)}, {"y": "a*x + c"}, {"y": f"2*x + 0.5 + {WAVE}"}, X),
    HybridModel("sine", {"a": uniform(0, 2), "c": uniform(-3, 3)}, {"y": "a*sin(x + c)"}, {"y": "sin(x) + cos(x)"},
                {"x": (-3.1, 3.1)}, regularizers=("normD", "corr", "normdif")),
    HybridModel("even", {"a": uniform(-3, 3)}, {"y": "a^2*x"}, {"y": f"3*x + {WAVE}"}, X, fast=True),
    HybridModel("saturation", {"V": uniform(0.5, 4), "K": uniform(0.2, 4)}, {"y": "V*x/(K + x)"},
                {"y": "2*x/(1 + x) + 0.2*x/(1 + 0.3*x^2)"}, {"x": (0.0, 6.0)}),
    HybridModel("thin-ridge", {"a": uniform(0.3, 3), "b": uniform(0.3, 3)}, {"y": "a*x + b*(x + 0.1*x^2)"},
                {"y": f"3*x + 0.15*x^2 + {WAVE}"}, X),
]
