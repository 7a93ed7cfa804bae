"""Which messages become items: whose they are, what is meant for the agent, what is left out."""

import json

import pytest

from pipeline.errors import SourceError, UsageError
from stages.curate.judge import UNREADABLE
from tests.curate.build import (
    ANN,
    BO,
    CHANNELS,
    CY,
    DM,
    GUILD,
    ME,
    ROLE,
    SHED,
    YARD,
    message,
    reply,
    run,
    write_raw,
)

HOOK, APP, OLD = "1900000000000000001", "1600000000000000001", "1300000000000000002"
MANY_SELVES = f"""
[agent]
name = "tilly"
[self]
users = ["{ME}", "{OLD}"]
webhooks = ["{HOOK}"]
applications = ["{APP}"]
"""


def far(count, start=0):
    """Many messages that nobody means for the agent."""
    return [message(start + n * 60, CY, f"far {n}") for n in range(count)]


def ids(messages):
    return [m["id"] for m in messages]


def kept(found):
    return [i for group in found.transcript["message_ids"].to_list() for i in group]


def test_only_hits_and_the_23_before_them_are_kept(tmp_path):
    """One mention among 60 messages: it and the 23 before it; the rest is counted, not rejected."""
    talk = far(60)
    talk[40] = message(40 * 60, ANN, "hey", to_me=True)
    found = run(tmp_path, {YARD: talk})
    assert kept(found) == ids(talk[17:41])
    assert found.rejects.height == 0
    row = found.rooms.row(0, named=True)
    assert (row["messages"], row["selected"]) == (60, 24)
    assert (
        "60 messages in 1 room: 24 selected, 0 of them left out; 36 not perceived"
        in (found.said[0])
    )


SELVES = {
    "a post": message(0, ME),
    "a former account": message(0, OLD),
    "an answer to a command": message(0, APP, type=20, application_id=APP),
    "an answer to a menu": message(0, ME, type=23),
    "a follow-up": message(0, APP, webhook_id=APP, application_id=APP),
    "a webhook post": message(0, HOOK, webhook_id=HOOK),
    "an embed": message(0, ME, "", embeds=[{"description": "soup"}]),
    "components": message(0, ME, "", flags=1 << 15, components=[{"type": 10, "content": "soup"}]),
}


@pytest.mark.parametrize("own", SELVES.values(), ids=SELVES.keys())
def test_self_is_a_list(tmp_path, own):
    """Whatever any own account says is the agent's speech, embeds and components included."""
    found = run(tmp_path, {YARD: [own]}, agent=MANY_SELVES)
    turn = found.transcript.row(0, named=True)
    assert (turn["kind"], turn["participant"], turn["is_self"]) == ("turn", "tilly", True)
    assert turn["text"] in {"words", "soup"}


MINE = message(0, ME, "mine")
MEANT = {
    "a mention": message(9000, ANN, to_me=True),
    "its role": message(9000, ANN, mention_roles=[ROLE["id"]]),
    "a reply": reply(9000, ANN, MINE),
    "a reply whose original was not sent along": reply(9000, ANN, MINE, sent_along=False),
    "a reply whose original Discord no longer has": reply(9000, ANN, MINE)
    | {"referenced_message": None},
}


@pytest.mark.parametrize("hit", MEANT.values(), ids=MEANT.keys())
def test_what_is_meant_for_the_agent(tmp_path, hit):
    """Each way of calling it is a hit, marked as addressed and as having triggered."""
    found = run(tmp_path, {YARD: [MINE, *far(60, 100), hit, *far(3, 10_000)]})
    row = found.transcript.row(-1, named=True)
    assert row["message_ids"] == [hit["id"]]
    assert row["addressed"]
    assert json.loads(row["metadata"])["triggered"] is True


@pytest.mark.parametrize(
    "other",
    [
        message(9000, ANN, "words", mentions=[{"id": BO, "username": "bo"}]),
        reply(9000, ANN, message(0, BO)),
        message(
            9000,
            ANN,
            "",
            message_reference={"type": 1, "message_id": MINE["id"]},
            message_snapshots=[{"message": {"content": "mine"}}],
        ),
        message(9000, CY, type=20, application_id=CY),
    ],
    ids=["another mention", "another reply", "a forward of its words", "another bot's answer"],
)
def test_what_is_not_meant_for_the_agent(tmp_path, other):
    """Talk about others opens no window."""
    found = run(tmp_path, {YARD: [MINE, *far(60, 100), other]})
    assert other["id"] not in kept(found)


