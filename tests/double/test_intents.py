"""Without a privileged intent the double holds back what Discord holds back."""

from pipeline.testing.double import Double
from tests.double.small import ANN, ME, get, ids, room, said, write

MEMBERS, CONTENT, CONTENT_LIMITED = 1 << 14, 1 << 18, 1 << 19


def talk():
    """Ann's word, the bot's, one that mentions it, a command's answer and a reply to it (B009)."""
    command = said(40, "700", "12°", ME, type=20, interaction_metadata={"user": ANN, "type": 2})
    return [
        said(10, "700", "hello", embeds=[{"title": "x"}], poll={"question": {"text": "?"}}),
        said(20, "700", "hi", ME),
        said(30, "700", "<@1> you there", mentions=[ME]),
        command,
        said(
            50,
            "700",
            "thanks",
            type=19,
            message_reference={"message_id": "40"},
            referenced_message=command,
        ),
        said(
            60,
            "700",
            "",
            content="",
            message_reference={"type": 1, "message_id": "9"},
            message_snapshots=[{"message": {"type": 0, "content": "far away", "embeds": []}}],
        ),
    ]


def contents(double, channel="700"):
    rows = get(double, f"/channels/{channel}/messages").json()
    return {row["id"]: row["content"] for row in rows}


def test_content_is_held_back_with_the_stated_exemptions(tmp_path):
    """B007, B009: its own, its mentions; a reply to a slash answer is none."""
    folder = write(
        tmp_path / "c",
        channels=[room("700")],
        messages={"700": talk()},
        application={"flags": MEMBERS},
    )
    with Double(folder) as double:
        want = {"10": "", "20": "hi", "30": "<@1> you there", "40": "12°", "50": "", "60": ""}
        assert contents(double) == want
        rows = {m["id"]: m for m in get(double, "/channels/700/messages").json()}
        assert rows["10"]["embeds"] == []
        assert "poll" not in rows["10"]
        assert rows["60"]["message_snapshots"][0]["message"]["content"] == ""
        assert rows["50"]["referenced_message"]["content"] == "12°"


def test_either_flag_turns_the_content_on(tmp_path):
    """The limited flag of small applications counts like the full one."""
    for flag in (CONTENT, CONTENT_LIMITED):
        folder = write(
            tmp_path / str(flag),
            channels=[room("700")],
            messages={"700": talk()},
            application={"flags": flag},
        )
        with Double(folder) as double:
            assert contents(double)["10"] == "hello"


def test_a_direct_message_is_never_held_back(tmp_path):
    """And a DM can be read by its id though the list is empty (B048)."""
    folder = write(
        tmp_path / "c",
        messages={"950": [said(10, "950", "just us")]},
        dms=[{"id": "950", "type": 1, "recipients": [ANN], "last_message_id": "10"}],
        application={"flags": 0},
    )
    with Double(folder) as double:
        assert contents(double, "950") == {"10": "just us"}
        assert get(double, "/channels/950").json()["recipients"][0]["username"] == "ann"
        assert get(double, "/users/@me/channels").json() == []


def test_members_need_their_intent_but_one_member_does_not(tmp_path):
    """The list is 403 without it; its limit defaults to one."""
    folder = write(tmp_path / "c", channels=[room("700")], members=[{"user": ME, "roles": []}])
    with Double(folder) as double:
        rows = get(double, "/guilds/100/members").json()
        assert [m["user"]["id"] for m in rows] == ["1"]
        rows = get(double, "/guilds/100/members", limit=1000, after=1).json()
        assert [m["user"]["id"] for m in rows] == ["11"]
        double.world.application["flags"] = CONTENT
        assert get(double, "/guilds/100/members", limit=10).status_code == 403
        assert get(double, "/guilds/100/members/11").json()["user"]["username"] == "ann"
        assert get(double, "/guilds/100/members/12").json()["code"] == 10007


def test_users_are_found_also_outside_the_guild(tmp_path):
    """Those who left are in `users`; nobody knows the rest."""
    folder = write(tmp_path / "c", users=[{"id": "12", "username": "gone"}])
    with Double(folder) as double:
        assert get(double, "/users/12").json()["username"] == "gone"
        assert get(double, "/users/11").json()["username"] == "ann"
        assert get(double, "/users/13").json()["code"] == 10013


def test_guilds_page_by_ascending_id(tmp_path):
    """before and after are guild ids."""
    folder = write(tmp_path / "c")
    with Double(folder) as double:
        double.world.guilds |= {i: {"id": i, "name": i, "roles": []} for i in ("50", "200")}
        assert ids(get(double, "/users/@me/guilds")) == [50, 100, 200]
        assert ids(get(double, "/users/@me/guilds", limit=1, after=50)) == [100]
        assert ids(get(double, "/users/@me/guilds", limit=1, before=200)) == [100]
        assert get(double, "/users/@me/guilds", limit=201).json()["code"] == 50035
