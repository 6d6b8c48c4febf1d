"""For the Python reference of the site: attributes of classes in a table, each with its `#:` comment."""

from __future__ import annotations

from typing import Any

import griffe


class Comments(griffe.Extension):
    """Adds a section of attributes to the docstring of every public class."""

    def on_class_members(self, *, cls: griffe.Class, **_: Any) -> None:
        """What `__init__` assigns, and the fields of a dataclass; properties are described by themselves."""
        entries = [
            f"    {one.name}: {_comment(one) or '–'}"
            for one in cls.attributes.values()
            if one.is_public and one.annotation is not None and not one.has_labels("property") and not one.docstring
        ]
        if entries and cls.docstring is not None:
            before, mark, after = cls.docstring.value.partition("\n\nExamples:")
            cls.docstring.value = before + "\n\nAttributes:\n" + "\n".join(entries) + mark + after


def _comment(attribute: griffe.Attribute) -> str:
    """The `#:` lines directly above."""
    lines: list[str] = []
    place = (attribute.lineno or 1) - 2
    source = attribute.lines_collection[attribute.filepath]  # type: ignore[index]
    while place >= 0 and source[place].strip().startswith("#:"):
        lines.insert(0, source[place].strip().removeprefix("#:").strip())
        place -= 1
    return " ".join(lines)