def test_names_and_commands_are_knobs(tmp_path):
    """A name anywhere, whatever its case, and a command at the start call the agent."""
    talk = [message(n, ANN, t) for n, t in enumerate(["Tilly?", "!till x", "x !till", "!tills"])]
    only_hits = [{"messages": 0}]
    found = run(tmp_path, {YARD: talk}, names=[r"\btilly\b"], perceived=only_hits)
    assert kept(found) == ids(talk[:1])
    found = run(tmp_path, commands=["!till"], perceived=only_hits)
    assert kept(found) == ids(talk[1:2])


def test_a_name_that_re2_cannot_take_is_a_usage_error(tmp_path):
    """Look-around is refused with the knob's name."""
    with pytest.raises(UsageError, match=r"curate\.names.*look-around"):
        run(tmp_path, {YARD: [message(0)]}, names=["(?=till)y"])


def test_dms_are_kept_in_full(tmp_path):
    """A DM needs no mention; everything in it is addressed."""
    found = run(tmp_path, {DM: [message(n * 900, ANN) for n in range(40)]})
    assert found.transcript["addressed"].to_list() == [True] * 40
    assert found.transcript["is_private"].all()


LEFT = {
    "blocked user": message(5, CY, "spam"),
    "system message, type 7": message(5, BO, "", type=7),
    "system message, type 21": message(5, BO, "", type=21),
    "system message, type 46": message(5, BO, "", type=46, embeds=[{"type": "poll_result"}]),
    "system message, type 63": message(5, BO, "new kind", type=63),
    "no text, attachment or forward": message(5, BO, " \n"),
    "embed only": message(5, BO, "", embeds=[{"title": "news"}]),
    "sticker only": message(5, BO, "", sticker_items=[{"id": "1", "format_type": None}]),
    "begins with the no-op words": message(5, BO, "m continue please"),
}


@pytest.mark.parametrize("reason", LEFT)
def test_what_is_left_out_is_a_reject_with_its_reason(tmp_path, reason):
    """It takes a place in the window, is no row, and does not vanish."""
    left = LEFT[reason] | {"mentions": [{"id": ME}]}  # would be a hit
    hit = message(60, ANN, "hey", to_me=True)
    before = message(1, ANN, "first")
    found = run(tmp_path, {YARD: [before, left, hit]}, blocked=[CY], perceived=[{"messages": 1}])
    assert kept(found) == [hit["id"]]  # the place went to what was left out
    assert found.why == {left["id"]: reason}


def test_what_is_left_out_is_never_a_hit(tmp_path):
    """A blocked user's mention reveals nothing; it is itself a reject, the rest is unperceived."""
    talk = [*far(5), message(900, BO, "hey", to_me=True)]
    found = run(tmp_path, {YARD: talk}, blocked=[BO])
    assert kept(found) == []
    assert found.why == {talk[-1]["id"]: "blocked user"}


def test_a_thread_starter_stands_once_in_its_parents_room(tmp_path):
    """The copy in the thread is a notice (21); the original is the row."""
    thread = "1200000000000000005"
    origin = message(0, ANN, "shall we?", to_me=True)
    copy = message(
        5,
        ANN,
        "",
        type=21,
        referenced_message=origin,
        message_reference={
            "message_id": origin["id"],
            "channel_id": YARD,
            "type": 0,
        },
    )
    found = run(tmp_path, {YARD: [origin], thread: [copy, message(9, BO, "yes", to_me=True)]})
    assert found.texts == [
        "[#yard in Lantern Yard] ann: shall we?",
        "[#nook in Lantern Yard] bo: yes",
    ]
    assert found.why == {copy["id"]: "system message, type 21"}


@pytest.mark.parametrize("knob", ["keep_embed_only", "keep_sticker_only"])
def test_embeds_and_stickers_may_be_kept(tmp_path, knob):
    """Others' embed-only and sticker-only messages are kept by knob, each by its own."""
    embed = message(1, BO, "", embeds=[{}], to_me=True)
    sticker = message(2, BO, "", sticker_items=[{"id": "1"}], to_me=True)
    found = run(tmp_path, {YARD: [embed, sticker]}, **{knob: True})
    assert kept(found) == [embed["id"] if knob == "keep_embed_only" else sticker["id"]]
    assert found.texts[0].endswith("bo: ")


