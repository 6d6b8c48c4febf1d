"""Pieces of HTML for notebooks."""

from __future__ import annotations

import html
import math
from collections.abc import Iterable, Sequence
from typing import Any


def number(value: float | None) -> str:
    """A number with four digits; an en dash where there is none."""
    if value is None or math.isnan(value):
        return "–"
    return f"{value:.4g}".replace("inf", "∞").replace("-", "−")


def escape(text: Any) -> str:
    """Text that means itself in HTML."""
    return html.escape(str(text))


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table whose cells are HTML already."""
    top = "".join(f'<th style="text-align:left">{escape(cell)}</th>' for cell in head)
    body = "".join(
        "<tr>" + "".join(f'<td style="text-align:left;vertical-align:top">{cell}</td>' for cell in row) + "</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


def section(title: str, body: str) -> str:
    """A heading and what stands under it."""
    return f"<p><strong>{escape(title)}</strong></p>{body}"


def warnings(texts: Sequence[str]) -> str:
    """What a result warns of."""
    return "".join(f'<p style="color:#b3261e">⚠ {escape(text)}</p>' for text in texts)
