"""Ways in which a file of a run folder can be wrong: bytes, tokens, JSON values, arrays, and things that are no files."""

from __future__ import annotations

import ast
import io
import json
import math
import os
import random
import re
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

NUMBERS = ["0", "-1", "1e308", "-1e308", "1e-320", "nan", "inf", "-inf", "18446744073709551615", "9007199254740993",
           "4294967296", "2.5", "1e400", "0x10", "1_000", ""]
TOKENS = ["null", "true", "[]", "{}", '""', '"\\u001b[2J"', "[" * 200, '{"a":' * 80, "\x00", "\xff", '"', "'", "\\", "\n[x]\n",
          "\n", ",", "=", "mean(", "^" * 50, "(" * 300, "a" * 5000, "x^x^x^x", "laplacian(x)", "t", "pi", "1/0", "log(-1)"]
VALUES: list[Any] = [None, True, -1, 0, 1.5, 1e308, -1e308, 2**63, "", "x", "\u001b[2J", "a" * 3000, [], [[]], {}, {"a": None}, [1, "x"],
                     [None] * 3, {"": {}}, [1e308, -1e308]]


def bytes_changed(data: bytes, rng: random.Random) -> bytes:
    """Bytes flipped, cut, doubled or replaced by tokens."""
    out = bytearray(data)
    for _ in range(rng.choice([1, 1, 2, 5, 20])):
        place = rng.randrange(len(out) + 1)
        length = rng.choice([1, 2, 8, 64, 1000])
        kind = rng.randrange(6)
        if kind == 0 and place < len(out):
            out[place] = rng.randrange(256)
        elif kind == 1:
            del out[place : place + length]
        elif kind == 2:
            out[place:place] = out[place : place + length]
        elif kind == 3:
            out[place:place] = rng.choice(TOKENS).encode("latin-1")
        elif kind == 4:
            out = out[:place]
        else:
            found = [m.span() for m in re.finditer(rb"-?\d+\.?\d*(e-?\d+)?", bytes(out))]
            if found:
                begin, end = rng.choice(found)
                out[begin:end] = rng.choice(NUMBERS).encode()
    return bytes(out)


def lines_changed(data: bytes, rng: random.Random) -> bytes:
    """Lines left out, doubled, moved or joined with others."""
    lines = data.split(b"\n")
    for _ in range(rng.choice([1, 2, 4])):
        place, other = rng.randrange(len(lines)), rng.randrange(len(lines))
        kind = rng.randrange(4)
        if kind == 0 and len(lines) > 1:
            del lines[place]
        elif kind == 1:
            lines.insert(place, lines[other])
        elif kind == 2:
            lines[place], lines[other] = lines[other], lines[place]
        else:
            lines[place] = lines[place] + lines[other]
        if not lines:
            break
    return b"\n".join(lines)


def json_changed(data: bytes, rng: random.Random) -> bytes:
    """Some values of a JSON document replaced, left out or repeated."""
    try:
        root = json.loads(data)
    except ValueError:
        return bytes_changed(data, rng)

    def places(value: Any) -> list[tuple[Any, Any]]:
        found = []
        for key, child in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
            found += [(value, key), *places(child)]
        return found

    for _ in range(rng.choice([1, 1, 2, 3])):
        all_places = places(root)
        if not all_places:
            break
        holder, key = rng.choice(all_places)
        kind = rng.randrange(5)
        if kind == 0:
            del holder[key]
        elif kind == 1 and isinstance(holder, list):
            holder.extend(holder[:50])
        elif kind == 2 and isinstance(holder[key], list):
            holder[key] = holder[key][: rng.randrange(len(holder[key]) + 1)]
        elif kind == 3 and isinstance(holder[key], (int, float)) and not isinstance(holder[key], bool):
            holder[key] = rng.choice([0, -1, 1e308, -1e308, 2**53 + 1, 0.5, None, holder[key] * 1e9])
        else:
            holder[key] = rng.choice(VALUES)
    return json.dumps(root).encode()


