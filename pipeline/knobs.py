"""Knobs as people see them: listed with defaults and what they say, shown and read as TOML."""

import dataclasses
import difflib
import inspect
import re
import tomllib
import typing
from collections.abc import Iterable
from dataclasses import dataclass, fields, is_dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Knob:
    """One knob as people see it."""

    section: str
    name: str
    kind: str
    default: str
    says: str


def knobs_of(section: str, kind: Any) -> list[Knob]:
    """List the knobs of a record with their defaults and what they say."""
    source = inspect.getsource(kind)
    said = dict(re.findall(r"^    (\w+):.*?#\s*(.+)$", source, flags=re.MULTILINE))
    listed = []
    for f in fields(kind):
        if f.default is not dataclasses.MISSING:
            default = show(f.default)
        elif f.default_factory is not dataclasses.MISSING:
            default = show(f.default_factory())
        else:
            default = "(required)"
        kind_name = f.type if isinstance(f.type, str) else getattr(f.type, "__name__", str(f.type))
        listed.append(Knob(section, f.name, str(kind_name), default, said.get(f.name, "")))
    return listed


def nested_in(section: str, kind: Any) -> list[tuple[str, Any]]:
    """List the records inside a record, under the heading that TOML gives them."""
    hints = typing.get_type_hints(kind)
    found = []
    for f in fields(kind):
        hint = hints[f.name]
        inner = [k for k in (hint, *typing.get_args(hint)) if is_dataclass(k)]
        if inner:
            place = f"{section}.{f.name}"
            found.append((f"[{place}]" if is_dataclass(hint) else f"[[{place}]]", inner[0]))
    return found


def show(value: Any) -> str:
    """Write a knob's value as TOML would, null as a dash."""
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, tuple | list):
        return "[" + ", ".join(show(entry) for entry in value) + "]"
    if is_dataclass(value) and not isinstance(value, type):
        inner = ", ".join(f"{f.name} = {show(getattr(value, f.name))}" for f in fields(value))
        return "{" + inner + "}"
    return str(value)


def read_value(text: str) -> Any:
    """Read the value of `--set section.knob=value`: TOML where it is TOML, else plain text."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


WANTED = {
    "int": "a whole number",
    "float": "a number",
    "str": "text in quotes",
    "bool": "true or false",
    "array": 'a list, like ["…"]',
    "object": "a section of knobs",
}


def nearest(name: str, known: Iterable[str]) -> str:
    """Give words that propose the known name most like `name`; blank where none is like it."""
    found = difflib.get_close_matches(name, list(known), n=1)
    return f" (did you mean {found[0]}?)" if found else ""


def wrong_kind(place: str, data: Any, said: str) -> str:
    """Turn what msgspec says of a value into: place = value; what it should be."""
    said = said.replace("`", "")
    inner = re.search(r" - at \$\.?(.*)$", said)
    where = f"{place}.{inner[1]}" if inner and inner[1] else place
    if missing := re.search(r"missing required field (\w+)", said):
        return f'{where}.{missing[1]} is missing; add {missing[1]} = "…"'
    expected = re.search(r"Expected ([\w| ]+)", said)
    if not expected:
        return f"{where}: {re.sub(r' - at .*$', '', said)}"
    kinds = [k for k in re.split(r"\s*\|\s*", expected[1].strip()) if k != "null"]
    should = " or ".join(WANTED.get(kind, kind) for kind in kinds)
    value = value_at(data, inner[1] if inner else "")
    told = f"{where} = {show(value)}; it should be {should}"
    is_id = type(value) is int and kinds == ["str"]
    return f"{told}: put the id in quotes" if is_id else told


def value_at(data: Any, path: str) -> Any:
    """Follow a path such as `a.b[0]` into TOML's values; where it leads nowhere, what is above."""
    for step in re.findall(r"\w+", path):
        try:
            data = data[int(step)] if isinstance(data, list) else data[step]
        except (KeyError, IndexError, TypeError, ValueError):
            return data
    return data
