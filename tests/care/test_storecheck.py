"""Each rule of a landed memory is held by a check that a broken store trips."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from pipeline.care.storecheck import Bounds, check_session
from pipeline.care.storereader import open_store
from pipeline.care.storereader_session import ChunkRecord, Session, read_session
from tests.care.stores import memory_store

Break = Callable[[Session], Session]


def sound(root: Path) -> Session:
    """Give a sound memory: 12 chunks, 2 L2s."""
    return read_session(open_store(memory_store(root / "s").write()))


def changed(name: str, **fields: object) -> Break:
    """Change one summary."""
    return lambda s: replace(
        s,
        summaries=tuple(
            msgspec.structs.replace(m, **fields) if m.id == name else m for m in s.summaries
        ),
    )


def record(place: int, **fields: object) -> Break:
    """Change one chunk record."""

    def change(session: Session) -> Session:
        records = list(session.chunks)
        records[place] = msgspec.structs.replace(records[place], **fields)
        return replace(session, chunks=tuple(records))

    return change


def stamped(place: int, stamp: object) -> Break:
    """Change one message's time."""

    def change(session: Session) -> Session:
        messages = list(session.messages)
        messages[place] = msgspec.structs.replace(messages[place], timestamp=stamp)
        return replace(session, messages=tuple(messages))

    return change


def test_a_sound_memory_breaks_nothing(tmp_path: Path) -> None:
    """All of I1 to I14 hold, head and tail included."""
    session = sound(tmp_path)
    assert (len(session.chunks), len(session.summaries)) == (12, 14)
    assert check_session(session, Bounds(head_end=0, tail_start=48)) == []


@pytest.mark.parametrize(
    ("rule", "break_it"),
    [
        ("I1", lambda s: replace(s, counter=3)),
        ("I1", lambda s: replace(s, summaries=(*s.summaries, s.summaries[0]))),
        ("I1", changed("L1-0", level=3)),
        ("I2", changed("L1-0", source_level=1)),
        ("I2", changed("L2-6", source_ids=["L1-0", "L1-99"])),
        ("I3", changed("L1-0", merged_into=None)),
        ("I3", changed("L1-0", merged_into="L2-13")),
        ("I4", changed("L2-6", source_ids=["L1-0", "L1-2", "L1-1", "L1-3", "L1-4", "L1-5"])),
        ("I5", changed("L2-6", source_range={"first": "1", "last": "2"})),
        ("I6", record(0, summary_id="L1-1")),
        ("I6", record(0, compressed=False)),
        ("I7", lambda s: changed("L2-6", merged_into=None)(changed("L2-13", merged_into="x")(s))),
        ("I8", lambda s: replace(s, chunks=s.chunks[:3] + s.chunks[4:])),
        ("I8", lambda s: replace(s, chunks=(*s.chunks, ChunkRecord(id="c-99")))),
        ("I10", changed("L1-0", content="  ")),
        ("I10", changed("L1-0", content="<thinking>so</thinking> I rang.")),
        ("I10", changed("L1-0", content="I'm sorry, but that is not for me.")),
        ("I10", changed("L1-0", content="I rang the bell,")),
        ("I11", stamped(3, 0)),
        ("I11", stamped(3, 1.5)),
        ("I12", changed("L1-0", source_range={"first": "1", "last": "nobody"})),
        ("I13", lambda s: replace(s, merge_queue=[{"level": 2}])),
        ("I13", lambda s: replace(s, chunk_quarantine=({},))),
        ("I14", changed("L1-0", response_content=[])),
    ],
)
def test_each_rule_finds_what_breaks_it(tmp_path: Path, rule: str, break_it: Break) -> None:
    """A store broken in one way is told by the rule that is about it."""
    session = break_it(sound(tmp_path))
    session = replace(
        session,
        summaries=tuple(
            msgspec.structs.replace(s, source_range=msgspec.convert(s.source_range, _range()))
            if isinstance(s.source_range, dict)
            else s
            for s in session.summaries
        ),
    )
    assert rule in {breach.rule for breach in check_session(session)}


def _range() -> type:
    from pipeline.care.storereader_session import Range

    return Range


def test_what_can_never_merge_is_named_as_a_warning(tmp_path: Path) -> None:
    """A memory that spans too much is legal; it is told by its name."""
    found = check_session(sound(tmp_path), Bounds(widest_span=20))
    assert {(b.rule, b.severity, b.subject) for b in found} == {
        ("I9", "warning", "L2-6"),
        ("I9", "warning", "L2-13"),
    }


def test_head_and_tail_are_compared_with_the_hosts(tmp_path: Path) -> None:
    """Records that begin before the head's end, or reach into the tail, are told."""
    found = check_session(sound(tmp_path), Bounds(head_end=4, tail_start=40))
    assert [(b.rule, b.subject) for b in found] == [("I8", "head"), ("I8", "tail")]
