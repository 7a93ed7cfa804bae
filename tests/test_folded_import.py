"""Once memories stand on chunks: what comes later, or changes, moves nothing and is told."""

import json
import shutil
from datetime import UTC, datetime

import polars as pl
import pytest

from pipeline.errors import StageError
from pipeline.memory.folded import Noted, note_history
from pipeline.memory.pyramid import Pyramid
from pipeline.memory.records import FoldedChunk, FoldedItem, Memory
from pipeline.runner import Wish, open_house, run
from pipeline.testing.community import write_community
from pipeline.workspace import Workspace
from tests.real import SHARED, needs_real

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def settle(root, corpus, name, own, extra=""):
    """Make an agent's folder over a corpus folder."""
    root.mkdir()
    own = json.dumps(list(own))
    text = (
        f'[agent]\nname = "{name}"\nsource = "files"\nfiles = ["{corpus}"]\n[self]\nusers = {own}\n'
    )
    (root / "agent.toml").write_text(text + extra, encoding="utf-8")


def bring_up(root, *stages, **sets):
    """Run stages; gives what was said on stdout."""
    house = open_house(Workspace(root), sets=sets)
    said = []
    house.out, house.err = said.append, lambda _line: None
    run(house, Wish(stages=stages or ("dump", "curate", "segment")))
    return said


def table(root, name):
    return pl.read_parquet(root / "tables" / f"{name}.parquet")


def fold_all(root):
    """Let a memory stand on every closed chunk, as warmup would."""
    items, chunks, rooms = table(root, "transcript"), table(root, "chunks"), table(root, "rooms")
    by_id = {row["item_id"]: row for row in items.iter_rows(named=True)}
    last = chunks["last_position"].max()
    several = {i: r["message_ids"] for i, r in by_id.items() if len(r["message_ids"]) > 1}
    with Pyramid(root / "pyramid.sqlite") as pyramid:
        note_history(
            pyramid,
            Noted(
                item_ids=items["item_id"].head(last + 1).to_list(),
                message_ids=several,
                raw_bytes=dict(rooms.select("channel_id", "raw_bytes").iter_rows()),
                settings=json.loads((root / "tables/curated.json").read_text())["settings"],
            ),
        )
        for number, row in enumerate(chunks.iter_rows(named=True)):
            texts = tuple(
                FoldedItem(i, by_id[i]["sent_at"], by_id[i]["text"]) for i in row["item_ids"]
            )
            chunk = FoldedChunk(row["chunk_id"], row["ordinal"], row["closed_by"], texts)
            memory = Memory(
                memory_id=f"L1-{number}",
                level=1,
                text="I remember.",
                tokens=3,
                source_ids=tuple(row["item_ids"]),
                first_item_id=row["item_ids"][0],
                last_item_id=row["item_ids"][-1],
                started_at=NOW,
                ended_at=NOW,
                minted_at=NOW,
                model="scripted",
                prompt_version="1",
                chunk_id=row["chunk_id"],
            )
            pyramid.accept(memory, chunk)


def boundaries(root):
    return table(root, "chunks").select("chunk_id", "item_ids", "closed_by").rows()


def copy_corpus(source, target, keep):
    """Copy a corpus with only the lines that `keep` (index from 0, of how many) lets through."""
    shutil.copytree(source, target)
    for path in (target / "messages").iterdir():
        lines = path.read_bytes().splitlines(keepends=True)
        path.write_bytes(b"".join(ln for n, ln in enumerate(lines) if keep(n, len(lines))))
    return target


