"""Equations of model files, evaluated with numpy: the truth is computed from the same texts that the tool reads."""
import numpy as np

FUNCTIONS = {
    "where": np.where, "sin": np.sin, "cos": np.cos, "tan": np.tan, "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan,
    "atan2": np.arctan2, "sinh": np.sinh, "cosh": np.cosh, "tanh": np.tanh, "exp": np.exp, "log": np.log, "log1p": np.log1p,
    "sqrt": np.sqrt, "abs": np.abs, "sign": np.sign, "min": np.minimum, "max": np.maximum, "pow": np.power,
    "clamp": np.clip, "sigmoid": lambda x: 1 / (1 + np.exp(-x)), "softplus": lambda x: np.logaddexp(0, x), "pi": np.pi,
}


def compiled(text):
    """A function of a dictionary of arrays."""
    code = compile(text.replace("^", "**").replace("·", "*").replace("−", "-"), text, "eval")
    return lambda names: eval(code, {"__builtins__": {}}, {**FUNCTIONS, **names})  # noqa: S307, our own model texts


def vector(texts):
    """The components in their order, each broadcast to the shape of the others: (..., components)."""
    parts = [compiled(text) for text in texts]

    def evaluate(names):
        with np.errstate(all="ignore"):
            values = [np.asarray(part(names), float) for part in parts]
        return np.stack(np.broadcast_arrays(*values), -1)

    return evaluate
