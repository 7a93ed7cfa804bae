"""People, rooms and roles out of exports: which names are honest, which word stands."""

import pytest

from pipeline.testing import dce
from stages.dump.files.people import is_webhook, names
from tests.dump.files_small import ROOM_ID, take

GUILD_ID = dce.GUILD["id"]
EARLY, LATE = "2023-04-01T00:00:00+00:00", "2026-05-01T00:00:00+00:00"


def member(raw, user_id, table="members"):
    """Give what a side table says last of somebody."""
    return raw.envelopes(table)[(GUILD_ID if table == "members" else None, user_id)].object


@pytest.mark.parametrize(
    ("person", "in_guild", "found"),
    [
        ({"name": "kim", "nickname": "kim"}, True, (None, None)),  # it fell back to the username
        ({"name": "kim", "nickname": None}, True, (None, None)),
        ({"name": "kim", "nickname": "Kim", "discriminator": "0420"}, True, (None, "Kim")),
        ({"name": "kim", "nickname": "Kim", "discriminator": 420}, True, (None, "Kim")),
        ({"name": "kim", "nickname": "Kim", "discriminator": "0000"}, False, ("Kim", None)),
        ({"name": "kim", "nickname": "Kim", "discriminator": "0000"}, True, ("Kim", None)),
        ({"name": "kim", "nickname": "K", "color": "#112233"}, True, (None, "K")),
        ({"name": "kim", "nickname": "K", "displayName": "K"}, True, ("K", None)),
        ({"name": "kim", "nickname": "Kimmy", "displayName": "K"}, True, ("K", "Kimmy")),
    ],
)
def test_a_nickname_is_one_only_if_nothing_else_explains_it(person, in_guild, found):
    """Global name and nickname of one exported `nickname` (B022)."""
    assert names(person, in_guild=in_guild) == found


def test_a_global_name_known_from_elsewhere_is_no_nickname(tmp_path):
    """A DM shows the global name for sure."""
    kim = dce.person(1, "kim", "Kim")
    dm = {"id": "1500000000000000001", "type": "DirectTextChat", "name": "Kim", "topic": None}
    alone = {"id": "0", "name": "Direct Messages", "iconUrl": ""}
    dce.write_export(
        tmp_path / "in", dce.document([dce.row(1, "hi", kim)], channel=dm, guild=alone)
    )
    take(tmp_path, tmp_path / "in")
    dce.write_export(tmp_path / "in", dce.document([dce.row(2, "hi", kim)]))
    raw, _ = take(tmp_path, tmp_path / "in")
    assert member(raw, kim["id"])["nick"] is None


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_names_have_a_history_and_the_newest_wins(tmp_path, order):
    """Whichever export comes first; the older state stays above the newer (B022)."""
    old = dce.person(11, "kim", "Kim", discriminator="0420")
    new = dce.person(11, "kim.k", "K", color=None, roles=[])
    exports = [
        dce.document([dce.row(1, "a", old)], exported_at=EARLY),
        dce.document([dce.row(2, "b", new)], exported_at=LATE),
    ]
    for step in order:
        dce.write_export(tmp_path / "in", exports[step], name=f"{step}.json")
        raw, _ = take(tmp_path, tmp_path / "in")
    assert member(raw, old["id"], "users")["username"] == "kim.k"
    body = (raw.root / "users.jsonl").read_text()
    assert body.index('"username":"kim"') < body.rindex('"username":"kim.k"')
    assert EARLY[:10] in body


def test_an_older_state_said_twice_is_written_once(tmp_path):
    """A late export that says what a newer one says adds nothing."""
    for name, at in (("b.json", LATE), ("a.json", EARLY)):
        dce.write_export(tmp_path / "in", dce.document([dce.row(1)], exported_at=at), name=name)
        raw, _ = take(tmp_path, tmp_path / "in")
    assert len((raw.root / "users.jsonl").read_text().splitlines()) == 1


