"""Runs as bytes: the files of a run folder, zipped."""

from __future__ import annotations

import io
import tempfile
import zipfile
from pathlib import Path

from . import _core

# Of a folder made elsewhere, which has no record.
_LEAST = ("model.toml", "weights.npz")


def pack(run: _core.Run) -> bytes:
    """Everything that the run knows, its data included."""
    with tempfile.TemporaryDirectory() as scratch:
        folder, names = Path(run.folder()), list(_LEAST)
        if run.record() is not None:
            folder = Path(scratch) / "run"
            run.in_memory().save(folder, False)
            names = [file.name for file in folder.iterdir() if file.is_file() and not file.name.startswith(".")]
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
            for name in names:
                archive.write(folder / name, name)
        return buffer.getvalue()


def unpack(content: bytes) -> _core.Run:
    """The run in memory."""
    with tempfile.TemporaryDirectory() as scratch:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            archive.extractall(scratch)
        return _core.Run.open(scratch).in_memory()
