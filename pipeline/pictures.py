"""Small figures for reports: talk by day, memories by level, what a run has cost."""

import io
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date, timedelta
from typing import Any

DAY_MS = 86_400_000
SHOWN_ROOMS = 6
# the first of these that is installed draws what the font before it cannot
FONTS = ("DejaVu Sans", "Noto Sans CJK JP", "Noto Sans CJK SC", "Noto Sans")
TONES = ("#2f6690", "#c2410c", "#6b8f71", "#8a5a83", "#d9a441", "#4aa3a2")
REST = "#9aa3ad"


def messages_per_day(talk: Mapping[str, Any]) -> bytes:
    """Give a PNG: messages a local day, the busiest rooms apart; `talk` as the page holds it."""
    by_room, days = by_day(talk)
    with drawn("messages per day") as (figure, ax, out):
        below = [0] * len(days)
        for place, (name, counts) in enumerate(by_room):
            tone = REST if place >= SHOWN_ROOMS else TONES[place]
            ax.bar(days, counts, width=0.9, bottom=below, color=tone, label=name)
            below = [a + b for a, b in zip(below, counts, strict=True)]
        if by_room:
            ax.legend(loc="upper left", ncols=3, frameon=False, fontsize=8)
        figure.autofmt_xdate()
    return out.getvalue()


def by_day(talk: Mapping[str, Any]) -> tuple[list[tuple[str, list[int]]], list[date]]:
    """Give messages a day for each of the busiest rooms and for the others, and the days."""
    counts: dict[int, dict[int, int]] = {}
    for ms, room, is_notice in zip(talk["t"], talk["r"], talk["notice"], strict=True):
        if not is_notice:
            own = counts.setdefault(room, {})
            own[ms // DAY_MS] = own.get(ms // DAY_MS, 0) + 1
    if not counts:
        return [], []
    known = [day for own in counts.values() for day in own]
    span = range(min(known), max(known) + 1)
    order = sorted(counts, key=lambda room: (-sum(counts[room].values()), room))
    named = [
        (str(talk["rooms"][room]), [counts[room].get(day, 0) for day in span])
        for room in order[:SHOWN_ROOMS]
    ]
    if rest := order[SHOWN_ROOMS:]:
        named.append(("others", [sum(counts[r].get(day, 0) for r in rest) for day in span]))
    return named, [date(1970, 1, 1) + timedelta(days=day) for day in span]


def memories_by_level(levels: Sequence[int]) -> bytes:
    """Give a PNG: how many memories each level has; `levels` is one number a memory."""
    known = sorted(set(levels))
    with drawn("memories by level") as (_figure, ax, out):
        bars = ax.barh([f"L{n}" for n in known], [levels.count(n) for n in known], color=TONES[0])
        ax.bar_label(bars, padding=4)
    return out.getvalue()


def cost_over_run(calls: Sequence[Mapping[str, Any]]) -> bytes:
    """
    Give a PNG: what was spent, call by call in order of asking.

    A call has `cost`, `currency`, `input_tokens` and `output_tokens`, null where not told. Where
    no price is known the tokens are drawn; where no tokens either, nothing but the axes.
    """
    is_priced = any(call["cost"] for call in calls)
    unit = next((c["currency"] for c in calls if c["currency"]), None) if is_priced else "tokens"
    spent, line = 0.0, [0.0]
    for call in calls:
        own = call["cost"] if is_priced else tokens_of(call)
        spent += own or 0
        line.append(spent)
    with drawn(f"cost over the run ({unit or 'by the price list'})") as (_figure, ax, out):
        ax.step(range(len(line)), line, where="post", color=TONES[1])
        ax.fill_between(range(len(line)), line, step="post", color=TONES[1], alpha=0.15)
        ax.set_xlabel("calls")
        ax.set_ylim(bottom=0)
    return out.getvalue()


def tokens_of(call: Mapping[str, Any]) -> int:
    """Give the tokens that a call read and wrote."""
    return (call["input_tokens"] or 0) + (call["output_tokens"] or 0)


@contextmanager
def drawn(title: str) -> Iterator[tuple[Any, Any, io.BytesIO]]:
    """Lend a figure, its axes and the bytes that hold it as PNG afterwards."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    out = io.BytesIO()
    with warnings.catch_warnings(), mpl.rc_context():
        # without a font for a script its names are boxes: no reason to speak of it at each glyph
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        mpl.rcParams["font.family"] = installed_fonts()
        figure = Figure(figsize=(9, 3.2), layout="constrained")
        ax = figure.subplots()
        ax.spines[["top", "right"]].set_visible(False)
        ax.set_title(title, loc="left", fontsize=11)
        yield figure, ax, out
        # the same numbers give the same file: no program and no day inside
        figure.savefig(out, format="png", dpi=110, metadata={"Software": None})


def installed_fonts() -> list[str]:
    """Give those of `FONTS` that are here; also one that came after matplotlib made its list."""
    from matplotlib.font_manager import findSystemFonts, fontManager

    if not any("CJK" in font.name for font in fontManager.ttflist):
        for path in findSystemFonts():
            if path.endswith("NotoSansCJK-Regular.ttc"):
                fontManager.addfont(path)
    known = {font.name for font in fontManager.ttflist}
    return [name for name in FONTS if name in known]