class Array:
    """An array of an npz: its header, and its bytes as they are."""

    def __init__(self, data: bytes) -> None:
        size = struct.unpack("<H", data[8:10])[0]
        self.header: dict[str, Any] = ast.literal_eval(data[10 : 10 + size].decode("latin-1"))
        self.data = data[10 + size :]

    def bytes(self) -> bytes:
        """As numpy writes it, whether header and bytes fit each other or not."""
        text = repr(self.header).encode("latin-1") + b"\n"
        return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text + self.data

    def size(self) -> int:
        return math.prod(self.header["shape"])

    def set(self, values: list[float]) -> None:
        """Numbers in double precision, in one row."""
        self.header = {"descr": "<f8", "fortran_order": False, "shape": (len(values),)}
        self.data = struct.pack(f"<{len(values)}d", *values)

    def values(self) -> list[float]:
        codes = {"<f8": "d", "<f4": "f", "<i8": "q", "<i4": "i"}
        code = codes.get(self.header["descr"])
        return [float(v) for v in struct.unpack(f"<{self.size()}{code}", self.data)] if code else [0.0] * self.size()

    def change(self, rng: random.Random) -> None:
        """Another shape, type or other values."""
        shape = self.header["shape"]
        kind = rng.randrange(7)
        if kind == 0:
            self.set(self.values()[: rng.randrange(self.size() + 1)])
        elif kind == 1:
            self.set([rng.choice([math.nan, math.inf, -1, 1e308, 2.0**62, 0.5])] * self.size())
            self.header["shape"] = shape
        elif kind == 2:
            self.header["shape"] = rng.choice([(), (self.size(), 1), (1, self.size()), (2**62,), (2**32, 2**32), (-1,), shape + (1,), (0,)])
        elif kind == 3:
            self.set(self.values() * 2)
        elif kind == 4:
            self.header["descr"] = rng.choice(["<f2", "<f4", "<i8", "|u1", "|b1", "<U8", ">f8", "|O", "<c16", "<U99999999", "x"])
        elif kind == 5:
            self.header["fortran_order"] = rng.choice([True, 7])
        else:
            values = self.values()
            if values:
                values[rng.randrange(len(values))] = rng.choice([math.nan, math.inf, -math.inf, 1e308, -1, 2.0**53 + 1])
            self.set(values)
            self.header["shape"] = shape


def arrays_changed(data: bytes, rng: random.Random) -> bytes:
    """Arrays of an npz with other shapes, types, names and values."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            arrays = {name: Array(archive.read(name)) for name in archive.namelist()}
    except (zipfile.BadZipFile, struct.error, SyntaxError, ValueError):
        return bytes_changed(data, rng)
    for _ in range(rng.choice([1, 1, 2])):
        name = rng.choice(sorted(arrays))
        kind = rng.randrange(8)
        if kind == 0 and len(arrays) > 1:
            del arrays[name]
        elif kind == 1:
            arrays[rng.choice(["x.npy", "../x.npy", "theta.npy", "x", "0" + name])] = arrays[name]
        else:
            arrays[name].change(rng)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", rng.choice([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])) as archive:
        for name, array in arrays.items():
            archive.writestr(name, array.bytes())
    return out.getvalue() if rng.random() < 0.9 else bytes_changed(out.getvalue(), rng)


def in_its_place(file: Path, secret: Path, rng: random.Random) -> str:
    """Something that is no file, or another one, in the place of a file."""
    file.unlink()
    kind = rng.choice(["pipe", "folder", "zeros", "nowhere", "secret", "itself"])
    if kind == "pipe":
        os.mkfifo(file)
    elif kind == "folder":
        file.mkdir()
    else:
        file.symlink_to({"zeros": "/dev/zero", "nowhere": file.parent / "nowhere", "secret": secret, "itself": file}[kind])
    return kind


Change = Callable[[bytes, random.Random], bytes]


def changes_for(file: Path) -> list[Change]:
    """What fits the kind of the file; bytes always do."""
    if file.suffix == ".json":
        return [json_changed, json_changed, json_changed, bytes_changed]
    if file.suffix == ".npz":
        return [arrays_changed, arrays_changed, arrays_changed, bytes_changed]
    return [bytes_changed, bytes_changed, lines_changed]


def mutate(file: Path, others: list[Path], secret: Path, rng: random.Random) -> str:
    """Changes one file; says how."""
    chance = rng.random()
    if chance < 0.1:
        return in_its_place(file, secret, rng)
    if chance < 0.14:
        file.write_bytes(b"")
        return "empty"
    if chance < 0.18:
        other = rng.choice(others)
        file.write_bytes(other.read_bytes())
        return f"copy of {other.name}"
    change = rng.choice(changes_for(file))
    file.write_bytes(change(file.read_bytes(), rng))
    return change.__name__
