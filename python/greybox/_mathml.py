"""The LaTeX of equations as MathML, which browsers and editors show without a script."""

from __future__ import annotations

import re

from ._html import escape

_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|[0-9.]+|\S")
_SIGNS = {
    r"\cdot": "⋅", r"\le": "≤", r"\ge": "≥", r"\ne": "≠", r"\langle": "⟨", r"\rangle": "⟩", r"\|": "‖", "-": "−",
    r"\lfloor": "⌊", r"\rfloor": "⌋", r"\lceil": "⌈", r"\rceil": "⌉", r"\lvert": "|", r"\rvert": "|", r"\nabla": "∇",
    r"\partial": "∂", r"\infty": "∞", r"\Delta": "Δ", r"\times": "×",
}  # fmt: skip
_GREEK = {name: chr(ord("α") + place) for place, name in enumerate(
    ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu", "nu", "xi",
     "omicron", "pi", "rho", "final", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega"]
)} | {"Gamma": "Γ", "Sigma": "Σ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω"}  # fmt: skip
_SPACES = {r"\,": "0.17em", r"\ ": "0.3em", r"\;": "0.28em", r"\quad": "1em"}


def to_mathml(latex: str) -> str:
    r"""One equation.

    >>> to_mathml(r"f_T = \frac{a}{2}")
    '<math displaystyle="true"><msub><mi>f</mi><mi>T</mi></msub><mo>=</mo><mfrac><mi>a</mi><mn>2</mn></mfrac></math>'
    """
    return f'<math displaystyle="true">{_Reader(latex).row()}</math>'


class _Reader:
    def __init__(self, latex: str) -> None:
        self._tokens: list[str] = _TOKEN.findall(latex)
        self._place = 0

    def _peek(self) -> str:
        return self._tokens[self._place] if self._place < len(self._tokens) else ""

    def _take(self) -> str:
        self._place += 1
        return self._tokens[self._place - 1]

    def row(self) -> str:
        """Up to the end of a group."""
        text = ""
        while self._peek() not in ("", "}", r"\right"):
            text += self._with_scripts(self._atom())
        return text

    def _with_scripts(self, base: str) -> str:
        scripts = {}
        while self._peek() in ("^", "_"):
            sign = self._take()
            scripts[sign] = self._atom()
        if len(scripts) == 2:
            return f"<msubsup>{base}{scripts['_']}{scripts['^']}</msubsup>"
        for sign, script in scripts.items():
            tag = "msup" if sign == "^" else "msub"
            return f"<{tag}>{base}{script}</{tag}>"
        return base

    def _atom(self) -> str:
        token = self._take()
        if token == "{":
            inside = self.row()
            self._take()
            return inside if inside.count("<m") == 1 else f"<mrow>{inside}</mrow>"
        if token == r"\left":
            return self._delimited()
        if token == r"\frac":
            return f"<mfrac>{self._atom()}{self._atom()}</mfrac>"
        if token == r"\sqrt":
            return f"<msqrt>{self._atom()}</msqrt>"
        if token in (r"\mathrm", r"\operatorname", r"\text"):
            return f'<mi mathvariant="normal">{escape(self._word())}</mi>'
        if token == r"\mathbb":
            return f"<mi>{'𝔼' if self._word() == 'E' else ''}</mi>"
        return self._symbol(token)

    def _delimited(self) -> str:
        opening = self._take()
        inside = self.row()
        self._take()  # \right
        closing = self._take()
        stretchy = "true" if "<mfrac" in inside else "false"
        fences = [f'<mo stretchy="{stretchy}">{escape(_SIGNS.get(one, one))}</mo>' for one in (opening, closing)]
        return f"<mrow>{fences[0]}{inside}{fences[1]}</mrow>"

    def _word(self) -> str:
        """The letters of a group as they are."""
        self._take()
        word = ""
        while self._peek() not in ("", "}"):
            word += self._take().removeprefix("\\")
        self._take()
        return word

    @staticmethod
    def _symbol(token: str) -> str:
        if token in _SPACES:
            return f'<mspace width="{_SPACES[token]}"></mspace>'
        if token in _SIGNS:
            return f"<mo>{_SIGNS[token]}</mo>"
        name = token.removeprefix("\\")
        if name[0].isdigit() or name[0] == ".":
            return f"<mn>{name}</mn>"
        if name.isalpha():
            return f"<mi>{_GREEK.get(name, name)}</mi>"
        stretchy = ' stretchy="false"' if name in "()[]|" else ""
        return f"<mo{stretchy}>{escape(name)}</mo>"
