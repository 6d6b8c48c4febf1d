"""Compares what the tool says with what is true: one case per model, parameter and regularizer."""
import numpy as np

from expression import compiled
from tool import CLAIMS, REFUSALS
from truth import NARROW, TrueRegularizer

TOLERANCE = 0.01  # of the range: an interval may miss a minimiser by that much


def span_of(minimisers):
    return max(minimisers) - min(minimisers)


def holds(prior, interval, minimisers):
    """Whether the interval has every true minimiser in it."""
    if not interval or any(end is None for end in interval):
        return False
    low, high = (prior.coordinate(end) for end in interval)
    return all(low - TOLERANCE <= m <= high + TOLERANCE for m in minimisers)


def outcome_of(finding, truth, held):
    """right, weaker (true but says less), overclaim (false, and would be acted on) or refused."""
    if finding in REFUSALS:
        return "refused"
    if finding not in CLAIMS:  # flat, unstable
        return "right" if finding in truth["accepted"] else "weaker"
    if finding == "several minima":
        return "right" if finding in truth["accepted"] else "weaker"
    if truth["accepted"] == ["flat"] or not held:
        return "overclaim"
    # One narrow interval that holds minima close to each other says all that a parameter is read for.
    is_close = truth["accepted"] == ["several minima"] and finding == "identifiable" and span_of(truth["minimisers"]) <= NARROW
    return "right" if finding in truth["accepted"] or is_close else "weaker"


def disagreement_outcome(truths, verdict):
    """Right where two of the regularizers that are named have no true minimiser in common, false where all share some."""
    named = [truths[name]["findings"][verdict["parameter"]]["strict"] for name in verdict["regularizer"].split(", ")]
    return "right" if any(not meet(one, other) for i, one in enumerate(named) for other in named[:i]) else "overclaim"


def meet(one, other):
    return any(low <= high_of_other + TOLERANCE and low_of_other <= high + TOLERANCE
               for low, high in one for low_of_other, high_of_other in other)


def cases_of(model, truths, answer):
    cases = []
    for verdict in answer["verdicts"]:
        name, prior = verdict["parameter"], model.parameters[verdict["parameter"]]
        # What the data determine is said once, whatever the regularizer.
        of = verdict["regularizer"] if verdict["regularizer"] in truths else next(iter(truths))
        truth = truths[of]["findings"][name]
        held = holds(prior, verdict["interval"], truth["minimisers"])
        outcome = disagreement_outcome(truths, verdict) if verdict["finding"] == "disagree" \
            else outcome_of(verdict["finding"], truth, held)
        cases.append({"model": model.name, "part": model.part, "sick": model.sick, "parameter": name,
                      "n_parameters": len(model.parameters), "regularizer": verdict["regularizer"],
                      "finding": verdict["finding"], "accepted": truth["accepted"],
                      "minimisers": [float(prior.theta(m)) for m in truth["minimisers"]],
                      "interval": verdict["interval"], "held": held,
                      "claim": verdict["finding"] in CLAIMS, "outcome": outcome,
                      "sentence": verdict["sentence"]})
    return cases


def combinations_of(model, truths, answer):
    """How far a named combination varies over the true minimum set, as a part of its range over the prior."""
    rows = []
    rng = np.random.default_rng(5)
    draws = {n: p.theta(rng.uniform(size=500)) for n, p in model.parameters.items()}
    for one in answer["combinations"]:
        ridge = np.array(truths[one["regularizer"]]["ridge"]).reshape(-1, len(model.parameters))
        row = {"model": model.name, "part": model.part, "sick": model.sick, **one, "spread": None, "outcome": "not testable"}
        try:
            of = compiled(one["text"])
            spread = np.ptp(of(dict(zip(model.parameters, ridge.T)))) / np.ptp(of(draws)) if len(ridge) > 5 else None
        except (SyntaxError, NameError, TypeError):
            spread = None
        if spread is not None:
            row |= {"spread": float(spread), "outcome": "right" if spread < 0.05 else "approximate" if spread < 0.2 else "wrong"}
        rows.append(row)
    return rows


def bands_held(model, data, answer):
    """Per band: whether it holds the true R."""
    if model.network_inputs is not None or model.constraints:  # part of f_D* is then not the network's to give
        return []
    true = {name: TrueRegularizer(model, data, name) for name in model.regularizers}
    held = []
    for band in answer["bands"]:
        u = np.array([[prior.coordinate(band["theta"][name]) for name, prior in model.parameters.items()]])
        for name, regularizer in true.items():
            held.append(bool(band["low"][name] <= regularizer.regularizer(u)[0] <= band["high"][name]))
    return held
