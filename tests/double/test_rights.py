"""Who may read what follows from roles, overwrites and membership, as on Discord."""

import pytest

from pipeline.testing.double import Double
from pipeline.testing.double.rights import EVERYTHING, channel_rights, guild_rights
from tests.double.small import (
    CONNECT,
    HISTORY,
    ME,
    READ,
    VIEW,
    get,
    ids,
    lines,
    room,
    write,
)


def one_room(tmp_path, channel, **more):
    rows = lines(channel["id"], 5, 6)
    return Double(write(tmp_path / "c", channels=[channel], messages={channel["id"]: rows}, **more))


def test_without_history_the_list_is_empty_and_the_status_good(tmp_path):
    """B045: 200 and [], so only computed rights tell an empty room from a barred one."""
    with one_room(tmp_path, room("700", deny=HISTORY)) as double:
        answer = get(double, "/channels/700/messages")
        assert (answer.status_code, answer.json()) == (200, [])
        assert get(double, "/channels/700").status_code == 200
        assert get(double, "/channels/700/messages/5").json()["code"] == 10008


def test_without_view_it_is_missing_access(tmp_path):
    """403 50001 for the channel and its messages; the guild's list still names it."""
    with one_room(tmp_path, room("700", deny=VIEW)) as double:
        for path in ("/channels/700", "/channels/700/messages"):
            answer = get(double, path)
            assert (answer.status_code, answer.json()["code"]) == (403, 50001)
        assert ids(get(double, "/guilds/100/channels")) == [700]


@pytest.mark.parametrize("kind", [2, 13])
def test_voice_text_needs_connect(tmp_path, kind):
    """B046: a voice or stage room that can be viewed, without CONNECT, is 403 50001."""
    with one_room(tmp_path, room("700", kind)) as double:
        assert get(double, "/channels/700").status_code == 200
        assert get(double, "/channels/700/messages").json()["code"] == 50001
    with one_room(tmp_path / "open", room("700", kind, allow=CONNECT)) as double:
        assert ids(get(double, "/channels/700/messages")) == [6, 5]


@pytest.mark.parametrize("kind", [4, 15, 16])
def test_a_forum_or_category_has_no_messages(tmp_path, kind):
    """B047: the posts are threads; the parent refuses to list."""
    with one_room(tmp_path, room("700", kind)) as double:
        assert get(double, "/channels/700/messages").json()["code"] == 50024


def test_overwrites_count_in_discords_order():
    """@everyone's, then all roles together with grants over denials, then the member's own."""
    guild = {
        "id": "100",
        "owner_id": "99",
        "roles": [{"id": "100", "permissions": str(READ)}, {"id": "40", "permissions": "0"}],
    }

    def rights(*overwrites):
        rows = [{"id": i, "deny": str(d), "allow": str(a)} for i, d, a in overwrites]
        channel = {"id": "700", "type": 0, "permission_overwrites": rows}
        return channel_rights(guild, channel, "1", ["40", "41"])

    assert rights() == READ
    assert rights(("100", VIEW, 0)) == 0
    assert rights(("100", VIEW, 0), ("40", 0, VIEW)) == READ
    assert rights(("40", VIEW, 0), ("41", 0, VIEW)) == READ
    assert rights(("40", 0, VIEW), ("1", VIEW, 0)) == 0
    assert rights(("77", VIEW, 0)) == READ


def test_owner_and_administrator_hold_everything():
    """No overwrite takes from them."""
    guild = {"id": "100", "owner_id": "1", "roles": [{"id": "40", "permissions": "8"}]}
    assert guild_rights(guild, "1", []) == EVERYTHING
    assert guild_rights(guild, "2", ["40"]) == EVERYTHING
    assert guild_rights(guild, "2", []) == 0


def test_the_bots_own_roles_count(tmp_path):
    """A role given to the bot opens what @everyone cannot see."""
    channel = room("700", deny=VIEW)
    channel["permission_overwrites"].append({"id": "40", "deny": "0", "allow": str(VIEW)})
    me = {"user": ME, "nick": None, "roles": ["40"]}
    with one_room(tmp_path, channel, members=[me]) as double:
        assert ids(get(double, "/channels/700/messages")) == [6, 5]
