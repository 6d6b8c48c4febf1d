"""Packages that are used when they are there, and named when they are missing."""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import Any


def need(package: str, what: str) -> ModuleType:
    """Import a package, or say which one is missing and what for."""
    try:
        return importlib.import_module(package)
    except ModuleNotFoundError as error:
        name = package.partition(".")[0]
        if error.name is not None and error.name.partition(".")[0] != name:
            raise
        raise ModuleNotFoundError(
            f"{what} needs the package `{name}`, which is not installed: `pip install {name}`", name=name
        ) from None


def is_instance(value: Any, package: str, *types: str) -> bool:
    """Whether a value is of one of these types of a package, which is not imported for it."""
    module = sys.modules.get(package)
    if module is None:
        return False
    return any(isinstance(value, getattr(module, name)) for name in types if hasattr(module, name))
