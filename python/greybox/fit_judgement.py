"""Whether a trained model fits its data at all: what must hold before its parameters are looked at."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from ._html import escape, number, table
from ._optional import need

if TYPE_CHECKING:
    import pandas as pd

FitWord = Literal["fits", "fits partly", "does not fit"]

_COLOURS = {"fits": "#1b7a3d", "fits partly": "#9a5b00", "does not fit": "#b3261e"}


@dataclass(frozen=True)
class OutputError:
    """Errors of one observed variable."""

    name: str
    rmse: float
    #: RMSE over the range of the data.
    nrmse: float
    #: The share of the data's variance that is explained.
    r2: float


def errors_by_name(fields: list[dict[str, Any]]) -> dict[str, OutputError]:
    """From the fields of the extension."""
    return {one["name"]: OutputError(**one) for one in fields}


@dataclass(frozen=True)
class OutputFit:
    """Errors of one observed variable, at the θ that fits best."""

    name: str
    rmse: float
    #: RMSE over the range of the data.
    nrmse: float
    #: The share of the data's variance that is explained.
    r2: float
    #: RMSE of the theory alone at its best θ; NaN where it is not known.
    theory_rmse: float
    #: RMSE of the better of two guesses without any model: the first snapshot's value, and the mean.
    guess_rmse: float
    #: RMSE of a network that learned a little longer for this θ alone; NaN where the fit did not call for it.
    refit_rmse: float = math.nan
    #: Of the noise at these predictions: what even the right model leaves; NaN without `[noise]`.
    noise_rmse: float = math.nan
    #: The model file says how large the noise is, so that it was not estimated from the same errors.
    noise_is_known: bool = False


@dataclass(frozen=True)
class FitJudgement:
    """How well a run fits its data, in a word, a sentence and numbers."""

    word: FitWord
    #: The word, why, and what to do.
    sentence: str
    #: By name of the observed variable.
    outputs: dict[str, OutputFit] = field(repr=False)
    #: Share of the prior at which the model fits about as well as at its best θ.
    share: float
    #: L above which a θ counts as not fitting.
    loss_limit: float
    #: The windows that were judged on.
    split: str
    n_windows: int

    @property
    def fits(self) -> bool:
        """Whether the word is "fits"."""
        return self.word == "fits"

    def to_pandas(self) -> pd.DataFrame:
        """One row per observed variable."""
        pandas = need("pandas", "FitJudgement.to_pandas()")
        rows = [{key: value for key, value in vars(one).items() if key != "name"} for one in self.outputs.values()]
        frame: pd.DataFrame = pandas.DataFrame(rows, index=pandas.Index(list(self.outputs), name="output"))
        return frame

    def __str__(self) -> str:
        return self.sentence

    def _repr_html_(self) -> str:
        rows = [
            [escape(one.name), *map(number, (one.rmse, one.nrmse, one.r2, one.theory_rmse, one.guess_rmse))]
            for one in self.outputs.values()
        ]
        head = ["output", "RMSE", "NRMSE", "R²", "RMSE of the theory alone", "RMSE of a guess"]
        where = f"<p>{escape(self.split)} ({self.n_windows} windows)</p>"
        return f"<p>{self.html()}</p>" + table(head, rows) + where

    def html(self) -> str:
        """The sentence, its word in colour."""
        rest = escape(self.sentence.removeprefix(self.word))
        return f'<span style="color:{_COLOURS[self.word]}"><strong>{escape(self.word)}</strong></span>{rest}'


def fit_judgement_of(record: Mapping[str, Any] | None) -> FitJudgement | None:
    """From the record of a run."""
    fields = None if record is None else record.get("fit")
    if fields is None:
        return None
    outputs = {one["name"]: _output(one) for one in fields["outputs"]}
    return FitJudgement(
        word=fields["word"],
        sentence=fields["sentence"],
        outputs=outputs,
        share=_number(fields["share"]),
        loss_limit=_number(fields["loss_limit"], math.inf),
        split=fields["split"],
        n_windows=fields["windows"],
    )


def _output(fields: Mapping[str, Any]) -> OutputFit:
    known = {one.name: _number(fields.get(one.name)) for one in dataclasses.fields(OutputFit)}
    return OutputFit(**known | {"noise_is_known": bool(fields.get("noise_is_known"))})


def _number(value: Any, otherwise: float = math.nan) -> Any:
    """JSON has no number that is not finite."""
    return otherwise if value is None else value
