"""Gathers the pages of the documentation site: docs/, examples/, executed notebooks, and pages made from the sources.

usage: gather_docs.py NOTEBOOKS OUTPUT     (NOTEBOOKS: a folder with executed notebooks)
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from greybox._mathml import to_mathml

ROOT = Path(__file__).parents[1]
# Pages whose place in the site is not their place in docs/.
PLACES = {
    "README.md": "index.md",
    "CHANGELOG.md": "project/changelog.md",
    "ARCHITECTURE.md": "project/architecture.md",
    "CONTRIBUTING.md": "project/contributing.md",
}
# Where a link to a folder leads.
FOLDERS = {"examples/notebooks": "notebooks/toy.ipynb"}
COPIED = {"docs": "", "examples": "examples/"}
FORMULA = re.compile(r"\$([^$]+)\$")
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")


def place_of(source: str) -> str | None:
    """Where a file of the repository is in the site; None: it is not there."""
    if source in PLACES or source in FOLDERS:
        return PLACES.get(source) or FOLDERS[source]
    if source.startswith("examples/notebooks/"):
        return source.removeprefix("examples/")
    folder, _, rest = source.partition("/")
    if folder not in COPIED or not (ROOT / source).exists():
        return None
    return COPIED[folder] + (rest or "README.md")


def with_links(text: str, source: str) -> str:
    """A page with its links as they are in the site; those to files that are not there become plain text."""
    here = place_of(source)
    assert here is not None

    def replace(match: re.Match[str]) -> str:
        target, _, anchor = match[3].partition("#")
        if "://" in match[3] or not target:
            return match[0]
        found = place_of(os.path.normpath(os.path.join(os.path.dirname(source), target)))
        if found is None or (ROOT / "docs" / found).is_dir():
            return match[2]
        path = os.path.relpath(found, os.path.dirname(here) or ".")
        return f"{match[1]}[{match[2]}]({path}{'#' + anchor if anchor else ''})"

    return LINK.sub(replace, text)


def copy_page(source: str, output: Path) -> None:
    """One file, with its links if it is a page."""
    place = place_of(source)
    assert place is not None
    (output / place).parent.mkdir(parents=True, exist_ok=True)
    if source.endswith(".md"):
        text = (ROOT / source).read_text(encoding="utf-8")
        (output / place).write_text(with_links(text, source).replace("```python notest", "```python"), encoding="utf-8")
    else:
        shutil.copy(ROOT / source, output / place)


def copy_notebook(notebook: Path, output: Path) -> None:
    """An executed notebook; the formulas of its text as MathML, which needs no script to be shown."""
    content = json.loads(notebook.read_text(encoding="utf-8"))
    for cell in content["cells"]:
        if cell["cell_type"] == "markdown":
            cell["source"] = FORMULA.sub(lambda match: to_mathml(match[1]), "".join(cell["source"]))
    (output / notebook.name).write_text(json.dumps(content), encoding="utf-8")


def commands_page() -> str:
    """What every command says about itself."""

    def help_of(*command: str) -> str:
        call = [sys.executable, "-m", "greybox", *command, "--help"]
        return subprocess.run(call, check=True, capture_output=True, text=True).stdout.rstrip()

    overview = help_of()
    names = re.findall(r"^  ([a-z]+) {2,}\S", overview.partition("ommands:")[2], re.MULTILINE)
    names = names or re.findall(r"^  ([a-z]+)\s", overview, re.MULTILINE)
    parts = ["# Commands", f"```text\n{overview}\n```"]
    parts += [f"## greybox {name}\n\n```text\n{help_of(name)}\n```" for name in names]
    return "\n\n".join(parts) + "\n"


def headers_page() -> str:
    """The public headers, each with what it says about itself."""
    parts = [
        "# C++ headers",
        "`#include <greybox/greybox.hpp>` brings all of them; [the library](../library.md) has programs.",
    ]
    for header in sorted((ROOT / "include" / "greybox").glob("*.hpp")):
        lines = header.read_text(encoding="utf-8").splitlines()
        about = [line.removeprefix("// ") for line in lines[: lines.index("#pragma once")]]
        body = "\n".join(lines[lines.index("#pragma once") + 1 :]).strip()
        parts.append(f"## {header.name}\n\n{' '.join(about)}\n\n```cpp\n{body}\n```")
    return "\n\n".join(parts) + "\n"


def main() -> None:
    """Make OUTPUT anew."""
    notebooks, output = Path(sys.argv[1]), Path(sys.argv[2])
    shutil.rmtree(output, ignore_errors=True)
    for source in PLACES:
        copy_page(source, output)
    for folder in COPIED:
        for file in sorted((ROOT / folder).rglob("*")):
            if file.is_file() and file.suffix in (".md", ".png", ".csv", ".toml"):
                copy_page(str(file.relative_to(ROOT)), output)
    (output / "notebooks").mkdir()
    for notebook in notebooks.glob("*.ipynb"):
        copy_notebook(notebook, output / "notebooks")
    (output / "reference" / "commands.md").write_text(commands_page(), encoding="utf-8")
    (output / "reference" / "cpp.md").write_text(headers_page(), encoding="utf-8")


if __name__ == "__main__":
    main()
