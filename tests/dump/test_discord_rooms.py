"""Which rooms there are, which may be read, and what lacks where one may not."""

import pytest

from pipeline.config import ScopeFacts
from stages.dump.discord.rights import (
    CONNECT,
    EVERYTHING,
    READ_MESSAGE_HISTORY,
    VIEW_CHANNEL,
    rights_in_channel,
    what_lacks,
)
from stages.dump.discord.rooms import Scope
from tests.dump.discord_desk import (
    GUILD,
    HISTORY,
    MANAGE_THREADS,
    VIEW,
    Double,
    asked,
    channel,
    corpus,
    go,
    ids,
    manifest,
    message,
    row,
    snowflake,
    thread,
    user,
)

FORUM, VOICE, CATEGORY, NEWS = 15, 2, 4, 5


def role(role_id, permissions):
    return {"id": str(role_id), "name": f"r{role_id}", "permissions": str(permissions)}


def rights(overwrites, roles=(), mine=(), owner="1"):
    guild = {"id": GUILD, "owner_id": owner,
             "roles": [role(GUILD, VIEW | HISTORY), *roles]}  # fmt: skip
    return rights_in_channel(guild, channel(700, permission_overwrites=overwrites), "300", mine)


def overwrite(owner, *, allow=0, deny=0, kind=0):
    return {"id": str(owner), "type": kind, "allow": str(allow), "deny": str(deny)}


def test_overwrites_apply_in_discords_order():
    """@everyone's denial is lifted by a role; a role's denial loses to another's grant; the
    member's own is last."""
    assert what_lacks(rights([overwrite(GUILD, deny=VIEW)]), 0) == "VIEW_CHANNEL"
    lifted = [overwrite(GUILD, deny=VIEW), overwrite(5, allow=VIEW)]
    assert what_lacks(rights(lifted, [role(5, 0)], ["5"]), 0) is None
    both = [overwrite(5, deny=VIEW), overwrite(6, allow=VIEW)]
    assert what_lacks(rights(both, [role(5, 0), role(6, 0)], ["5", "6"]), 0) is None
    own = [overwrite(5, allow=VIEW), overwrite(300, deny=VIEW, kind=1)]
    assert what_lacks(rights(own, [role(5, 0)], ["5"]), 0) == "VIEW_CHANNEL"


def test_owner_and_administrator_may_all():
    """No overwrite holds them."""
    deny = [overwrite(GUILD, deny=VIEW | HISTORY)]
    assert rights(deny, owner="300") == EVERYTHING
    assert rights(deny, [role(5, 1 << 3)], ["5"]) == EVERYTHING


def test_the_lacking_permission_is_named():
    """Rows B045 and B046: history, and CONNECT where a channel has a voice."""
    assert what_lacks(VIEW_CHANNEL, 0) == "READ_MESSAGE_HISTORY"
    assert what_lacks(VIEW_CHANNEL | READ_MESSAGE_HISTORY, VOICE) == "CONNECT"
    assert what_lacks(VIEW_CHANNEL | READ_MESSAGE_HISTORY, 0) is None
    assert what_lacks(VIEW_CHANNEL | READ_MESSAGE_HISTORY | CONNECT, VOICE) is None


def test_every_room_has_a_row_and_what_may_not_be_read_is_never_asked(tmp_path):
    """Rows B045, B046, B047: the reason is computed, the status is not `empty`, exit stays 0."""
    rooms = [
        channel(600, CATEGORY),
        channel(700, last_message_id="777", deny=HISTORY),
        channel(701, deny=VIEW),
        channel(702, VOICE, deny=1 << 20),
        channel(703, FORUM),
        channel(704),
        channel(705, NEWS),
    ]
    rows = {705: [message(snowflake(1), 705)]}
    with Double(corpus(tmp_path / "c", rooms, rows)) as double:
        said, _, left = go(tmp_path / "a", double)
        assert {r.path for r in double.requests if r.route == "messages"} == {
            "/channels/704/messages",
            "/channels/705/messages",
        }
    got = {
        r["channel_id"]: (r["status"], r["reason"]) for r in manifest(tmp_path / "a")["channels"]
    }
    assert got["600"][0] == "no_messages_kind"
    assert got["700"] == ("no_history_permission", "READ_MESSAGE_HISTORY lacks")
    assert got["701"] == ("forbidden", "VIEW_CHANNEL lacks")
    assert got["702"] == ("forbidden", "CONNECT lacks")
    assert got["703"] == ("no_messages_kind", "its posts are threads")
    assert got["704"][0] == "empty"
    assert got["705"][0] == "complete"
    assert left == []
    plan = "\n".join(said)
    assert "READ_MESSAGE_HISTORY lacks" in plan
    assert "CONNECT lacks" in plan


