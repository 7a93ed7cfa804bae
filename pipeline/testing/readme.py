"""
The parts of README that are drawn from the code: tables, knobs, stages.

`python -m pipeline.testing.readme` writes them between their marks; a test holds README to it.
"""

import re
import sys
from collections.abc import Callable
from pathlib import Path

from pipeline.config import FACTS, LISTS, Price
from pipeline.knobs import knobs_of, nested_in
from pipeline.registry import load_stages
from pipeline.schemas import TABLES

README = Path(__file__).resolve().parents[2] / "README.md"


def tables() -> str:
    """Describe every table: grain, key, columns with types."""
    parts = []
    for table in TABLES.values():
        rows = [
            f"| `{name}` | {column.type}{' or null' if column.nullable else ''} | {column.says} |"
            for name, column in table.columns.items()
        ]
        head = f"### {table.name}\n\n`{table.path}`: {table.grain}. Key: {', '.join(table.key)}."
        parts.append("\n".join([head, "", "| column | type | what |", "|---|---|---|", *rows]))
    return "\n\n".join(parts)


def knobs() -> str:
    """List every knob with its default, as agent.toml would hold it."""
    sections = {**FACTS, **{s.name: s.knobs for s in load_stages()}}
    lines = []
    for section, kind in sections.items():
        lines.append(f"[{section}]")
        lines += [f"{k.name} = {k.default}   # {k.says}" for k in knobs_of(section, kind)]
        for heading, inner in nested_in(section, kind):
            lines.append(heading)
            lines += [f"{k.name} = {k.default}   # {k.says}" for k in knobs_of(section, inner)]
        lines.append("")
    for section, kind in {**LISTS, 'prices."MODEL"': Price}.items():
        brackets = f"[[{section}]]" if section in LISTS else f"[{section}]"
        lines.append(brackets)
        lines += [f"{k.name} = {k.default}   # {k.says}" for k in knobs_of(section, kind)]
        lines.append("")
    return "```\n" + "\n".join(lines).strip() + "\n```"


def stages() -> str:
    """Show each stage with what it reads and writes."""
    rows = ["| stage | reads | writes | runs |", "|---|---|---|---|"]
    for s in load_stages():
        reads = (
            ", ".join(a.name for a in (*s.reads, *s.reads_if_there)) or "Discord, or export files"
        )
        writes = ", ".join(a.name for a in s.writes)
        amends = f"amends {', '.join(a.name for a in s.amends)}" if s.amends else ""
        when = "when stale" if s.free else "only when named"
        rows.append(
            f"| `{s.name}` | {reads} | {', '.join(filter(None, (writes, amends)))} | {when} |"
        )
    return "\n".join(rows)


PARTS: dict[str, Callable[[], str]] = {"stages": stages, "tables": tables, "knobs": knobs}


def drawn(text: str) -> str:
    """Give README with its drawn parts as the code has them now."""
    for name, draw in PARTS.items():
        pattern = rf"(<!-- {name} -->\n).*?(\n<!-- /{name} -->)"
        found = re.search(pattern, text, flags=re.DOTALL)
        if found is not None:
            text = f"{text[: found.end(1)]}{draw()}{text[found.start(2) :]}"
    return text


if __name__ == "__main__":
    README.write_text(drawn(README.read_text(encoding="utf-8")), encoding="utf-8")
    sys.stdout.write(f"{README.name}: tables, knobs and stages drawn anew\n")