def test_an_older_state_in_many_late_files_is_written_once(tmp_path):
    """Rooms are read in order of id, not of time."""
    for n in range(5):
        at = EARLY if n else LATE
        who = dce.person(11, "kim" if n else "kim.k")
        room = {**dce.ROOM, "id": f"120000000000000000{n}"}
        dce.write_export(
            tmp_path / "in", dce.document([dce.row(n, "a", who)], channel=room, exported_at=at)
        )
    raw, _ = take(tmp_path, tmp_path / "in")
    assert member(raw, who["id"], "users")["username"] == "kim.k"
    assert len((raw.root / "users.jsonl").read_text().splitlines()) == 3


def test_webhooks_are_in_no_table_of_people(tmp_path):
    """One id, many names."""
    rows = [
        dce.row(n, "hi", dce.person(9, name, isBot=True, roles=[], color=None))
        for n, name in enumerate(("Pike", "Heron"))
    ]
    dce.write_export(tmp_path / "in", dce.document(rows))
    raw, _ = take(tmp_path, tmp_path / "in")
    assert raw.envelopes("users") == raw.envelopes("members") == {}
    assert is_webhook(rows[0]["author"])


def test_roles_come_without_rights_and_without_everyone(tmp_path):
    """A role of the guild's own id, without rights, would say that nobody may look."""
    everyone = {"id": GUILD_ID, "name": "@everyone", "color": None, "position": 0}
    who = dce.person(1, "a")
    who["roles"].append(everyone)
    dce.write_export(tmp_path / "in", dce.document([dce.row(1, "hi", who)]))
    raw, _ = take(tmp_path, tmp_path / "in")
    (role,) = raw.envelopes("roles").values()
    assert (role.object["name"], role.object["color"]) == ("Neighbour", 0x3498DB)
    assert "permissions" not in role.object


def test_a_rooms_category_is_a_category_and_a_threads_is_its_parent(tmp_path):
    """The same two keys mean two things (2a)."""
    thread = {**dce.ROOM, "id": "1200000000000000008", "type": "GuildPublicThread",
              "categoryId": ROOM_ID, "category": "general", "name": "lamps"}  # fmt: skip
    dce.write_export(tmp_path / "in", dce.document([dce.row(1)], channel=thread))
    raw, _ = take(tmp_path, tmp_path / "in")
    parent = raw.envelopes("channels")[(GUILD_ID, ROOM_ID)].object
    assert (parent["type"], parent["name"], parent["dce"]) == (0, "general", {"guess": True})
    dce.write_export(tmp_path / "in", dce.document([dce.row(2)], exported_at=EARLY))
    raw, _ = take(tmp_path, tmp_path / "in")
    tables = raw.envelopes("channels")
    assert tables[(GUILD_ID, ROOM_ID)].object["parent_id"] == dce.ROOM["categoryId"]
    assert tables[(GUILD_ID, dce.ROOM["categoryId"])].object["type"] == 4
    assert tables[(GUILD_ID, thread["id"])].object["parent_id"] == ROOM_ID


def test_a_dm_has_the_person_it_is_called_by(tmp_path):
    """An export lists no recipients; the room's name is theirs."""
    dm = {"id": "1500000000000000001", "type": "DirectTextChat", "name": "Marrow the Fox"}
    alone = {"id": "0", "name": "Direct Messages", "iconUrl": ""}
    rows = [dce.row(1, "hi", dce.MARROW), dce.row(2, "hello", dce.QUILL)]
    dce.write_export(tmp_path / "in", dce.document(rows, channel=dm, guild=alone))
    raw, _ = take(tmp_path, tmp_path / "in")
    room = raw.envelopes("channels")[(None, dm["id"])].object
    assert [who["username"] for who in room["recipients"]] == ["marrow_fox"]
    assert raw.envelopes("guilds") == {}


def test_discords_own_tables_stand_above_exports(tmp_path):
    """What the API said of a member is not replaced by what an export shows."""
    from tests.dump.files_small import NOW

    raw, _ = take(tmp_path)
    own = {"user": {"id": dce.MARROW["id"], "username": "marrow_fox"}, "nick": "Foxy", "roles": []}
    raw.append("members", [own], guild_id=GUILD_ID, now=NOW)
    dce.write_export(tmp_path / "in", dce.document([dce.row(1)]))
    raw, _ = take(tmp_path, tmp_path / "in")
    assert member(raw, dce.MARROW["id"])["nick"] == "Foxy"