def test_forwards_and_attachments_are_words_enough(tmp_path):
    """A message without text that holds something is kept."""
    forward = message(1, BO, "", to_me=True, message_snapshots=[{"message": {"content": "x"}}])
    file = message(
        2,
        BO,
        "",
        to_me=True,
        attachments=[
            {"id": "1", "filename": "a.ogg", "content_type": "audio/ogg", "size": 3, "url": "u"}
        ],
    )
    assert kept(run(tmp_path, {YARD: [forward, file]})) == ids([forward, file])


def test_an_unfinished_answer_is_no_speech(tmp_path):
    """Flag 128 without content is an answer that never came (B009)."""
    answer = message(1, ME, "", type=20, flags=128)
    assert run(tmp_path, {YARD: [answer]}).why == {answer["id"]: "unfinished answer"}


def test_withheld_content_is_not_silence(tmp_path):
    """Without the intent other people's blank rows say nothing; the exempt ones do (B007)."""
    blank = message(1, BO, "")
    unmentioned = reply(2, BO, message(0, ME), content="")  # replies to answers are withheld (B009)
    mention = message(3, BO, "", to_me=True)
    own = message(4, ME, "mine")
    found = run(
        tmp_path,
        {YARD: [blank, unmentioned, mention, own], DM: [message(5, ANN, "")]},
        raw={"manifest": {"message_content": "off"}},
    )
    assert [found.why[i] for i in ids([blank, unmentioned, mention])] == [
        "content withheld",
        "content withheld",
        "no text, attachment or forward",
    ]
    assert "no text, attachment or forward" in found.why.values()
    assert sorted(found.why.values()).count("content withheld") == 2


def test_scope_cuts_by_time_guild_and_room(tmp_path):
    """What lies outside the scope is a reject where it would have been perceived."""
    talk = [message(n * 3600, ANN, f"hour {n}", to_me=True) for n in range(4)]
    agent = f"""
[agent]
name = "tilly"
[self]
users = ["{ME}"]
[scope]
since = "2026-01-05T13:00"
until = "2026-01-05T15:00"
leave_out_channels = ["{SHED}"]
"""
    found = run(tmp_path, {YARD: talk, SHED: [message(4000, BO, to_me=True)]}, agent=agent)
    assert kept(found) == ids(talk[1:3])
    assert sorted(found.why.values()) == [
        "outside the scope: after until",
        "outside the scope: before since",
        "outside the scope: room left out",
    ]


def test_a_scope_of_guilds_leaves_dms_in(tmp_path):
    """A DM belongs to no guild; another guild's room is outside."""
    other = CHANNELS | {SHED: {"id": SHED, "type": 0, "name": "x", "guild_id": "7"}}
    agent = f"""
[agent]
name = "tilly"
[self]
users = ["{ME}"]
[scope]
guilds = ["{GUILD}"]
"""
    rooms = {SHED: [message(0, BO, to_me=True)], DM: [message(1)], YARD: [message(2, to_me=True)]}
    found = run(tmp_path, rooms, agent=agent, raw={"channels": other})
    assert len(kept(found)) == 2
    assert list(found.why.values()) == ["outside the scope: guild"]


def test_habits_leave_own_posts_out(tmp_path):
    """Pattern or ids; a left-out post is no hit; other people's words are not touched."""
    status = message(1, ME, "[status] thinking")
    odd = message(300, ME, "oops")
    other = message(400, BO, "[status] me too", to_me=True)
    habits = [
        {"pattern": r"^\[status\]", "reason": "status line"},
        {"ids": [odd["id"]], "reason": "by hand"},
    ]
    found = run(
        tmp_path,
        {YARD: [message(0, ANN), status, odd, other]},
        leave_out=habits,
        perceived=[{"messages": 0}],
    )
    assert kept(found) == [other["id"]]
    assert found.why == {status["id"]: "status line", odd["id"]: "by hand"}


def test_the_last_line_of_an_id_counts(tmp_path):
    """An edit is a new line: its text is used, and the room counts it once."""
    first = message(1, ANN, "befor", to_me=True)
    later = message(60, BO, "x", to_me=True)
    edited = first | {"content": "before", "edited_timestamp": "2026-01-05T13:00:00+00:00"}
    found = run(tmp_path, {YARD: [first, later, edited]})
    assert found.texts[0].endswith("ann: before")
    assert found.transcript["edited_at"].null_count() == 1
    assert found.rooms["messages"].to_list() == [2]


