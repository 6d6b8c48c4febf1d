"""States that nobody measures: given or learned starts, parameters in their equations, networks on the measured states alone."""
from dataclasses import replace

from hybrid_model import HybridModel
from prior import uniform

TANKS = HybridModel(
    "two-tanks", {"k": uniform(0.3, 1.5), "m": uniform(0.2, 1.2)},
    {"upper": "-k*sqrt(abs(upper))", "lower": "k*sqrt(abs(upper)) - m*sqrt(abs(lower))"},
    {"upper": "-0.8*sqrt(abs(upper))", "lower": "0.8*sqrt(abs(upper)) - 0.5*sqrt(abs(lower)) - 0.15*lower"},
    state={"upper": (1.0, 3.0), "lower": (0.3, 2.0)}, hidden_states=("upper",), network_outputs=("lower",), dt=0.15,
    source="cascaded tanks, the lower one measured")
CASES = HybridModel(
    "seir-cases", {"beta": uniform(0.5, 2.5), "sigma": uniform(0.4, 2.0)},
    {"s": "-beta*s*i", "e": "beta*s*i - sigma*e", "i": "sigma*e - 0.5*i"},
    {"s": "-1.4*s*i", "e": "1.4*s*i - e", "i": "e - 0.5*i - 0.3*i^2"},
    state={"s": (0.5, 1.0), "e": (0.02, 0.3), "i": (0.05, 0.4)}, hidden_states=("s", "e"), network_outputs=("i",), dt=0.3,
    regularizers=("normD",), source="SEIR, the infectious counted")
CHAIN = HybridModel(
    "chain-of-two", {"k": uniform(0.2, 2.0)}, {"a": "-k*a", "b": "k*a - b"}, {"a": "-0.9*a", "b": "0.9*a - b - 0.2*b^2"},
    state={"a": (0.5, 2.0), "b": (0.1, 1.0)}, hidden_states=("a",), network_outputs=("b",), dt=0.2,
    source="two reactions in a row, the product measured")
LEARNED = [replace(model, name=f"{model.name}-learned-start", learned_starts=True, observed_rows=4)
           for model in (TANKS, CHAIN)]
HEALTHY = [TANKS, CASES, CHAIN, *LEARNED]

MODELS = HEALTHY + [replace(model, name=f"{model.name}--5-epochs", sick="5-epochs", epochs=5) for model in HEALTHY]