def test_a_403_against_the_computed_rights_is_a_row_and_no_failure(tmp_path):
    """Discord's word counts: the room is `forbidden`, its threads are not asked for, exit 0."""
    from pipeline.testing.double import Fault

    fault = Fault("status", route="messages", where={"channel": "700"}, status=403, code=50001)
    folder = corpus(tmp_path / "c", [channel(700)], {}, [thread(snowflake(5), 700)])
    with Double(folder, faults=[fault]) as double:
        _, _, left = go(tmp_path / "a", double)
        assert len(asked(double, "messages")) == 1
    assert row(tmp_path / "a", 700)["status"] == "forbidden"
    assert row(tmp_path / "a", snowflake(5))["status"] == "forbidden"
    assert left == []


def test_a_channel_that_went_meanwhile_is_gone_and_what_was_read_stays(tmp_path):
    """10003 is an answer; on the next run the guild no longer lists it, and the row says so."""
    rows = {700: [message(snowflake(1), 700)], 701: [message(snowflake(2), 701)]}
    folder = corpus(tmp_path / "c", [channel(700), channel(701)], rows)
    with Double(folder) as double:
        go(tmp_path / "a", double)
        double.world.guilds[GUILD]["channels"].pop()
        _, _, left = go(tmp_path / "a", double)
    assert row(tmp_path / "a", 701)["status"] == "gone"
    assert row(tmp_path / "a", 701)["messages"] == 1
    assert ids(tmp_path / "a", 701) == [snowflake(2)]
    assert left == []


def forum(tmp_path, posts, **more):
    rows = {p: [message(p, p, "first"), message(p + 1, p, "second")] for p in posts}
    threads = [thread(p, 800, archived=f"2026-01-0{n + 1}T00:00:00.000000+00:00")
               for n, p in enumerate(posts)]  # fmt: skip
    return corpus(tmp_path / "c", [channel(800, FORUM)], rows, threads, **more)


@pytest.mark.parametrize("count", [0, 2])
def test_a_forum_is_its_posts(tmp_path, count):
    """Rows B019 and B047: the forum has no rows, an empty forum is fine, each post is a room."""
    posts = [snowflake(n) for n in range(count)]
    with Double(forum(tmp_path, posts)) as double:
        _, _, left = go(tmp_path / "a", double)
        assert "/channels/800/messages" not in {r.path for r in double.requests}
    assert left == []
    assert not (tmp_path / "a/raw/messages/800.jsonl").exists()
    for post in posts:
        assert sorted(ids(tmp_path / "a", post)) == [post, post + 1]
        assert row(tmp_path / "a", post)["parent_id"] == "800"


def listing(tmp_path, threads, monkeypatch, limit=2, **more):
    """List the threads of a forum two at a time; gives the ids in raw's channels."""
    import stages.dump.discord.threads as rooms

    monkeypatch.setattr(rooms.list_threads, "__defaults__", (limit,))
    with Double(corpus(tmp_path / "c", [channel(800, FORUM)], {}, threads, **more)) as double:
        _, _, left = go(tmp_path / "a", double)
        queries = asked(double, "archived public threads") or asked(double, "public threads")
        found = [r for r in double.requests if "threads/archived/public" in r.path]
    channels = (tmp_path / "a/raw/channels.jsonl").read_text()
    return channels, found, left, queries


