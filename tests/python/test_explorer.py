"""The explorer's server, from Python."""

from __future__ import annotations

import json
import urllib.error
import urllib.request

import pytest

import greybox as gb


def ask(address: str, name: str, question: dict[str, object]) -> dict[str, object]:
    body = json.dumps({"client": "test", "sequence": 1, **question}).encode()
    request = urllib.request.Request(address + name, body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        return dict(json.load(answer))


def test_an_explorer_serves_until_it_is_stopped(toy_run: gb.Run) -> None:
    with toy_run.explore(open_page=False, threads=1) as explorer:
        assert explorer.address.startswith("http://127.0.0.1:")
        assert explorer.address in explorer._repr_html_()
        with urllib.request.urlopen(explorer.address) as page:
            assert "connect-src 'self'" in page.headers["Content-Security-Policy"]
        theta = dict.fromkeys(toy_run.model.parameters, 0.5)
        found = ask(explorer.address, "evaluate", {"theta": theta})
        predicted = toy_run.predict(theta=theta, on="validation")
        for name, value in predicted.regularizers.items():
            assert found["regularizers"][name] == pytest.approx(value, rel=1e-5)  # type: ignore[index]
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(explorer.address)
    explorer.stop()


def test_a_port_that_is_none_is_refused(toy_run: gb.Run) -> None:
    with pytest.raises(gb.InputError, match="70000 is no port"):
        toy_run.explore(port=70000, open_page=False)