def test_order_is_by_number_not_by_text_and_not_by_file(tmp_path):
    """Newest-first files and ids of unequal length come out in order."""
    small = {"id": "99", "timestamp": "2015-01-01T00:00:00.000001+00:00"}
    large = {"id": "100", "timestamp": "2015-01-01T00:00:00.000002+00:00"}
    talk = [message(0, ANN, "b", to_me=True) | large, message(0, ANN, "a", to_me=True) | small]
    assert kept(run(tmp_path, {YARD: talk})) == ["99", "100"]


def test_a_bad_line_is_told_and_the_run_is_unfinished(tmp_path):
    """A line of raw that is no message is named; its neighbours are curated."""
    found = run(
        tmp_path, {YARD: [message(1, to_me=True), '{"id": 1.5e18}', message(2, to_me=True)]}
    )
    assert len(kept(found)) == 2
    assert "line 2 of" in found.left[0]
    assert "float" in found.left[0]


def test_a_lone_surrogate_becomes_the_replacement_character(tmp_path):
    """Derived text is whole Unicode, in table and JSONL (B062)."""
    found = run(tmp_path, {YARD: [message(1, ANN, "a\ud83d b\u2028c\0", to_me=True)]})
    assert found.texts[0].endswith("ann: a\ufffd b\u2028c\0")
    assert (tmp_path / "tables/transcript.jsonl").read_bytes().count(b"\n") == 1


def test_no_raw_is_an_error_that_says_what_to_do(tmp_path):
    """An empty folder names the command."""
    write_raw(tmp_path, {})
    with pytest.raises(SourceError, match="backfold run dump"):
        run(tmp_path)


def test_people_are_counted_and_joined(tmp_path):
    """[[people]] joins ids, webhook names and old names for reports; wire names stay."""
    agent = f"""
[agent]
name = "tilly"
[self]
users = ["{ME}"]
[[people]]
name = "Ann"
ids = ["{ANN}"]
webhooks = ["Ann's fox"]
"""
    fox = message(2, HOOK, to_me=True, webhook_id=HOOK)
    fox["author"] = {"id": HOOK, "username": "Ann's fox", "bot": True}
    found = run(tmp_path, {YARD: [message(0, CY), message(1, to_me=True), fox]}, agent=agent)
    rows = {r["name"]: r for r in found.people.iter_rows(named=True)}
    assert (rows["ann"]["person"], rows["Ann's fox"]["person"]) == ("Ann", "Ann")
    assert rows["Ann's fox"]["is_bot"]
    assert rows["cy"]["person"] == CY
    assert found.texts[-1] == "Ann's fox: words"


def test_without_a_self_nobody_is_guessed(tmp_path):
    """The error offers who speaks in raw, with counts and dates."""
    bot = message(1, BO)
    bot["author"]["bot"] = True
    with pytest.raises(UsageError, match=rf"who is the agent.*user {BO}") as error:
        run(tmp_path, {YARD: [message(0), bot]}, agent='[agent]\nname = "tilly"\n')
    assert ANN not in str(error.value)


def test_without_a_self_the_bot_that_dumped_is_the_agent(tmp_path):
    """Its token could read what it could read."""
    raw, nameless = {"manifest": {"bot": {"id": ME}}}, '[agent]\nname = "tilly"\n'
    found = run(tmp_path, {YARD: [message(0, ME), message(1)]}, raw=raw, agent=nameless)
    assert found.transcript["is_self"].sum() == 1


DEEP = "[" * 5_000 + "]" * 5_000


@pytest.mark.parametrize(
    "odd",
    [
        {"content": 12},
        {"attachments": [None, 5, {"id": None}]},
        {"mentions": "nobody"},
        {"type": "0", "flags": []},
        {"components": {"type": 17}, "content": ""},
        {"edited_timestamp": 5},
        {"referenced_message": {"author": 5}},
        {"content": 12, "nonce": int("9" * 3_000)},
        {"embeds": json.loads("[" * 150 + "]" * 150)},
    ],
)
def test_an_own_message_with_an_odd_field_is_a_hit_and_a_reject(tmp_path, odd):
    """It has its reason, and the 23 before it were perceived all the same."""
    talk = far(60)
    talk[40] = message(40 * 60, ME, "mine") | odd
    found = run(tmp_path, {YARD: talk})
    assert found.why == {talk[40]["id"]: UNREADABLE}
    assert kept(found) == ids(talk[17:40])
    assert found.rejects["author_id"].to_list() == [ME]


