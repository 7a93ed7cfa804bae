"""The invented community holds what it promises, the same for the same seed."""

import json
import re
import zlib
from collections import Counter
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from random import Random

import httpx
import pytest

from pipeline.testing import community as community_package
from pipeline.testing.community import write_community
from pipeline.testing.community.pictures import picture, voice
from pipeline.testing.community.plan import BREAK, local, rack
from pipeline.testing.community.script import scenes, speak
from pipeline.testing.double import Double
from pipeline.testing.double.times import made_at


@pytest.fixture(scope="module")
def otterby(tmp_path_factory):
    """The community of seed 7, written once."""
    return write_community(tmp_path_factory.mktemp("otterby"))


@pytest.fixture(scope="module")
def said(otterby):
    """Its messages by channel id."""
    paths = sorted((otterby.folder / "messages").glob("*.jsonl"))
    return {p.stem: [json.loads(line) for line in p.read_bytes().splitlines()] for p in paths}


@pytest.fixture(scope="module")
def everything(said):
    """All messages in the order of their ids."""
    return sorted((m for rows in said.values() for m in rows), key=lambda m: int(m["id"]))


def guild_of(otterby):
    return json.loads((otterby.folder / "guild.json").read_text())["guilds"][0]


def test_the_same_seed_writes_the_same_bytes(otterby, tmp_path):
    """Every file of two folders is equal; another seed tells other evenings."""
    again = write_community(tmp_path / "again")
    other = write_community(tmp_path / "other", seed=8)

    def bytes_of(folder):
        files = sorted(p for p in folder.rglob("*") if p.is_file())
        return {str(p.relative_to(folder)): p.read_bytes() for p in files}

    assert bytes_of(again.folder) == bytes_of(otterby.folder)
    assert bytes_of(other.folder) != bytes_of(otterby.folder)
    assert again.facts == otterby.facts


def test_size_span_and_summer_break(otterby, everything):
    """4,000 to 6,000 messages in nine weeks, and not a word in the two weeks of the break."""
    assert 4_000 <= otterby.messages == len(everything) <= 6_000
    moments = [made_at(int(m["id"])) for m in everything]
    assert local(0, "00:00") <= moments[0]
    assert moments[-1] < local(63, "00:00")
    assert max((b - a, a) for a, b in pairwise(moments))[1] < local(BREAK.start, "00:00")
    assert not [t for t in moments if local(28, "00:00") <= t < local(42, "00:00")]


def test_ids_are_unique_and_hold_the_time(everything):
    """Message ids are snowflakes of their timestamps, none twice."""
    assert len({m["id"] for m in everything}) == len(everything)
    for m in everything:
        stamp = datetime.fromisoformat(m["timestamp"]).astimezone(UTC).timestamp()
        assert abs(stamp - made_at(int(m["id"]))) < 1.5


def test_who_takes_part(otterby, everything):
    """Twenty people and more speak, three other bots, a persona of two names, both accounts."""
    authors = {m["author"]["id"]: m["author"] for m in everything if "webhook_id" not in m}
    people = [a for a in authors.values() if not a.get("bot")]
    bots = {a["username"] for i, a in authors.items() if a.get("bot")}
    assert len(people) >= 20
    assert {"Weathercock", "Ledgerline", "Bellringer"} <= bots
    assert set(otterby.self_user_ids) <= set(authors)
    hooks = {m["author"]["username"] for m in everything if "webhook_id" in m}
    assert {"Captain Brine", "Old Wick", "Tilly (festival desk)"} <= hooks
    nicks = [m["nick"] for m in guild_of(otterby)["members"] if m["nick"]]
    assert len(nicks) >= 5


def test_the_former_account_speaks_first_and_then_never(otterby, everything):
    """The agent moved once; her two lives do not overlap."""
    now, before = otterby.self_user_ids
    last_before = max(int(m["id"]) for m in everything if m["author"]["id"] == before)
    first_now = min(int(m["id"]) for m in everything if m["author"]["id"] == now)
    assert last_before < first_now


def test_every_kind_of_message_is_there(otterby, everything):
    """Systems, commands, starters, forwards, polls, voice, stickers, components, embeds alone."""
    kinds = Counter(m["type"] for m in everything)
    assert {0, 6, 7, 8, 18, 19, 20, 21, 46, 63} <= set(kinds)
    assert kinds[20] == 20
    assert kinds[19] > 200
    wordless = [m for m in everything if not m["content"]]
    flags = [m["flags"] for m in everything]
    assert [m for m in wordless if m["embeds"] and not m["attachments"]]
    assert [m for m in wordless if m["components"] and m["flags"] & 1 << 15]
    assert [m for m in everything if m.get("message_snapshots") and m["flags"] & 1 << 14]
    assert [f for f in flags if f & 1 << 13]
    assert [m for m in everything if "poll" in m]
    assert [m for m in everything if m.get("sticker_items")]
    assert [m for m in everything if m["edited_timestamp"]]
    assert [m for m in everything if m["mention_roles"]]
    assert [m for m in everything if m["mention_everyone"]]
    assert [m for m in everything if m["pinned"]]
    follow_up = [m for m in everything if m.get("webhook_id") in otterby.self_application_ids]
    assert {m["type"] for m in follow_up} == {0, 20}