def test_all_pages_of_archived_threads_come_equal_times_included(tmp_path, monkeypatch):
    """Row B040: three pages of two, two threads with one archive time over a page border."""
    times = ["05", "04", "04", "03", "02", "01"]
    threads = [thread(snowflake(n), 800, archived=f"2026-01-{day}T00:00:00.000000+00:00")
               for n, day in enumerate(times)]  # fmt: skip
    channels, found, left, _ = listing(tmp_path, threads, monkeypatch)
    assert all(f'"id":"{snowflake(n)}"' in channels for n in range(6))
    assert len(found) >= 3
    assert left == []


def test_the_archive_time_is_sent_unchanged_and_never_a_limit_of_one(tmp_path, monkeypatch):
    """Row B042: `before` is a time as Discord wrote it, plus sign and fraction included."""
    from urllib.parse import parse_qs

    threads = [thread(snowflake(n), 800, archived=f"2026-01-0{n + 1}T10:00:00.123456+00:00")
               for n in range(5)]  # fmt: skip
    _, found, _, _ = listing(tmp_path, threads, monkeypatch)
    sent = [parse_qs(r.query) for r in found]
    cursors = [q["before"][0] for q in sent if "before" in q]
    assert cursors
    assert all(c.endswith("T10:00:00.123456+00:00") for c in cursors)
    assert all(int(q["limit"][0]) >= 2 for q in sent)


def test_a_listing_that_does_not_move_on_is_left_and_said(tmp_path, monkeypatch):
    """The guard of row B040: a listing that ignores its cursor ends, and the run is unfinished."""
    from pipeline.testing.double import Fault

    threads = [thread(snowflake(n), 800, archived=f"2026-01-0{n + 1}T00:00:00.000000+00:00")
               for n in range(3)]  # fmt: skip
    page = {"threads": threads[:2], "members": [], "has_more": True}
    import stages.dump.discord.threads as rooms

    monkeypatch.setattr(rooms.list_threads, "__defaults__", (2,))
    with Double(corpus(tmp_path / "c", [channel(800, FORUM)], {}, threads)) as double:
        name = next(r.route for r in requests_of(tmp_path, double) if "archived/public" in r.path)
        double.faults.add(Fault("answer", route=name, body=page, times=None))
        _, _, left = go(tmp_path / "b", double)
    assert any("does not move on" in reason for reason in left)


def requests_of(tmp_path, double):
    go(tmp_path / "probe", double, dry_run=True)
    return double.requests


def test_a_thread_that_is_archived_between_two_calls_comes_once(tmp_path):
    """Row B041: in the active and in the archived list; one room, the latest state wins."""
    from pipeline.testing.double import Fault

    post = snowflake(9)
    folder = corpus(tmp_path / "c", [channel(800, FORUM)], {post: [message(post, post)]},
                    [thread(post, 800)])  # fmt: skip
    with Double(folder) as double:
        name = next(r.route for r in requests_of(tmp_path, double) if "archived/public" in r.path)
        double.faults.add(
            Fault("hook", route=name, action=lambda d: d.world.archive_thread(str(post)))
        )
        go(tmp_path / "a", double)
    rows = [r for r in manifest(tmp_path / "a")["channels"] if r["channel_id"] == str(post)]
    assert len(rows) == 1
    assert ids(tmp_path / "a", post) == [post]
    assert '"archived":true' in (tmp_path / "a/raw/channels.jsonl").read_text()


def private_threads(tmp_path, permissions):
    inside, outside = snowflake(1), snowflake(2)
    threads = [
        thread(inside, 700, 12, archived="2026-01-03T00:00:00.000000+00:00", member_ids=["300"]),
        thread(outside, 700, 12, archived="2026-01-04T00:00:00.000000+00:00", member_ids=["71"]),
    ]
    rows = {inside: [message(inside + 1, inside)], outside: [message(outside + 1, outside)]}
    everyone = role(GUILD, permissions)
    folder = corpus(tmp_path / "c", [channel(700)], rows, threads, roles=[everyone])
    return folder, inside, outside


