"""What all results share: the library's own form of them, for JSON and files."""

from __future__ import annotations

import json
import pickle
from typing import Any

from . import _core


class Result:
    """A result of the library: named fields, `to_dict()`, and files as the tool writes them."""

    _handle: _core.Result
    #: What the result warns of, issued as `GreyboxWarning` when it was made.
    warnings: list[str]

    def to_dict(self) -> dict[str, Any]:
        """Everything that the tool's `--json` prints: plain numbers, texts, lists and dictionaries."""
        parsed: dict[str, Any] = json.loads(self._handle.to_json())
        return parsed

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return pickle.loads(pickle.dumps(self))  # arrays share memory with the extension's object
