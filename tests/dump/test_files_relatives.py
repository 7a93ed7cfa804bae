"""Every version of the format, and what other tools call by its name."""

import json

import pytest

from pipeline.testing import dce
from tests.dump.files_small import ROOM_ID, contents, file_row, last, take

VERSIONS = [(2, 18), (2, 20), (2, 25), (2, 26), (2, 33), (2, 38), (2, 40, 1), (2, 44), (2, 48)]
QUESTION = dce.row(1, "Où est 🔦?", dce.QUILL)
ANSWER = dce.reply(2, QUESTION, "Là-bas, @quill.ink", dce.TILLY)
PARTY = dce.row(
    3,
    "party",
    dce.MARROW,
    mentions=[dict(dce.QUILL)],
    stickers=[{"id": "1180000000000000001", "name": "w", "format": "Apng", "sourceUrl": "u"}],
    reactions=[
        {"emoji": {"id": "1170000000000000001", "name": "lamp", "isAnimated": True}, "count": 2}
    ],
)
ROWS = [QUESTION, ANSWER, PARTY]


@pytest.mark.parametrize("version", VERSIONS, ids=str)
def test_every_version_gives_texts_times_and_people(tmp_path, version):
    """What a version does not write is absent, the rest is the same."""
    found = dce.as_of(version, dce.document(ROWS))
    dce.write_export(tmp_path / "in", found, version=version)
    raw, done = take(tmp_path, tmp_path / "in")
    rows = last(raw)
    assert [row["content"] for row in rows] == [row["content"] for row in ROWS]
    assert [row["author"]["username"] for row in rows] == ["quill.ink", "tilly_bot", "marrow_fox"]
    assert rows[0]["timestamp"] == "2026-03-01T18:01:00.000000+00:00"
    assert ("referenced_message" in rows[1]) == (version >= (2, 26))
    assert done.left == ()


def test_numbers_for_discriminators_are_taken(tmp_path):
    """In short mentions until 2.26."""
    found = dce.as_of((2, 25), dce.document(ROWS))
    assert found["messages"][2]["mentions"][0]["discriminator"] == 0
    dce.write_export(tmp_path / "in", found, version=(2, 25))
    raw, _ = take(tmp_path, tmp_path / "in")
    assert last(raw)[2]["mentions"][0]["username"] == "quill.ink"


@pytest.mark.parametrize("bom", [False, True])
def test_the_normalised_form_gives_the_same_objects(tmp_path, bom):
    """Lookup tables behind the messages, ids in their place."""
    plain = dce.document(ROWS)
    dce.write_export(tmp_path / "a" / "in", plain)
    dce.write_export(tmp_path / "b" / "in", dce.normalised(plain), bom=bom)
    one, _ = take(tmp_path / "a", tmp_path / "a" / "in")
    two, _ = take(tmp_path / "b", tmp_path / "b" / "in")

    def bare(raw):
        return [{k: v for k, v in row.items() if k != "dce"} for row in last(raw)]

    assert bare(one) == bare(two)
    for table in ("users", "members", "roles"):
        shown = [{k: e.object for k, e in raw.envelopes(table).items()} for raw in (one, two)]
        assert shown[0] == shown[1]


def test_users_and_members_kept_apart_give_honest_nicknames(tmp_path):
    """The fork's option that breaks with the format, and says so."""
    member = {"userId": "1", "nickname": "The Fox", "displayName": "The Fox", "roles": [],
              "joinedAt": "2025-01-01T00:00:00+00:00"}  # fmt: skip
    author = {"id": "1", "name": "marrow_fox", "discriminator": "0000", "displayName": "Marrow",
              "isBot": False, "avatarUrl": "", "member": member}  # fmt: skip
    dce.write_export(tmp_path / "in", dce.document([dce.row(1, "hi", author)]))
    raw, _ = take(tmp_path, tmp_path / "in")
    found = raw.envelopes("members")[(dce.GUILD["id"], "1")].object
    assert (found["nick"], found["user"]["global_name"]) == ("The Fox", "Marrow")
    assert found["joined_at"].startswith("2025-01-01")