def test_deletions_leave_holes_and_nulls(otterby, everything):
    """What was deleted is nowhere; some replies to it hold null."""
    ids = {m["id"] for m in everything}
    assert otterby.deleted_ids
    assert not ids & set(otterby.deleted_ids)
    assert [m for m in everything if m["type"] == 19 and m["referenced_message"] is None]
    for m in everything:
        target = m.get("referenced_message")
        assert target is None or target["id"] in ids


def test_reply_chains_run_deep(everything):
    """Somewhere three people answer one another in a row."""
    by_id = {m["id"]: m for m in everything}

    def depth(m):
        target = by_id.get((m.get("message_reference") or {}).get("message_id"))
        return 0 if m["type"] != 19 or target is None else 1 + depth(target)

    assert max(map(depth, everything)) >= 3


def test_three_languages_each_in_its_room(otterby, said):
    """German and Japanese rooms hold their language, and the agent answers in it."""
    own = set(otterby.self_user_ids)

    def share(room, pattern):
        rows = [m for m in said[otterby.rooms[room]] if m["author"]["id"] in own and m["content"]]
        assert len(rows) > 50
        return sum(bool(re.search(pattern, m["content"])) for m in rows) / len(rows)

    assert share("提灯の間", r"[ぁ-んァ-ン一-龥]") > 0.95
    german = r"(?i)\b(ich|und|der|die|das|ist|es|steht|mit|beim|nur|dann|ein|kommt|im|macht?)\b"
    assert share("werkstatt", german) > 0.8
    assert share("workbench", r"[ぁ-んァ-ン一-龥]") == 0


def test_talk_reads_as_talk(everything):
    """Many distinct sentences, and no slot or mark of the notation left in any."""
    words = Counter(m["content"] for m in everything if m["content"] and not m["author"].get("bot"))
    assert len(words) > 1_200
    assert max(words.values()) < 30
    assert not [t for t in words if re.search(r"[{}]| \| |@[A-DT]\b", t)]


def test_facts_are_where_they_are_said_to_be(otterby, said):
    """Each has evidence in its room, oldest first; changed ones have two; private ones are so."""
    kinds = Counter(f.kind for f in otterby.facts)
    assert set(kinds) == {"fact", "date", "number", "changed"}
    assert min(kinds.values()) >= 3
    private = {otterby.rooms["keyholders"], otterby.rooms["meeting for Bram"]}
    private |= set(otterby.dm_channel_ids)
    for fact in otterby.facts:
        told = {m["id"]: m for rows in said.values() for m in rows}
        assert all(told[i]["content"] for i in fact.message_ids)
        assert list(fact.message_ids) == sorted(fact.message_ids, key=int)
        assert len(fact.message_ids) == (2 if fact.kind == "changed" else 1)
        assert (told[fact.message_ids[-1]]["channel_id"] in private) == fact.is_private
    assert [q["question"] for q in otterby.questions()] == [f.question for f in otterby.facts]


@pytest.mark.parametrize(
    ("key", "words"),
    [("goal", "312"), ("gauge", "1.85"), ("ribs", "sixteen"), ("band", "Tin Herons"),
     ("song", "Low Water"), ("lights", "2700"), ("kakishibu", "柿渋"), ("cash", "1384")],
)  # fmt: skip
def test_the_newest_evidence_holds_the_answer(otterby, everything, key, words):
    """What the answer says stands in the words that were planted."""
    (fact,) = (f for f in otterby.facts if f.key == key)
    told = {m["id"]: m["content"] for m in everything}
    assert words in told[fact.message_ids[-1]]
    assert words in fact.answer or key == "ribs"


def test_credentials_are_planted_once_each_and_in_no_source(otterby, said):
    """Twelve kinds, each value in one message's own words, made new for each seed."""
    assert len({s.kind for s in otterby.slips}) == len(otterby.slips) == 12
    here = community_package.__path__[0]
    sources = "".join(p.read_text(encoding="utf-8") for p in Path(here).glob("*.py"))
    for slip in otterby.slips:
        rows = [m for m in said[slip.channel_id] if slip.value in m["content"]]
        assert [m["id"] for m in rows] == [slip.message_id]
        assert slip.value not in sources
    harmless = set(otterby.harmless.values())
    assert len(harmless) == 4
    assert not harmless & {s.value for s in otterby.slips}


