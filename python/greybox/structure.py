"""Before any training: which parameters no data of a design can determine."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _core
from ._html import escape, table
from ._result import Result


@dataclass(frozen=True)
class TiedParameters:
    """Parameters that only together have an effect: combinations of them are determined, they alone are not."""

    parameters: list[str]
    #: How many combinations are determined.
    n_determined: int
    #: Of these, those that have a name, such as "a·b".
    combinations: list[str]


@dataclass(frozen=True)
class TheoryStructure:
    """The theory alone, its network silent: how what is observed changes with θ."""

    #: θ at which the theory alone has finite trajectories; with fewer than two, nothing is said.
    n_draws: int
    determined: list[str]
    #: Without any effect on what is observed.
    idle: list[str]
    tied: list[TiedParameters]
    #: Of the sensitivities, largest first; 0.001: moving through the whole prior along that direction changes the
    #: outputs by a thousandth of their spread.
    singular_values: npt.NDArray[np.float64] = field(repr=False)


@dataclass(frozen=True)
class NetworkStructure:
    """The network as a free function of its inputs: what it can do in the theory's place."""

    #: Empty when the test was made; else why not.
    not_tested: str
    #: Whatever they do, the network can undo: only a regularizer chooses them.
    absorbed: list[str]
    #: The network cannot undo what they do: data can determine them.
    kept: list[str]
    #: Of these the network can undo some combinations; data can determine those that are told.
    tied: list[TiedParameters]
    undecided: list[str]


class StructuralCheck(Result):
    """Which parameters no data of a design can determine; `print` shows its sentences."""

    _handle: _core.StructuralCheck

    def __init__(self, core: _core.StructuralCheck) -> None:
        self._handle = core
        fields = core.fields()
        self.theory = TheoryStructure(**_with_tied(fields["theory"]))
        self.network = NetworkStructure(**_with_tied(fields["network"]))
        #: For a person.
        self.sentences: list[str] = fields["sentences"]
        self.warnings = []

    def __str__(self) -> str:
        return "\n".join(self.sentences)

    def __repr__(self) -> str:
        return f"<greybox.StructuralCheck: {'; '.join(self.sentences)}>"

    def _repr_html_(self) -> str:
        rows = []
        for sentence in self.sentences:
            who, colon, what = sentence.partition(": ")
            rows.append([escape(who), escape(what)] if colon else ["", escape(sentence)])
        return table(["parameters", "what data of this design can say"], rows)

    def __reduce__(self) -> tuple[Any, ...]:
        return StructuralCheck, (self._handle,)


def _with_tied(fields: dict[str, Any]) -> dict[str, Any]:
    return {**fields, "tied": [TiedParameters(**one) for one in fields["tied"]]}
