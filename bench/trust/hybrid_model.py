"""A hybrid model with a known answer: its equations, those of the truth, and how its data are made and learned."""
import zlib
from dataclasses import dataclass, field

REGULARIZERS = {
    "normD": "mean(norm2(network))",
    "corr": "abs(mean(dot(theory, network)))",
    "normdif": "abs(mean(norm2(theory)) - mean(norm2(network)))",
    "both": "abs(mean(dot(theory, network))) + abs(mean(norm2(theory)) - mean(norm2(network)))",
}


@dataclass
class HybridModel:
    name: str
    parameters: dict                     # name -> Prior
    theory: dict                         # output or state -> f_T
    true: dict                           # the same outputs or states -> f_true
    inputs: dict = field(default_factory=dict)       # algebraic: column -> (low, high); of an ODE: constant per series
    state: dict = field(default_factory=dict)        # ODE: state -> (low, high) of the first value
    hidden_states: tuple = ()                        # not observed, no network; windows are whole series
    lacks_in_hidden: bool = False                    # what a hidden state's equation lacks, no network can add
    learned_starts: bool = False                     # of hidden states: under a prior around the range they start in
    observed_rows: int = 1                           # snapshots that a window's start is found from
    observe: dict = field(default_factory=dict)      # by default the outputs, or the states that are not hidden
    windows: int = 300                               # samples, or series of an ODE
    length: int = 8                                  # snapshots of a window of an ODE
    windows_per_series: int = 1                      # of an ODE, one after the other
    dt: float = 0.1
    substeps: int = 1                                # solver steps from snapshot to snapshot
    noise: float = 0.02                              # sd, as a part of the sd of each observed column
    network_inputs: tuple | None = None              # by default all inputs or states; θ and f_T are added
    network_outputs: tuple | None = None             # by default all outputs or states
    constraints: dict = field(default_factory=dict)  # of the network: keys of the model file; θ that break them are not minima
    regularizers: tuple = ("normD", "corr")
    determined: dict = field(default_factory=dict)   # what the data determine whatever R: parameter -> value
    layers: tuple = (24, 24)
    activation: str = "tanh"
    epochs: int = 0                                  # 0: 1500 of an algebraic model, 500 of an ODE
    rate: tuple = (5e-3, 1e-4)
    batch: int = 50
    scaled: bool = True                              # network's inputs and outputs brought to order 1
    training: dict = field(default_factory=lambda: {"draws": 2})  # further keys of [train]
    sick: str = ""                                   # why this run must not be believed
    fast: bool = False                               # part of the fast set
    held_out: bool = False                           # nothing was chosen on it
    seed: int = 0
    source: str = ""                                 # where the model comes from

    @property
    def outputs(self):
        return tuple(self.theory)

    @property
    def is_ode(self):
        return bool(self.state)

    @property
    def n_epochs(self):
        return self.epochs or (500 if self.is_ode else 1500)

    @property
    def free_outputs(self):
        """Those that the network adds to."""
        return self.outputs if self.network_outputs is None else self.network_outputs

    @property
    def observed(self):
        if self.observe:
            return self.observe
        return {name: name for name in self.outputs if name not in self.hidden_states}

    @property
    def part(self):
        """Rules and thresholds are chosen on some models and reported on others."""
        return "report" if self.held_out else "choose"

    def number(self):
        """A seed of the model's own."""
        return zlib.crc32(f"{self.name}/{self.seed}".encode())
