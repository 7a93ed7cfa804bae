"""The surroundings are built from whatever producers write: numbers, nulls, half letters."""

import msgspec
import pytest

from pipeline.chat.wire import build_world
from pipeline.chat.wire.transcripts import line_of, missed_block
from pipeline.chat.wire.world import shown_name, username_of
from pipeline.errors import SourceError
from tests.chat.yard import (
    BOT,
    DM,
    HALL,
    LOFT,
    MILL,
    MILLERS,
    ORPHAN,
    OTTO,
    PIP,
    THREAD,
    USERS,
    WREN,
    message,
    yard,
)


def test_numbers_build_the_world_that_text_builds():
    """Guilds, rooms, parents, roles, members, DM partners, selves."""

    def build(kind):
        return build_world(
            guilds=[{"id": kind(MILL), "name": "Mill"}],
            channels=[
                (kind(MILL), {"id": kind(LOFT), "type": 0, "name": "loft"}),
                (None, {"id": kind(HALL), "type": 4, "name": "Loft", "guild_id": kind(MILL)}),
                (kind(MILL), {"id": kind(THREAD), "type": 11, "parent_id": kind(LOFT)}),
                (None, {"id": kind(DM), "type": 1, "recipients": [{"id": kind(WREN)}]}),
            ],
            roles=[(kind(MILL), {"id": kind(MILLERS), "tags": {"bot_id": kind(BOT)}})],
            members=[(kind(MILL), {"user": {"id": kind(OTTO), "username": "o"}, "nick": "O"})],
            users=[{"id": kind(PIP), "username": "p"}],
            self_ids=[kind(BOT)],
        )

    world = build(int)
    assert msgspec.to_builtins(world) == msgspec.to_builtins(build(str))
    assert world.rooms[THREAD].parent_name == "loft"
    assert world.own_role_ids == {MILLERS}
    assert world.shared_room_names == frozenset()
    assert world.room_of({"channel_id": int(LOFT)}) is world.rooms[LOFT]
    assert world.room_of({"channel_id": 5, "guild_id": int(MILL)}).guild_name == "Mill"


def test_half_letters_become_writable_in_every_name():
    """Guild, room, parent, role, nickname, global name."""
    odd = "x\ud83d"
    world = build_world(
        guilds=[{"id": MILL, "name": odd}],
        channels=[
            (MILL, {"id": LOFT, "type": 0, "name": odd}),
            (MILL, {"id": THREAD, "type": 11, "name": "t", "parent_id": LOFT}),
        ],
        roles=[(MILL, {"id": MILLERS, "name": odd})],
        members=[
            (MILL, {"user": {"id": OTTO, "username": "o"}, "nick": odd}),
            (MILL, {"user": {"id": PIP, "username": "p", "global_name": odd}}),
        ],
    )
    msgspec.json.encode(world)
    assert world.member_names[MILL] == {OTTO: "x\ufffd", PIP: "x\ufffd"}
    assert world.rooms[THREAD].parent_location == '[#x\ufffd thread "t" in x\ufffd] '


def test_nulls_and_gaps_stop_nothing():
    """A role, a parent, a guild without names; DMs and members that name nobody."""
    world = build_world(
        guilds=[{"id": MILL, "name": None}],
        channels=[
            (MILL, {"id": LOFT, "type": 0, "name": None}),
            (MILL, {"id": THREAD, "type": 11, "name": "t", "parent_id": LOFT}),
            (MILL, {"id": ORPHAN, "type": 11, "name": "o", "parent_id": None}),
            (None, {"id": DM, "type": 1, "recipients": None}),
            (None, {"id": "5", "type": 1, "recipients": [{"username": "nobody"}]}),
            (None, {"id": "6", "type": 0, "name": "loose"}),
        ],
        roles=[(MILL, {"id": MILLERS, "name": ""})],
        members=[(MILL, {"user": None, "nick": "x"}), (MILL, {"nick": "y"})],
    )
    assert world.role_names[MILL] == {MILLERS: MILLERS}
    assert world.rooms[THREAD].parent_location == '[thread "t"] '
    assert world.rooms[ORPHAN].parent_location == '[thread "o"] '
    assert (world.rooms[DM].label, world.rooms[DM].partner_id) == (None, None)
    assert (world.rooms["5"].label, world.rooms["5"].partner_id) == ("DM: nobody", None)
    assert world.rooms["6"].wire_id == "discord:6"
    assert world.member_names == {}


def test_a_float_in_a_side_table_is_refused():
    """It would name somebody else."""
    with pytest.raises(SourceError, match="is a float"):
        build_world(users=[{"id": 2.3e17, "username": "x"}])


def test_names_fall_back_in_order():
    """Global name, username, id, unknown."""
    user = {"id": 9, "username": "u", "global_name": "G"}
    assert (shown_name(user), username_of(user)) == ("G", "u")
    assert shown_name({**user, "global_name": ""}) == "u"
    assert shown_name({"id": 9, "username": None}) == "9"
    assert shown_name({}) == "unknown"


def test_the_newest_object_wins():
    """Side tables are appended to."""
    users = [{"id": WREN, "username": "old"}, {"id": WREN, "username": "new"}]
    assert yard(users=users, members=[]).usernames[WREN] == "new"
    renamed = [(MILL, {"user": USERS[WREN], "nick": nick}) for nick in ("A", "B")]
    assert yard(members=renamed).member_names[MILL][WREN] == "B"


def test_lines_of_several_take_numbers_and_nulls():
    """Ids, files without names, reactions without counts, a room without a name."""
    raw = {
        **message("a", id=7),
        "attachments": [{"id": 31, "filename": None}, {"id": "32", "filename": "a\ud83d"}],
        "reactions": [{"emoji": None, "count": None}],
    }
    got = line_of(raw, yard())
    assert (got.message_id, got.file_names) == ("7", ("31", "a\ufffd"))
    assert got.reactions == (("unknown", 0, False),)
    bare = line_of({**raw, "attachments": None, "reactions": None}, yard())
    assert (bare.file_names, bare.reactions) == ((), ())
    block = missed_block([bare], yard().rooms[ORPHAN], None)
    assert block.startswith(f'<missed channel="#{ORPHAN}" channelId="{ORPHAN}"')
