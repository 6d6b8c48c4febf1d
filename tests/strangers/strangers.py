"""Hands damaged models, data and run folders to every command, and looks at how the commands end.

usage: strangers.py TOOL EXAMPLES [--seconds N] [--seed N] [--keep FOLDER]

A command may refuse what it is given (exit code 2 and a message) or fail for want of memory (exit code 1); it may not end by a signal, print
an exception of a library, wait for ever, write outside the run's folder, or bring another file's content into a report.
"""

from __future__ import annotations

import argparse
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from cases import CASES, Case
from explored import explore
from mutations import mutate

SECRET = "swordfish"
# Seconds of processor time, and of waiting, after which a command counts as hanging.
MOST_SECONDS, MOST_WAITING = 60, 150
# What no message says: words of libraries and of the compiler.
RAW = ["std::", "json.exception", "basic_string", "vector::", "_M_", "stod", "stoi", "bad_", "terminate", "Assertion", "runtime error",
       "Sanitizer", "regex", "map::at", "optional"]


def limited() -> None:
    """In the child: an endless loop ends by a signal."""
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS + 5))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class Tool:
    """Runs commands in a folder."""

    def __init__(self, program: str) -> None:
        self.program = program

    def __call__(self, case: Case, folder: Path, arguments: list[str], rng: random.Random | None = None) -> tuple[int | None, str]:
        """Exit code, or none when it waited for ever, and what was said on stderr."""
        threads = [] if arguments[0] in ("check", "new", "curves", "merge") else ["--threads", "1"]
        call = [self.program, *arguments, *threads, "--memory", "512M"]
        if arguments[0] == "explore":
            return explore(call, folder, case.theta, rng, limited)
        with (folder.parent / "stderr").open("wb") as said, (folder.parent / "stdout").open("wb") as out:
            try:
                code = subprocess.run(call, cwd=folder, stdin=subprocess.DEVNULL, stdout=out, stderr=said, timeout=MOST_WAITING,
                                      preexec_fn=limited, check=False).returncode
            except subprocess.TimeoutExpired:
                code = None
        return code, (folder.parent / "stderr").read_bytes().decode("utf-8", "replace")


def prepare(case: Case, tool: Tool, examples: Path, folder: Path) -> None:
    """The whole run, as its owner left it."""
    folder.mkdir(parents=True)
    case.files(folder, examples)
    for command in case.preparation:
        expect_done(tool, case, folder, command)


def expect_done(tool: Tool, case: Case, folder: Path, command: list[str]) -> None:
    """Ends the program where a command fails on what is whole: it would be no attack on what is damaged."""
    code, said = tool(case, folder, command)
    if code != 0:
        sys.exit(f"{' '.join(command)}: exit code {code}\n{said}")


def fault_of(code: int | None, said: str, folder: Path) -> str:
    """What is wrong with how a command ended; empty: nothing."""
    if code is None:
        return "hangs"
    if code < 0 or code in (66, 134, 139):
        return f"ends by signal {code}"
    raw = [word for word in RAW if word in said]
    if raw:
        return f"says `{raw[0]}`"
    if code == 1 and "memory" not in said and "cannot write" not in said and "cannot" not in said:
        return "exit code 1 without a reason"
    if code != 0 and "error" not in said and "diverged" not in said:
        return f"exit code {code} without a message"
    if "\x1b" in said:
        return "steers the terminal"
    page = folder / "run" / "report.html"
    if page.is_file() and SECRET.encode() in page.read_bytes():
        return "shows another file in the report"
    return ""


def is_patient(command: list[str], said: str) -> bool:
    """Commands that learn take as long as the model says."""
    return command[0] in ("train", "compare", "refit") and "error" not in said


def attack(case: Case, tool: Tool, rng: random.Random, calm: Path, place: Path) -> str:
    """One damaged copy and one command; says what went wrong, or nothing."""
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(calm / case.name, place / "stranger")
    folder, secret = place / "stranger", place / "secret.txt"
    secret.write_text(f"{SECRET}\n")
    files = sorted(file for file in folder.rglob("*") if file.is_file() and file.suffix not in (".png", ".svg", ".html", ".lock"))
    command = rng.choice(case.commands)
    changed = []
    for file in rng.sample(files, rng.choice([1, 1, 1, 2])):
        if file.is_file():
            changed.append(f"{file.relative_to(folder)}: {mutate(file, files_left(files), secret, rng)}")
    code, said = tool(case, folder, command, rng)
    fault = fault_of(code, said, folder)
    if not fault and (secret.read_text() != f"{SECRET}\n" or not {p.name for p in place.iterdir()} <= NAMES):
        fault = "writes outside its folder"
    if not fault or ((code is None or code < 0) and is_patient(command, said)):
        return ""
    return f"{case.name}: {' '.join(command)}: {fault} ({'; '.join(changed)})\n    " + said.strip()[-600:].replace("\n", "\n    ")


NAMES = {"secret.txt", "stderr", "stdout", "stranger"}


def files_left(files: list[Path]) -> list[Path]:
    """Those that are still files."""
    return [file for file in files if file.is_file() and not file.is_symlink()]


def main() -> None:
    """Attacks until the time is over."""
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("examples", type=Path)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="folder for what went wrong")
    options = parser.parse_args()
    tool = Tool(str(Path(options.tool).resolve()))
    faults = n_attacks = 0
    with tempfile.TemporaryDirectory() as scratch:
        # What is looked at stands where it was made: records of shards say where that was.
        calm, place = Path(scratch) / "calm", Path(scratch) / "attacked"
        for case in CASES:
            prepare(case, tool, options.examples, place / "stranger")
            shutil.copytree(place / "stranger", calm / case.name)
            for command in case.commands:
                expect_done(tool, case, place / "stranger", command)
            shutil.rmtree(place)
        end = time.monotonic() + options.seconds
        while time.monotonic() < end:
            seed = options.seed + n_attacks
            n_attacks += 1
            rng = random.Random(seed)
            fault = attack(rng.choice(CASES), tool, rng, calm, place)
            if fault:
                faults += 1
                print(f"seed {seed}: {fault}", flush=True)
                if options.keep:
                    shutil.copytree(place, options.keep / str(seed), symlinks=True, dirs_exist_ok=True, ignore=lambda d, names: [
                        name for name in names if (Path(d) / name).is_fifo()])
    print(f"{n_attacks} attacks, {faults} faults")
    sys.exit(faults > 0)


if __name__ == "__main__":
    main()