def test_without_manage_threads_the_joined_private_ones_are_read(tmp_path):
    """The fallback of discord-rest §1: no 403 is provoked, the parent tells what is missing."""
    folder, inside, outside = private_threads(tmp_path, VIEW | HISTORY)
    with Double(folder) as double:
        go(tmp_path / "a", double)
        assert not [r for r in double.requests if r.status == 403]
    assert ids(tmp_path / "a", inside) == [inside + 1]
    assert not [r for r in manifest(tmp_path / "a")["channels"] if r["channel_id"] == str(outside)]
    assert "MANAGE_THREADS lacks" in row(tmp_path / "a", 700)["reason"]


def test_with_manage_threads_all_private_ones_are_read(tmp_path):
    """Route 18 of discord-rest §1."""
    folder, inside, outside = private_threads(tmp_path, VIEW | HISTORY | MANAGE_THREADS)
    with Double(folder) as double:
        go(tmp_path / "a", double)
    assert ids(tmp_path / "a", inside) == [inside + 1]
    assert ids(tmp_path / "a", outside) == [outside + 1]


def test_a_new_thread_in_an_update_run_gets_its_first_pass(tmp_path):
    """Row B033: no cursor means that everything is asked for."""
    with Double(
        corpus(tmp_path / "c", [channel(700)], {700: [message(snowflake(1), 700)]})
    ) as double:
        go(tmp_path / "a", double)
        made = {"id": str(snowflake(9700)), "name": "new"}
        double.world.add_thread("700", made)
        for n in range(3):
            double.world.add_message(made["id"], id=str(snowflake(9701 + n)), content="x")
        go(tmp_path / "a", double)
    assert len(ids(tmp_path / "a", made["id"])) == 3


def test_a_channel_that_moved_goes_on_where_it_was(tmp_path):
    """A new parent or name is new metadata; the room is its id, and is not read again."""
    rows = {700: [message(snowflake(n), 700) for n in range(150)]}
    folder = corpus(tmp_path / "c", [channel(600, CATEGORY), channel(700)], rows)
    with Double(folder) as double:
        go(tmp_path / "a", double)
        double.world.channel("700")[0].update(parent_id="600", name="moved")
        double.requests.clear()
        go(tmp_path / "a", double)
        assert asked(double, "messages") == []
    assert row(tmp_path / "a", 700)["parent_id"] == "600"
    assert len(ids(tmp_path / "a", 700)) == 150


def test_channels_with_one_name_are_two_rooms(tmp_path):
    """Rows B058 and B059: files are named by id; a name that no file system takes does no harm."""
    names = ["general", "general", "con", "a/../../b", "x.", "é" * 100]
    rooms = [channel(700 + n, name=name) for n, name in enumerate(names)]
    rows = {700 + n: [message(snowflake(n), 700 + n)] for n in range(len(names))}
    with Double(corpus(tmp_path / "c", rooms, rows)) as double:
        go(tmp_path / "a", double)
    files = sorted(p.name for p in (tmp_path / "a/raw/messages").iterdir())
    assert files == [f"{700 + n}.jsonl" for n in range(len(names))]


def test_dms_are_read_by_id_and_never_searched(tmp_path):
    """Row B048: the known one is read, an unknown one is `gone`, the manifest says the rest."""
    dm = {"id": "950", "type": 1, "recipients": [user(71)], "last_message_id": None}
    folder = corpus(tmp_path / "c", [], {950: [message(snowflake(1), 950, "psst")]}, dms=[dm])
    with Double(folder) as double:
        said, _, left = go(tmp_path / "a", double, scope={"dms": ("950", "951")})
        assert not [r for r in double.requests if r.path == "/users/@me/channels"]
    assert ids(tmp_path / "a", 950) == [snowflake(1)]
    assert row(tmp_path / "a", 951)["status"] == "gone"
    assert manifest(tmp_path / "a")["dms"]["searched"] is False
    assert left == []
    with Double(folder) as double:
        said, _, _ = go(tmp_path / "b", double)
    assert any("--open-dm" in line and "scope.dms" in line for line in said)


def test_scope_is_by_guild_channel_parent_and_category():
    """An id covers what hangs under it; leaving out wins."""
    scope = Scope(ScopeFacts(channels=("600", "9"), leave_out_channels=("701",)))
    assert scope.holds("9", ())
    assert scope.holds("5", ("600",))
    assert not scope.holds("701", ("600",))
    assert not scope.holds("8", ("7",))
    assert Scope(ScopeFacts()).holds("8", ("7",))