def test_the_agent_never_repeats_a_credential(otterby, everything):
    """What she says about it holds none of it."""
    own = [m["content"] for m in everything if m["author"]["id"] in otterby.self_user_ids]
    assert not [t for t in own for s in otterby.slips if s.value in t]


def test_attachments_are_real(otterby, everything):
    """Every file that is kept has the size that is told; one film is told of and not kept."""
    attached = {a["id"]: a for m in everything for a in m["attachments"]}
    kept = {p.name: p.stat().st_size for p in (otterby.folder / "files").iterdir()}
    assert len(kept) >= 20
    assert all(attached[i]["size"] == size for i, size in kept.items() if i in attached)
    missing = [a for i, a in attached.items() if i not in kept]
    assert [a["content_type"] for a in missing] == ["video/mp4"]
    assert {a["content_type"] for a in attached.values()} >= {"image/png", "audio/ogg"}


def test_a_picture_is_a_png_and_a_voice_an_ogg():
    """Signature, size, checksums: what any reader of these formats looks at first."""
    png = picture(3)
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    assert int.from_bytes(png[16:20]) == int.from_bytes(png[20:24]) == 48
    start = png.index(b"IDAT")
    size = int.from_bytes(png[start - 4 : start])
    assert len(zlib.decompress(png[start + 4 : start + 4 + size])) == 48 * (1 + 48 * 3)
    assert int.from_bytes(png[start + 4 + size : start + 8 + size]) == zlib.crc32(
        png[start : start + 4 + size]
    )
    assert picture(3) != picture(4)
    assert voice(10).count(b"OggS") == 3


def test_scenes_of_one_evening_keep_their_words():
    """A slot keeps its word within a scene, and a digit draws another of its kind."""
    (scene,) = scenes("# x\nA: the {tool}, {A}\nB: not the {tool2}?\n?A: the {tool}\n")
    first, second, *rest = speak(scene, {"A": "Ann", "B": "Bo"}, Random(1))
    word = first.text.removeprefix("the ").removesuffix(", Ann")
    assert word not in second.text
    assert all(word in line.text for line in rest)
    with pytest.raises(ValueError, match="is no line"):
        scenes("# x\nZ: hello\n")


def test_the_rack_only_grows():
    """From 58 lanterns to 312 on Lantern Night."""
    counts = [rack(day) for day in range(63)]
    assert counts == sorted(counts)
    assert (counts[0], counts[61], counts[62]) == (58, 312, 312)


def test_the_double_bars_what_the_bot_may_not_read(otterby):
    """One room hidden, one without read-back, one without CONNECT, a thread without the bot."""
    want = {
        "workbench": 200, "keyholders": 200, "lantern-hall": 200, "committee": 403,
        "quiet-room": 403, "old-archive": 200, "patterns": 403, "keys in August": 403,
        "meeting for Bram": 200, "dm:hanneke": 200, "Heron, large": 200,
    }  # fmt: skip
    with Double(otterby.folder) as double:
        head = {"Authorization": f"Bot {double.token}"}
        with httpx.Client(base_url=double.url, headers=head, trust_env=False) as http:
            got = {name: http.get(f"/channels/{otterby.rooms[name]}/messages") for name in want}
            private = http.get(
                f"/channels/{otterby.rooms['workbench']}/users/@me/threads/archived/private"
            )
    assert {name: answer.status_code for name, answer in got.items()} == want
    assert got["old-archive"].json() == []
    assert got["workbench"].json()
    assert [t["name"] for t in private.json()["threads"]] == ["meeting for Bram"]


def test_threads_and_posts_begin_as_they_should(otterby, said):
    """A thread from a message shares its id and starts with kind 21; a post's first is its own."""
    guild = guild_of(otterby)
    by_name = {t["name"]: t for t in guild["threads"]}
    assert len(by_name) >= 10
    roster = by_name["boat roster"]
    starter = said[roster["id"]][0]
    assert (starter["type"], starter["referenced_message"]["id"]) == (21, roster["id"])
    assert said[by_name["Heron, large"]["id"]][0]["id"] == by_name["Heron, large"]["id"]
    assert {t["type"] for t in by_name.values()} == {10, 11, 12}
    assert {t["thread_metadata"]["archived"] for t in by_name.values()} == {True, False}


def test_something_is_left_open_at_the_end(otterby, everything):
    """Mentions that nobody answered stand among the last words."""
    now = otterby.self_user_ids[0]
    last_own = max(int(m["id"]) for m in everything
                   if m["author"]["id"] == now
                   and m["channel_id"] == otterby.rooms["riverside"])  # fmt: skip
    asked = [m for m in everything
             if any(u["id"] == now for u in m["mentions"]) and int(m["id"]) > last_own
             and m["channel_id"] == otterby.rooms["riverside"]]  # fmt: skip
    assert asked