@pytest.mark.parametrize(
    "call",
    [
        {"mentions": [5, {"id": ME}, None]},
        {"mentions": [{"id": ME}], "content": ["hey"]},
        {"mention_roles": [ROLE["id"], {}]},
    ],
)
def test_a_message_to_the_agent_with_an_odd_field_is_a_hit_and_a_reject(tmp_path, call):
    """The sound elements of an odd list still name the agent."""
    talk = far(60)
    talk[40] = message(40 * 60, ANN, "hey") | call
    found = run(tmp_path, {YARD: talk})
    assert found.why == {talk[40]["id"]: UNREADABLE}
    assert kept(found) == ids(talk[17:40])


def test_an_odd_message_that_somebody_else_was_left_out_for_keeps_its_reason(tmp_path):
    """Sound fields that are reason enough say so: a notice is no speech, whatever its words."""
    talk = [message(1, ME, "mine"), message(2, ANN, "hey") | {"content": 1, "type": 7}]
    talk[1]["mentions"] = [{"id": ME}]
    assert run(tmp_path, {YARD: talk}).why == {talk[1]["id"]: "system message, type 7"}


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('{"id": "1", "content": ' + DEEP + "}", "nested"),
        ('{"id": "' + "9" * 5_000 + '"}', "64 bits"),
        ('{"id": ' + "9" * 5_000 + "}", "range"),
    ],
)
def test_a_hostile_line_costs_itself(tmp_path, line, why):
    """Nested without end, or with an id of thousands of digits: told, and nothing else is lost."""
    found = run(tmp_path, {YARD: [message(1, to_me=True), line, message(2, to_me=True)]})
    assert len(kept(found)) == 2
    assert "line 2 of" in found.left[0]
    assert why in found.left[0]


def test_numbers_without_end_in_fields_that_nobody_reads_cost_nothing(tmp_path):
    """A reply to an id of thousands of digits is one to nobody; the words stay."""
    talk = [
        message(1, ANN, "one", to_me=True, message_reference={"message_id": "9" * 5_000}),
        json.dumps(message(2, ANN, "two", to_me=True))[:-1] + ', "nonce": ' + "9" * 5_000 + "}",
    ]
    found = run(tmp_path, {YARD: talk})
    assert found.transcript["body"].to_list() == ["one", "two"]


def test_an_answered_message_nested_without_sense_is_not_quoted(tmp_path):
    """The answer stays; what raw holds of the original is never read in full."""
    deep = message(1, ME, "mine", embeds=json.loads("[" * 150 + "]" * 150))
    answer = reply(2, ANN, deep, "yes", sent_along=False)
    found = run(tmp_path, {YARD: [deep, answer]})
    assert kept(found) == [answer["id"]]


@pytest.mark.parametrize(
    "odd",
    [
        {"attachments": [None]},
        {"mentions": [None]},
        {"attachments": [{"id": [5], "filename": "a"}]},
        {"mentions": [{"id": BO, "username": 5}], "content": f"<@{BO}>"},
    ],
)
@pytest.mark.parametrize("who", [ME, ANN])
def test_what_is_odd_deep_inside_is_a_reject_and_ends_nothing(tmp_path, odd, who):
    """No column shows it, only writing does: told, a hit, and its neighbours in a burst stay."""
    talk = [message(1, BO, "hey", to_me=True), message(2, who), message(3, who, to_me=True)]
    talk[1] |= odd
    found = run(tmp_path, {YARD: talk, DM: []})
    left = [talk[0]["id"], talk[2]["id"]]
    assert found.why in ({talk[1]["id"]: UNREADABLE}, {})
    assert kept(found) == (left if found.why else ids(talk))


def test_an_id_in_two_rooms_is_told_or_kept_once_each(tmp_path):
    """Two exports of one message under two rooms end nothing."""
    one = message(1, ANN, "hey", to_me=True)
    found = run(tmp_path, {YARD: [one], SHED: [one, message(2, ANN, "you", to_me=True)]})
    assert sorted(set(kept(found))) == sorted(kept(found))
