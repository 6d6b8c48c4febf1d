"""Residuals: what predictions leave of the data."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ResidualReport:
    """What the residuals (measured - predicted) of one observed variable say about model and noise.

    Under `[noise]` they are standardised: those of a model that is right have mean 0 and standard deviation 1.
    """

    name: str
    n: int
    is_standardised: bool
    mean: float
    sd: float
    #: p of residuals that are as far from 0 on average.
    mean_p: float
    #: From one snapshot to the next of the same window; p of Ljung and Box over the first lags.
    autocorrelation: float
    independence_p: float
    #: 0 of a normal distribution; p of Jarque and Bera.
    skewness: float
    excess_kurtosis: float
    normality_p: float
    #: Correlations of the residuals, and of their squares, with time and with what is predicted.
    with_time: float
    with_prediction: float
    square_with_prediction: float
    #: What is off, a sentence each.
    findings: list[str]