@pytest.mark.real
@needs_real
@pytest.mark.parametrize("is_folded", [False, True], ids=["nothing folded", "all folded"])
def test_the_last_week_appended_changes_no_closed_chunk(tmp_path, is_folded):
    """On a real DM: the newest tenth comes later; every chunk that stood stands as it was."""
    corpus = SHARED / "data/locomo/conv-26"
    early = copy_corpus(corpus, tmp_path / "early", lambda n, all_of: n < all_of * 0.9)
    extra = "[segment]\nhead_tokens = 0\ntail_tokens = 0\ntarget_chunk_tokens = 1000\n"
    settle(tmp_path / "a", early, "melanie", ["1300036125627949029"], extra)
    bring_up(tmp_path / "a")
    before = boundaries(tmp_path / "a")
    if is_folded:
        fold_all(tmp_path / "a")
    for path in (corpus / "messages").iterdir():
        shutil.copy(path, early / "messages" / path.name)
    bring_up(tmp_path / "a")
    after = boundaries(tmp_path / "a")
    assert after[: len(before)] == before
    assert len(after) > len(before)


def test_an_edit_and_a_deletion_in_a_folded_chunk_are_told_and_move_nothing(tmp_path):
    """Both stand in raw; the boundaries, positions and other texts are those of before."""
    community = write_community(tmp_path / "corpus")
    root = tmp_path / "a"
    settle(root, community.folder, community.agent, community.self_user_ids)
    bring_up(root)
    fold_all(root)
    before, chunks = table(root, "transcript"), boundaries(root)
    inside = set(chunks[3][1])
    target = before.filter(pl.col("item_id").is_in(inside) & (pl.col("kind") == "message"))
    edited, gone = target.row(0, named=True), target.row(5, named=True)
    raw = root / "raw"
    path = raw / "messages" / f"{edited['channel_id']}.jsonl"
    line = next(ln for ln in path.read_text().splitlines() if f'"{edited["item_id"]}"' in ln[:400])
    changed = json.loads(line) | {"content": "other words, and many more of them " * 20}
    changed["edited_timestamp"] = "2026-09-30T00:00:00+00:00"
    with path.open("a") as file:
        file.write(json.dumps(changed) + "\n")
    absence = {
        "channel_id": gone["channel_id"],
        "message_id": gone["item_id"],
        "absent_since": "2026-09-30T00:00:00+00:00",
        "low_id": "0",
        "high_id": gone["item_id"],
    }
    with (raw / "absences.jsonl").open("a") as file:
        file.write(json.dumps(absence) + "\n")
    said = "\n".join(bring_up(root, "curate", "segment"))
    after = table(root, "transcript")
    assert edited["item_id"] in said
    assert gone["item_id"] in said
    assert boundaries(root)[: len(chunks)] == chunks
    assert after.select("position", "item_id").equals(before.select("position", "item_id"))
    moved = before.join(after, on="item_id").filter(pl.col("text") != pl.col("text_right"))
    assert moved["item_id"].to_list() == [edited["item_id"]]


def test_a_knob_that_would_move_folded_items_stops_before_anything_is_written(tmp_path):
    """The first chunk concerned is named, and the transcript is the one of before."""
    community = write_community(tmp_path / "corpus")
    root = tmp_path / "a"
    settle(root, community.folder, community.agent, community.self_user_ids)
    bring_up(root)
    fold_all(root)
    before = (root / "tables/transcript.parquet").read_bytes()
    with pytest.raises(StageError, match=r"chunk c-\d+, on which memories stand"):
        bring_up(root, "curate", **{"curate.burst_seconds": 0.0})
    assert (root / "tables/transcript.parquet").read_bytes() == before


def test_a_knob_that_no_longer_moves_anything_says_so(tmp_path):
    """Chunks under memories stay; segment says how many, and what would cut them anew."""
    community = write_community(tmp_path / "corpus")
    root = tmp_path / "a"
    settle(root, community.folder, community.agent, community.self_user_ids)
    assert not any("memories stand on" in line for line in bring_up(root))
    fold_all(root)
    before = boundaries(root)
    said = bring_up(root, "segment", **{"segment.gap_minutes": 90})
    assert boundaries(root)[: len(before)] == before
    told = f"memories stand on {len(before)} of {len(boundaries(root))} chunks: those stay"
    assert any(told in line and "--refold" in line for line in said)
