"""Dictionaries as the text of a TOML file."""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Mapping
from numbers import Integral, Real
from typing import Any

from ._errors import refuse

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def to_toml(values: Mapping[str, Any]) -> str:
    """The text of a TOML file with these values.

    >>> print(to_toml({"name": "toy", "train": {"rate": [0.01, 1e-4]}}))
    name = "toy"
    <BLANKLINE>
    [train]
    rate = [0.01, 0.0001]
    <BLANKLINE>
    """
    return _table(values, ()).lstrip("\n")


def _table(values: Mapping[str, Any], path: tuple[str, ...]) -> str:
    simple = {key: value for key, value in values.items() if not isinstance(value, Mapping)}
    tables = {key: value for key, value in values.items() if isinstance(value, Mapping)}
    text = ""
    if path and (simple or not tables):
        text += "\n[" + ".".join(_key(part) for part in path) + "]\n"
    for key, value in simple.items():
        text += f"{_key(key)} = {_value(value, (*path, key))}\n"
    for key, table in tables.items():
        text += _table(table, (*path, key))
    return text


def _key(key: Any) -> str:
    if not isinstance(key, str):
        refuse(f"`{key}` is no name", "keys are texts", place="model dictionary")
    return key if _BARE.fullmatch(key) else json.dumps(key, ensure_ascii=False)


def _value(value: Any, path: tuple[str, ...]) -> str:
    if isinstance(value, bool) or type(value).__name__ in ("bool_", "bool"):
        return "true" if value else "false"
    if isinstance(value, (str, os.PathLike)):
        return json.dumps(os.fspath(value), ensure_ascii=False)
    if isinstance(value, Integral):
        return str(int(value))
    if isinstance(value, Real):
        return _number(float(value))
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(k)} = {_value(v, (*path, k))}" for k, v in value.items()) + " }"
    if hasattr(value, "__iter__"):
        return "[" + ", ".join(_value(one, path) for one in value) + "]"
    place = ".".join(path)
    refuse(
        f"{type(value).__name__} cannot stand in a model file",
        "leave the key out" if value is None else "give text, a number, a list or a dictionary",
        place=f"model dictionary, `{place}`",
    )


def _number(value: float) -> str:
    if math.isnan(value):
        return "nan"
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return repr(value)
