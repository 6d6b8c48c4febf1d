"""Trustworthy grey-box modelling: theory with a few meaningful parameters, and a network for what it leaves out.

>>> import greybox as gb
>>> model = gb.example("toy")
>>> model.regularizers["normD"]
'mean(norm2(network))'
"""

from . import _core
from ._calendar import Calendar
from ._control import interrupted_run
from ._errors import Diagnostic, GreyboxWarning, InputError, Interrupted, Interruption
from ._progress import Epoch, Progress
from .comparison import Comparison, ComparisonRow, Fold, compare
from .curves import Curves
from .dataset import Dataset, Window
from .estimate import Estimate, Unconstrained, WindowEstimate
from .evaluator import Evaluator
from .examples import example, make_data
from .explanation import ComponentShare, Dependence, Explanation, Formula
from .explorer import Explorer
from .fit_judgement import FitJudgement, OutputError, OutputFit
from .grid import Axis, Grid, Map, Minimum, RefittedPoint
from .landscape import Landscape
from .model import Model
from .model_parts import Equation, Parameter, Summary
from .posterior import PairPosterior, ParameterPosterior, Posterior, UnconstrainedPosterior
from .prediction import PredictedWindow, Prediction
from .residuals import ResidualReport
from .run import Run
from .run import open_run as open  # noqa: A004
from .simulation import BandCheck, Simulation
from .structure import NetworkStructure, StructuralCheck, TheoryStructure, TiedParameters
from .table import Table
from .theories import ComparedTheory, TheoryComparison, compare_theories
from .verdicts import Combination, Profile, Verdict, Verdicts

__version__ = _core.version()

__all__ = [
    "Axis",
    "BandCheck",
    "Calendar",
    "Combination",
    "ComparedTheory",
    "Comparison",
    "ComparisonRow",
    "ComponentShare",
    "Curves",
    "Dataset",
    "Dependence",
    "Diagnostic",
    "Epoch",
    "Equation",
    "Estimate",
    "Evaluator",
    "Explanation",
    "Explorer",
    "FitJudgement",
    "Fold",
    "Formula",
    "GreyboxWarning",
    "Grid",
    "InputError",
    "Interrupted",
    "Interruption",
    "Landscape",
    "Map",
    "Minimum",
    "Model",
    "NetworkStructure",
    "OutputError",
    "OutputFit",
    "PairPosterior",
    "Parameter",
    "ParameterPosterior",
    "Posterior",
    "PredictedWindow",
    "Prediction",
    "Profile",
    "Progress",
    "RefittedPoint",
    "ResidualReport",
    "Run",
    "Simulation",
    "StructuralCheck",
    "Summary",
    "Table",
    "TheoryComparison",
    "TheoryStructure",
    "TiedParameters",
    "Unconstrained",
    "UnconstrainedPosterior",
    "Verdict",
    "Verdicts",
    "Window",
    "WindowEstimate",
    "__version__",
    "compare",
    "compare_theories",
    "example",
    "interrupted_run",
    "make_data",
    "open",
]
