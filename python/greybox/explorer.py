"""The explorer: a live page in which θ is dragged and the model follows."""

from __future__ import annotations

import webbrowser
from types import TracebackType
from typing import TYPE_CHECKING

from . import _core
from ._control import controlled
from ._errors import refuse, warn_all
from ._html import escape

if TYPE_CHECKING:
    from .run import Run


class Explorer:
    """A server on this machine alone, as long as it lives; `Run.explore` makes one.

    In a notebook it shows a link to its page. A `with` block ends it, and so does `stop`.
    """

    def __init__(self, run: Run, port: int, open_page: bool, threads: int) -> None:
        if not 0 <= port <= 65535:
            refuse(f"{port} is no port", "0 for one that is free, or a number up to 65535", argument="port")
        self._core = _core.Explorer(run._handle, port, threads)
        warn_all(self._core.warnings)
        if open_page:
            webbrowser.open(self.address)

    @property
    def address(self) -> str:
        """To be opened in a browser on this machine; holds a secret of its own."""
        return self._core.address

    def wait(self) -> None:
        """Serve until Ctrl-C, or the stop button of a notebook."""
        try:
            with controlled(0, False, None) as control:
                self._core.wait(control)
        except KeyboardInterrupt:
            self.stop()

    def stop(self) -> None:
        """Close the port. May be called twice."""
        self._core.stop()

    def __enter__(self) -> Explorer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def __repr__(self) -> str:
        return f"<greybox.Explorer at {self.address}>"

    def _repr_html_(self) -> str:
        address = escape(self.address)
        return f'<a href="{address}" target="_blank" rel="noopener noreferrer">Explore at {address}</a>'