def test_what_is_out_of_scope_is_a_row_and_is_not_asked(tmp_path):
    """Scope by channel: the other one is listed as out of scope."""
    rows = {700: [message(snowflake(1), 700)], 701: [message(snowflake(2), 701)]}
    with Double(corpus(tmp_path / "c", [channel(700), channel(701)], rows)) as double:
        go(tmp_path / "a", double, scope={"channels": ("700",)})
        assert {r.path for r in double.requests if r.route == "messages"} == {
            "/channels/700/messages"
        }
    assert row(tmp_path / "a", 701)["status"] == "out_of_scope"


def test_a_thread_named_in_the_scope_is_found_without_its_parent(tmp_path):
    """The parent is out of scope, so no listing of its archive names the thread; its id does."""
    post = snowflake(3)
    threads = [thread(post, 700, archived="2026-01-03T00:00:00.000000+00:00")]
    folder = corpus(tmp_path / "c", [channel(700)], {post: [message(post + 1, post)]}, threads)
    with Double(folder) as double:
        go(tmp_path / "a", double, scope={"channels": (str(post),)})
    assert ids(tmp_path / "a", post) == [post + 1]
    assert row(tmp_path / "a", 700)["status"] == "out_of_scope"


def test_a_guild_that_the_bot_is_not_in_is_said(tmp_path):
    """In scope and not reachable: exit 3."""
    with Double(corpus(tmp_path / "c", [channel(700)], {})) as double:
        _, _, left = go(tmp_path / "a", double, scope={"guilds": ("100", "404")})
    assert any("404" in reason for reason in left)


def test_a_live_thread_is_judged_by_its_own_newest_id(tmp_path):
    """Row B039: the parent slept before `since`, the thread did not: it is read."""
    live, old = snowflake(1), snowflake(2)
    threads = [thread(live, 700), thread(old, 700)]
    rows = {
        700: [message(snowflake(0), 700)],
        live: [message(snowflake(1, "2026-02-10"), live)],
        old: [message(old + 1, old)],
    }
    with Double(corpus(tmp_path / "c", [channel(700)], rows, threads)) as double:
        go(tmp_path / "a", double, scope={"since": "2026-02-01"})
        assert {r.path for r in double.requests if r.route == "messages"} == {
            f"/channels/{live}/messages"
        }
    assert ids(tmp_path / "a", live) == [snowflake(1, "2026-02-10")]
    assert row(tmp_path / "a", old)["status"] == "out_of_scope"
    assert ids(tmp_path / "a", 700) == []


def test_starters_are_kept_as_they_came_and_a_deleted_one_is_noted(tmp_path):
    """Row B008: referenced in the pointer; not referenced and parent out of scope: fetched by id;
    deleted: said in the thread's row."""
    with_source, alone, dead = snowflake(10), snowflake(20), snowflake(30)
    source = message(with_source, 700, "what about soup")
    rows = {
        700: [source, message(alone, 700, "start")],
        with_source: [
            message(with_source + 1, with_source, "", type=21, referenced_message=source)
        ],
        alone: [message(alone + 1, alone, "", type=21)],
        dead: [message(dead + 1, dead, "", type=21)],
    }
    threads = [thread(t, 700) for t in (with_source, alone, dead)]
    folder = corpus(tmp_path / "c", [channel(700)], rows, threads)
    wanted = tuple(str(t) for t in (with_source, alone, dead))
    with Double(folder) as double:
        go(tmp_path / "a", double, scope={"channels": wanted})
        singles = [r.path for r in double.requests if r.path.startswith("/channels/700/messages/")]
        assert sorted(singles) == [
            f"/channels/700/messages/{alone}",
            f"/channels/700/messages/{dead}",
        ]
        double.requests.clear()
        go(tmp_path / "a", double, scope={"channels": wanted})
        assert not [r for r in double.requests if r.path.startswith("/channels/700/messages/")]
    assert ids(tmp_path / "a", 700) == [alone]
    assert "deleted" in row(tmp_path / "a", dead)["reason"]
    assert row(tmp_path / "a", with_source)["reason"] == ""
