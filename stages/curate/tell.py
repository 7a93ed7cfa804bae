"""Say what a curation kept, what it left out and why, and how the history will read."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from stages.curate.course import Done
from stages.curate.entry import Entry
from stages.curate.hide import joined
from stages.curate.survey import utc

if TYPE_CHECKING:
    import polars as pl

SHOWN = 12  # rows of a list on the terminal; the report has them all
IDS_SHOWN = 5
TEXT_SHOWN = 400  # characters of an item; the transcript has it whole
QUESTIONLESS = {
    "answers to commands": "answers to commands, whose question Discord does not keep",
    "turns that nobody spoke before": "turns since which nobody else's words stand in the room",
}


@dataclass(frozen=True, slots=True)
class Told:
    """What goes to stdout, the report, and what is left unfinished."""

    lines: list[str]
    report: str
    unfinished: list[str]


def tell(done: Done, zone: ZoneInfo, unread: Sequence[Mapping[str, Any]] = ()) -> Told:
    """
    Sum up a curation; the report says the same with every row of its lists.

    `unread` are the manifest's rows of rooms that are not read to their end.
    """
    lines = list(_lines(done, zone, SHOWN))
    full = list(_lines(done, zone, None))
    report = "# Curate\n\n" + "\n".join(full) + "\n"
    unfinished = []
    if broken := done.survey.broken:
        first = broken[0]
        unfinished.append(
            f"{len(broken)} lines of raw are no messages; the first is line {first.line.line} of "
            f"{first.path.name} ({first.line.reason})"
        )
    if unread:
        unfinished.append(
            f"{len(unread)} rooms are not read to their end, the first is "
            f"{unread[0].get('channel_id')}: run dump again before anything is folded"
        )
    if done.people.height and not done.people["is_self"].any():
        unfinished.append(
            "nobody in raw is the agent: put its ids into [self] of agent.toml "
            "(backfold init on this folder offers who it could be)"
        )
    return Told(lines, report, unfinished)


def _lines(done: Done, zone: ZoneInfo, most: int | None) -> Iterator[str]:
    yield _sum(done)
    yield _kinds(done)
    yield from _participants(done.people, most)
    yield from _rooms(done.rooms, done.rejects, most)
    yield from _counts("left out", done.survey.rejects.counts(), most)
    yield from _counts("habits rewritten", done.scribe.rewritten, most)
    yield from _counts("redactions by rule", Counter(done.redactions["rule"].to_list()), most)
    yield from _asides(done)
    yield from _excerpt(done, zone)


def _sum(done: Done) -> str:
    """Say in a line what became of all messages."""
    messages = sum(room.messages for room in done.survey.rooms)
    kept = int(done.rooms["selected"].sum())
    left = done.rejects.height
    rooms = len(done.survey.rooms)
    return (
        f"{messages:,} messages in {rooms:,} {'room' if rooms == 1 else 'rooms'}: "
        f"{kept + left:,} selected, {left:,} of them left out; "
        f"{messages - kept - left:,} not perceived ({done.survey.hits:,} messages by the agent or "
        f"meant for it)"
    )


def _kinds(done: Done) -> str:
    """Say what the items are."""
    kinds = done.written.items
    parts = [f"{count:,} {kind}{'' if count == 1 else 's'}" for kind, count in kinds.most_common()]
    return f"{sum(kinds.values()):,} items: {', '.join(parts) or 'none'}; routing {done.routing}"


def _participants(people: "pl.DataFrame", most: int | None) -> Iterator[str]:
    """List who is in the transcript, the agent first."""
    import polars as pl

    seen = people.filter(pl.col("selected") > 0).sort(
        ["is_self", "selected", "author_id", "name"], descending=[True, True, False, False]
    )
    yield ""
    yield f"participants ({seen.height:,} of {people.height:,} people in raw)"
    for row in seen.head(most or seen.height).iter_rows(named=True):
        mark = " (self)" if row["is_self"] else (" (bot)" if row["is_bot"] else "")
        person = "" if row["person"] == row["author_id"] else f" = {row['person']}"
        yield (
            f"  {row['selected']:>9,} of {row['messages']:>9,}  "
            f"{row['name']}{mark}{person}  {row['author_id']}"
        )
    yield from _more(seen.height, most)
    if not people["is_self"].any():
        yield "  nobody here is the agent: put its ids into [self] of agent.toml"


def _rooms(rooms: "pl.DataFrame", rejects: "pl.DataFrame", most: int | None) -> Iterator[str]:
    """List the rooms: selected, left out, not perceived."""
    import polars as pl

    left = rejects.group_by("channel_id").len("left_out")
    told = (
        rooms.join(left, on="channel_id", how="left")
        .with_columns(pl.col("left_out").fill_null(0).cast(pl.Int64))
        .sort(["selected", "channel_id"], descending=[True, False])
    )
    yield ""
    yield f"rooms ({told.height:,}): selected, left out, not perceived"
    for row in told.head(most or told.height).iter_rows(named=True):
        unseen = row["messages"] - row["selected"] - row["left_out"]
        name = f"#{row['name']}" if row["guild_id"] else f"DM with {row['name'] or 'somebody'}"
        where = f" in {row['guild_name']}" if row["guild_name"] else ""
        private = " (private)" if row["is_private"] and row["guild_id"] else ""
        yield (
            f"  {row['selected']:>9,} {row['left_out']:>7,} {unseen:>9,}  "
            f"{name if row['name'] else 'room without a name'}{where}{private}  {row['channel_id']}"
        )
    yield from _more(told.height, most)


def _counts(title: str, counts: Counter[str], most: int | None) -> Iterator[str]:
    """List counts by name; nothing where there are none."""
    if not counts:
        return
    yield ""
    yield f"{title} ({sum(counts.values()):,})"
    for name, count in counts.most_common(most):
        yield f"  {count:>9,}  {name}"
    yield from _more(len(counts), most)


def _asides(done: Done) -> Iterator[str]:
    """Say what else an owner should know."""
    counts = done.scribe.counts
    said = []
    questions = [f"{counts[key]:,} {words}" for key, words in QUESTIONLESS.items() if counts[key]]
    if questions:
        said.append(f"answers without a visible question: {'; '.join(questions)}")
    if counts["attachments kept"] or counts["attachments without bytes"]:
        said.append(
            f"attachments: {counts['attachments kept']:,} with their bytes, "
            f"{counts['attachments without bytes']:,} by their header line alone"
        )
    if counts["unknown components"]:
        said.append(f"{counts['unknown components']:,} components of unknown kind were passed over")
    if done.survey.mended:
        said.append(f"{done.survey.mended:,} lines of raw were read after repair (no Unicode)")
    for ids, what in (
        (done.edited_in_folded, "edited"),
        (done.absent_in_folded, "deleted"),
    ):
        if ids:
            shown = ", ".join(ids[:IDS_SHOWN]) + (" …" if len(ids) > IDS_SHOWN else "")
            said.append(
                f"{len(ids):,} messages inside closed chunks were {what} since ({shown}): nothing "
                f"moves, their memories stand on the older text, audit names them"
            )
    rooms_in = int((done.rooms["selected"] > 0).sum())
    if rooms_in > 1 and not done.is_routing_chosen:
        said.append(
            f"{rooms_in:,} rooms and no recipe: think about routing before anything is folded "
            f"(curate.routing = locus, hybrid or explicit; now {done.routing})"
        )
    if said:
        yield ""
        yield from said


def _excerpt(done: Done, zone: ZoneInfo) -> Iterator[str]:
    """Show the first ten and last three items as the agent will read them."""
    head, shown = done.written.head, {entry.item_id for entry in done.written.head}
    yield ""
    yield "the beginning, as the agent will read it"
    for entry in head:
        yield from _item(entry, zone)
    tail = [entry for entry in done.written.tail if entry.item_id not in shown]
    if tail:
        yield "the end"
        for entry in tail:
            yield from _item(entry, zone)


def _item(entry: Entry, zone: ZoneInfo) -> Iterator[str]:
    """Show an item: time and whose it is in the margin, then its text."""
    text = joined(entry)
    if len(text) > TEXT_SHOWN:
        text = text[:TEXT_SHOWN] + " …"
    who = ">" if entry.is_self else " "
    stamp = f"{utc(entry.sent_ms).astimezone(zone):%Y-%m-%d %H:%M}"
    for number, line in enumerate(text.split("\n")):
        yield f"  {stamp if number == 0 else ' ' * len(stamp)} {who} {line}"


def _more(count: int, most: int | None) -> Iterator[str]:
    if most is not None and count > most:
        yield f"  … and {count - most:,} more, see reports/curate.md"
