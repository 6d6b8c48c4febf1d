"""Executes the notebooks of examples/notebooks from a clean kernel and writes them with their outputs.

usage: run_notebooks.py OUTPUT [NAME...]
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import nbformat
from nbclient import NotebookClient

SOURCE = Path(__file__).parents[1] / "examples" / "notebooks"


def execute(name: str, output: Path) -> None:
    """Run one notebook; an error in a cell is raised."""
    begin = time.monotonic()
    notebook = nbformat.read(SOURCE / f"{name}.ipynb", as_version=4)
    client = NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(SOURCE)}})
    client.execute()
    nbformat.write(notebook, output / f"{name}.ipynb")
    print(f"{name}: {time.monotonic() - begin:.0f} s", flush=True)


def main() -> None:
    """Run those that are named, or all."""
    output = Path(sys.argv[1])
    output.mkdir(parents=True, exist_ok=True)
    for name in sys.argv[2:] or sorted(file.stem for file in SOURCE.glob("*.ipynb")):
        execute(name, output)


if __name__ == "__main__":
    main()
