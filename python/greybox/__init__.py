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
from .comparison import Comparison, compare
from .curves import Curves
from .dataset import Dataset, Window
from .estimate import Estimate, Unconstrained, WindowEstimate
from .evaluator import Evaluator
from .examples import example, make_data
from .fit_judgement import FitJudgement, OutputError, OutputFit
from .grid import Axis, Grid, Map, Minimum, RefittedPoint
from .landscape import Landscape
from .model import Model
from .model_parts import Equation, Parameter, Summary
from .posterior import ParameterPosterior, Posterior, UnconstrainedPosterior
from .prediction import Prediction
from .run import Run
from .run import open_run as open  # noqa: A004
from .structure import NetworkStructure, StructuralCheck, TheoryStructure, TiedParameters
from .table import Table
from .verdicts import Combination, Profile, Verdict, Verdicts

__version__ = _core.version()

__all__ = [
    "Axis",
    "Calendar",
    "Combination",
    "Comparison",
    "Curves",
    "Dataset",
    "Diagnostic",
    "Epoch",
    "Equation",
    "Estimate",
    "Evaluator",
    "FitJudgement",
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
    "Parameter",
    "ParameterPosterior",
    "Posterior",
    "Prediction",
    "Profile",
    "Progress",
    "RefittedPoint",
    "Run",
    "StructuralCheck",
    "Summary",
    "Table",
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
    "example",
    "interrupted_run",
    "make_data",
    "open",
]