def test_a_list_of_members_is_no_export_of_a_room(tmp_path):
    """The fork writes such documents too; they name no channel."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "users.json").write_text(json.dumps({"guild": dce.GUILD, "members": []}))
    raw, done = take(tmp_path, tmp_path / "in")
    assert dict(done.files) == {"skipped": 1}
    assert "names no channel" in file_row(raw, "users.json")["reason"]


def test_minimal_writers_are_taken(tmp_path):
    """No count, no times of export, ids like `u1`: required is little (B069)."""
    found = {
        "messages": [
            {"id": "m1", "timestamp": "2026-01-02T03:04:05Z", "author": {"id": "u1"},
             "content": "a"},
            {"id": "m2", "timestamp": "2026-01-02T03:04:05Z", "author": {"id": "u2", "name": "bo"},
             "content": "b", "type": "ThreadStarterMessage", "reference": {"messageId": "m1"}},
            {"id": "m3", "timestamp": "2026-01-02T03:04:06Z", "author": {"id": "u1"},
             "content": "c", "type": 19, "reference": {"messageId": "m2"}},
        ],
        "channel": {"id": "c1", "type": 0},
    }  # fmt: skip
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "log.json").write_text(json.dumps(found))
    raw, _ = take(tmp_path, tmp_path / "in")
    (room_id,) = raw.channel_ids()
    rows = last(raw, room_id)
    assert [row["content"] for row in rows] == ["a", "b", "c"]  # made ids keep the order
    assert all(row["id"].isdigit() and row["author"]["id"].isdigit() for row in rows)
    assert [row["type"] for row in rows] == [0, 21, 19]
    assert rows[2]["message_reference"]["message_id"] == rows[1]["id"]
    assert rows[2]["referenced_message"]["author"]["username"] == "bo"
    assert rows[0]["author"]["id"] == rows[2]["author"]["id"]
    assert rows[0]["dce"]["row"]["id"] == "m1"


def test_numbers_for_ids_and_types_are_taken(tmp_path):
    """Other writers of the format use integers and explicit nulls (B024, B069)."""
    row = {**dce.row(1, "hi"), "id": int(dce.row(1)["id"]), "type": 0, "interaction": None,
           "reference": None, "poll": None}  # fmt: skip
    room = {**dce.ROOM, "id": int(ROOM_ID), "type": 0}
    dce.write_export(tmp_path / "in", dce.document([row], channel=room))
    raw, done = take(tmp_path, tmp_path / "in")
    assert last(raw)[0]["id"] == dce.row(1)["id"]
    assert done.left == ()


def test_times_of_another_zone_and_clock_change_agree(tmp_path):
    """Three spellings of times around a change of clocks, in order (B064)."""
    times = [
        "2026-03-29T02:30:00.5+01:00",
        "2026-03-29T03:30:00+02:00",
        "2026-03-28T21:30:01.1234567-04:00",
    ]
    rows = [{**dce.row(n, str(n)), "timestamp": at} for n, at in enumerate(times)]
    dce.write_export(tmp_path / "in", dce.document(rows))
    raw, _ = take(tmp_path, tmp_path / "in")
    assert [row["timestamp"] for row in last(raw)] == [
        "2026-03-29T01:30:00.500000+00:00",
        "2026-03-29T01:30:00.000000+00:00",
        "2026-03-29T01:30:01.123456+00:00",
    ]


def test_unknown_keys_are_kept_aside(tmp_path):
    """Whatever a relative writes stays under `dce`."""
    dce.write_export(tmp_path / "in", dce.document([dce.row(1, "hi", mood="fine")]))
    raw, _ = take(tmp_path, tmp_path / "in")
    assert last(raw)[0]["dce"]["row"]["mood"] == "fine"


@pytest.mark.parametrize("junk", [0, "x", [], {}, [None], [1], [[]], {"a": None}, True])
@pytest.mark.parametrize(
    "key",
    ["attachments", "embeds", "stickers", "reactions", "mentions", "reference", "interaction",
     "forwardedMessage", "components", "flags", "content", "timestampEdited", "poll", "author"],
)  # fmt: skip
def test_a_key_of_the_wrong_kind_costs_at_most_its_row(tmp_path, key, junk):
    """Never the file."""
    dce.write_export(
        tmp_path / "in", dce.document([{**dce.row(1, "a"), key: junk}, dce.row(2, "b")])
    )
    raw, _ = take(tmp_path, tmp_path / "in")
    assert contents(raw)[-1] == "b"


@pytest.mark.parametrize("junk", [0, "x", [], {}, None, [None], {"id": None}, {"id": []}])
@pytest.mark.parametrize("key", ["guild", "channel", "dateRange", "exportedAt", "messageCount",
                                 "mod", "users", "roles", "emojis", "messages"])  # fmt: skip
def test_a_root_of_the_wrong_kind_never_ends_the_import(tmp_path, key, junk):
    """The file comes in or is skipped with its reason."""
    found = {**dce.document([dce.row(1, "a")]), key: junk}
    dce.write_export(tmp_path / "in", found, name="a.json")
    dce.write_export(tmp_path / "in", dce.document([dce.row(2, "b")]), name="b.json")
    raw, _ = take(tmp_path, tmp_path / "in")
    assert "b" in contents(raw)
    row = file_row(raw, "a.json")
    assert row["status"] in {"read", "salvaged"} or row["reason"]


def test_no_change_of_any_value_ends_the_import(tmp_path):
    """Every value of an export in turn replaced by each kind of junk: the room comes in."""
    doc = dce.document([PARTY])
    for n, found in enumerate([*mutated(doc), *mutated(dce.normalised(doc))]):
        dce.write_export(tmp_path / "in", found, name=f"{n}.json")
    said = []
    raw, done = take(tmp_path, tmp_path / "in", said=said)
    assert "party" in contents(raw)
    assert sum(done.files.values()) == n + 1


def mutated(found):
    """Give the document once for each value in it and each kind of junk in that value's place."""
    text = json.dumps(found)

    def places(part, path):
        items = part.items() if isinstance(part, dict) else enumerate(part)
        for key, value in items:
            yield (*path, key)
            if isinstance(value, dict | list):
                yield from places(value, (*path, key))

    for *above, key in places(found, ()):
        for junk in (7, [[]], {"id": []}):
            copy = json.loads(text)
            part = copy
            for step in above:
                part = part[step]
            part[key] = junk
            yield copy
