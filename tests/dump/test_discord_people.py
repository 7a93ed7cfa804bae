"""Who people are: members where they can be listed, else one by one; those who left."""

import json

from tests.dump.discord_desk import (
    ME,
    Double,
    channel,
    corpus,
    go,
    manifest,
    message,
    snowflake,
    user,
)

NO_MEMBERS_INTENT = {"flags": 1 << 19}


def member(person, **more):
    return {"user": person, "nick": None, "roles": [], "joined_at": "2026-01-01T00:00:00+00:00",
            **more}  # fmt: skip


def table(tmp_path, name):
    path = tmp_path / f"a/raw/{name}.jsonl"
    return [json.loads(x) for x in path.read_bytes().splitlines()] if path.exists() else []


def room_of(tmp_path, authors, **more):
    rows = [message(snowflake(n), 700, author=a[0], **a[1]) for n, a in enumerate(authors)]
    members = [member(ME), member(user(71), nick="Seven"), member(user(72))]
    return corpus(tmp_path / "c", [channel(700)], {700: rows}, members=members, **more)


def ids_of(tmp_path, name):
    return {(e["object"].get("user") or e["object"])["id"] for e in table(tmp_path, name)}


def asked_for(double, part):
    return [r.path for r in double.requests if part in r.path]


def test_with_the_intent_all_members_come_and_users_for_those_who_left(tmp_path):
    """71 wrote and is here, 72 never wrote and is here, 73 left: 73 comes as a user, once."""
    folder = room_of(tmp_path, [(user(71), {}), (user(73), {})])
    with Double(folder) as double:
        double.world.users["73"] = user(73)
        go(tmp_path / "a", double)
        assert ids_of(tmp_path, "members") == {"300", "71", "72"}
        assert ids_of(tmp_path, "users") == {"73"}
        double.requests.clear()
        go(tmp_path / "a", double)
        assert asked_for(double, "/users/7") == []
    assert len(table(tmp_path, "members")) == 3


def test_without_the_intent_authors_are_asked_one_by_one(tmp_path):
    """Row B023: a member; one who left (10007, then /users); one who is no more (10013)."""
    folder = room_of(tmp_path, [(user(71), {}), (user(73), {}), (user(74), {})],
                     application=NO_MEMBERS_INTENT)  # fmt: skip
    with Double(folder) as double:
        double.world.users["73"] = user(73)
        _, _, left = go(tmp_path / "a", double)
        assert not asked_for(double, "/members?")
        assert ids_of(tmp_path, "members") == {"300", "71"}
        assert ids_of(tmp_path, "users") == {"73"}
        assert manifest(tmp_path / "a")["unknown_user_ids"] == ["74"]
        assert manifest(tmp_path / "a")["members_intent"] == "off"
        double.requests.clear()
        # A new message by each of them is no reason to ask again.
        for number in (71, 73, 74):
            double.world.add_message("700", author=user(number))
        go(tmp_path / "a", double)
        assert asked_for(double, "/members/7") == []
        assert asked_for(double, "/users/7") == []
    assert left == []


def test_webhooks_are_no_people_but_an_apps_own_follow_up_is(tmp_path):
    """A webhook's author id is the webhook's: nobody to ask for."""
    hook = {"id": "900", "username": "Persona", "avatar": None, "bot": True}
    folder = room_of(tmp_path, [(hook, {"webhook_id": "900"}), (user(71), {"webhook_id": "5"})],
                     application=NO_MEMBERS_INTENT)  # fmt: skip
    with Double(folder) as double:
        go(tmp_path / "a", double)
        assert asked_for(double, "900") == []
        assert asked_for(double, "/members/71") == ["/guilds/100/members/71"]


def test_roles_come_with_the_guild_and_only_changes_are_appended(tmp_path):
    """Row B018: role ids can be resolved from raw; a second run adds no line."""
    folder = room_of(tmp_path, [(user(71), {})], emojis=[{"id": "31", "name": "owl"}])
    with Double(folder) as double:
        go(tmp_path / "a", double)
        sizes = {p.name: p.stat().st_size for p in (tmp_path / "a/raw").glob("*.jsonl")}
        go(tmp_path / "a", double)
        double.world.guilds["100"]["roles"][0]["name"] = "all"
        again = {p.name: p.stat().st_size for p in (tmp_path / "a/raw").glob("*.jsonl")}
        assert again == sizes
        go(tmp_path / "a", double)
    assert [e["object"]["name"] for e in table(tmp_path, "roles")] == ["@everyone", "all"]
    assert table(tmp_path, "guilds")[0]["object"]["emojis"][0]["name"] == "owl"


def test_people_can_be_left_out(tmp_path):
    """people = false asks for nobody but the bot's own place."""
    with Double(room_of(tmp_path, [(user(71), {})])) as double:
        go(tmp_path / "a", double, people=False)
        assert not asked_for(double, "/members?")
        assert len(asked_for(double, "/members")) == 1
