"""The explorer's server on a damaged run: its page, and questions of which some are damaged too."""

from __future__ import annotations

import contextlib
import http.client
import json
import random
import select
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from mutations import bytes_changed, json_changed

QUESTIONS: list[tuple[str, dict[str, Any]]] = [
    ("evaluate", {}), ("evaluate", {"quick": True, "split": "train", "network": 0}), ("scan", {"axes": [0, 1]}),
    ("scan", {"axes": [1]}), ("descend", {"regularizer": "normD", "free": [0, 1], "steps": 5, "start": 3}),
    ("follow", {"regularizer": "normD", "free": [0]}), ("means", {"expression": "mean(norm2(network)) + mean(norm2(theory))"}),
    ("pins", {}), ("explain", {}), ("training", {"curves": True}), ("unlock", {}),
]
STARTING_SECONDS, ANSWERING_SECONDS, ENDING_SECONDS = 60, 60, 60


def address_of(server: subprocess.Popen[bytes]) -> str:
    """What it prints first; empty when it ends or prints nothing."""
    assert server.stdout is not None
    ready, _, _ = select.select([server.stdout], [], [], STARTING_SECONDS)
    return server.stdout.readline().decode().strip() if ready else ""


def answer_to(address: str, name: str, body: bytes | None) -> str:
    """Of the server, whatever it says; it may also cut the connection."""
    parts = urlsplit(address)
    connection = http.client.HTTPConnection(parts.netloc, timeout=ANSWERING_SECONDS)
    with contextlib.closing(connection), contextlib.suppress(http.client.HTTPException, ConnectionError):
        connection.request("GET" if body is None else "POST", parts.path + name, body, {"Content-Type": "application/json"})
        return connection.getresponse().read().decode("utf-8", "replace") if body is not None else ""
    return ""


def questions_for(theta: dict[str, float], rng: random.Random | None, n_questions: int = 6) -> list[tuple[str, bytes]]:
    """All of them, or some of which some are damaged."""
    asked = []
    for number, (name, question) in enumerate(rng.choices(QUESTIONS, k=n_questions) if rng else QUESTIONS):
        known = {"client": "stranger", "sequence": number, "theta": theta, "pins": [{"name": "A", "theta": theta}]}
        body = json.dumps({**known, **question}).encode()
        if rng:
            body = rng.choice([lambda b, _: b, json_changed, json_changed, bytes_changed])(body, rng)
        asked.append((name, body))
    return asked


def explore(call: list[str], folder: Path, theta: dict[str, float], rng: random.Random | None,
            limit: Callable[[], None]) -> tuple[int | None, str]:
    """Exit code, or none when it waited for ever, and what it said on stderr and in its answers. Without `rng` nothing is damaged, and
    every question must have its answer."""
    said = []
    with (folder.parent / "stderr").open("wb") as errors:
        server = subprocess.Popen(call, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors, preexec_fn=limit)
        try:
            if address := address_of(server):
                answer_to(address, "", None)
                said = [answer_to(address, name, body) for name, body in questions_for(theta, rng)]
            if server.poll() is None and address:
                time.sleep(0.05)
                server.send_signal(signal.SIGINT)
            code: int | None = server.wait(ENDING_SECONDS)
        except (subprocess.TimeoutExpired, TimeoutError):
            code = None
        finally:
            server.kill()
            server.wait()
            assert server.stdout is not None
            server.stdout.close()
    if not rng and not all(answer and not answer.startswith('{"error"') for answer in said):
        code = 1
    return code, (folder.parent / "stderr").read_bytes().decode("utf-8", "replace") + "".join(said)
