"""How items read: turns, receipts, notices, order, ids, metadata, attachments, habits."""

import hashlib
import json

import polars as pl
import pytest

from pipeline.errors import UsageError
from tests.curate.build import (
    ANN,
    BO,
    CHANNELS,
    DM,
    GUILD,
    ME,
    SHED,
    THREAD,
    YARD,
    message,
    reply,
    run,
)

YARD_ID = f"discord:{GUILD}:{YARD}"


def column(found, name):
    return found.transcript[name].to_list()


def metadata(found, item_id):
    row = found.transcript.row(by_predicate=pl.col("item_id") == item_id, named=True)
    return json.loads(row["metadata"])


def test_a_burst_is_one_turn(tmp_path):
    """Own posts at most ten seconds apart: one turn, first id and time, all ids kept."""
    posts = [message(0, ME, "a"), message(10, ME, "b"), message(20, ME, "c")]
    found = run(tmp_path, {YARD: posts})
    assert column(found, "text")[0] == "a\nb\nc"
    row = found.transcript.row(0, named=True)
    assert row["item_id"] == posts[0]["id"]
    assert row["message_ids"] == [p["id"] for p in posts]
    assert row["sent_at"].second == 0


@pytest.mark.parametrize(
    ("between", "turns"),
    [
        ([], 1),
        ([(YARD, message(3, ANN, "wait"))], 2),
        ([(SHED, message(3, ANN, "elsewhere", to_me=True))], 1),
        ([(YARD, message(3, ANN, "", type=7))], 1),
    ],
    ids=["nothing", "a message in the room", "a message elsewhere", "a message left out"],
)
def test_what_stands_between_ends_a_turn(tmp_path, between, turns):
    """Only another selected message of that room parts two posts of a burst."""
    rooms = {YARD: [message(0, ME, "a")], SHED: []}
    for room, other in between:
        rooms[room].append(other)
    rooms[YARD].append(message(6, ME, "b"))
    assert column(run(tmp_path, rooms), "kind").count("turn") == turns


def test_eleven_seconds_are_two_turns(tmp_path):
    """The gap counts from post to post and is a knob."""
    posts = {YARD: [message(0, ME, "a"), message(10.001, ME, "b")]}
    assert column(run(tmp_path, posts), "kind").count("turn") == 2
    assert column(run(tmp_path, burst_seconds=11), "kind").count("turn") == 1


def test_other_peoples_bursts_are_never_joined(tmp_path):
    """One Discord message is one item, for everybody but the agent."""
    found = run(tmp_path, {DM: [message(0), message(1)]})
    assert column(found, "kind") == ["message", "message"]


def test_a_turn_stands_where_its_first_post_stands(tmp_path):
    """What was said elsewhere meanwhile comes behind the whole turn; positions count from 0."""
    rooms = {
        YARD: [message(0, ME, "a"), message(6, ME, "b")],
        SHED: [message(3, ANN, "elsewhere", to_me=True)],
    }
    found = run(tmp_path, rooms)
    assert column(found, "position") == [0, 1, 2]
    assert column(found, "text") == [
        "a\nb",
        f"[delivered] plain speech → #yard (Lantern Yard) ({YARD_ID})",
        "[#shed in Lantern Yard] ann: elsewhere",
    ]
    assert column(found, "item_id")[1] == f"{column(found, 'item_id')[0]}/receipt"
    assert column(found, "message_ids")[1] == []


def test_equal_times_are_ordered_by_number(tmp_path):
    """Time first, then id as a number, over all rooms."""
    rooms = {YARD: [message(0, to_me=True, low=7)], SHED: [message(0, to_me=True, low=3)]}
    found = run(tmp_path, rooms)
    assert column(found, "channel_id") == [SHED, YARD]


def test_a_message_that_two_rooms_hold_stands_once(tmp_path):
    """Exports copy a thread's starter under its own id: it stands in the parent's room."""
    starter = message(0, to_me=True)
    found = run(tmp_path, {THREAD: [starter, message(5, BO, to_me=True)], YARD: [starter]})
    assert column(found, "channel_id") == [YARD, THREAD]
    rejects = found.rejects.row(0, named=True)
    assert (rejects["channel_id"], rejects["reason"]) == (
        THREAD,
        "the same message stands in another room",
    )


def test_the_room_is_named_where_it_changes(tmp_path):
    """The tracker runs over store order; the agent's own words do not move it."""
    rooms = {
        YARD: [message(0, to_me=True), message(30, BO, to_me=True), message(50, to_me=True)],
        SHED: [message(40, to_me=True), message(20, ME, "mine")],
    }
    texts = [t for t in run(tmp_path, rooms).texts if "delivered" not in t]
    assert texts == [
        "[#yard in Lantern Yard] ann: words",
        "mine",
        "bo: words",
        "[#shed in Lantern Yard] ann: words",
        "[#yard in Lantern Yard] ann: words",
    ]


def test_mentions_are_turned_back(tmp_path):
    """What Discord stores as <@id> the agent had written as @name."""
    own = message(0, ME, f"hi <@{ANN}>", mentions=[{"id": ANN, "username": "ann"}])
    assert run(tmp_path, {YARD: [own]}).texts[0] == "hi @ann"


def test_explicit_routing_begins_turns_with_the_room(tmp_path):
    """No receipts; a DM is called by its partner, a room whose name is not unique by its id."""
    twin = CHANNELS | {SHED: {"id": SHED, "type": 0, "name": "Yard", "guild_id": GUILD}}
    rooms = {DM: [message(0, ME, "a")], THREAD: [message(60, ME, "b")], SHED: [message(90, ME)]}
    found = run(tmp_path, rooms, raw={"channels": twin}, routing="explicit")
    assert found.texts == [
        ">>@ann\na",
        ">>#nook\nb",
        f">>discord:{GUILD}:{SHED}\nwords",
    ]
    assert column(found, "body") == ["a", "b", "words"]


def test_hybrid_routing_has_receipts(tmp_path):
    """As locus: plain text and a receipt, at the turn's own time."""
    found = run(tmp_path, {DM: [message(0, ME, "a")]}, routing="hybrid")
    assert found.texts == ["a", f"[delivered] plain speech → #DM: ann (discord:dm:{DM})"]
    assert found.transcript["sent_at"].n_unique() == 1
    receipt = metadata(found, column(found, "item_id")[1])
    assert receipt == {"system": True, "kind": "delivery-receipt"}


def test_routing_notices_come_before_the_turn_where_the_room_moved(tmp_path):
    """A knob, off; written only when the destination differs from the last one announced."""
    rooms = {YARD: [message(0, ME), message(60, ME)], SHED: [message(120, ME)]}
    found = run(tmp_path, rooms, routing_notices=True)
    kinds = column(found, "kind")
    assert kinds == ["routing", "turn", "receipt", "turn", "receipt", "routing", "turn", "receipt"]
    assert found.texts[0].startswith("[routing] Your plain speech now lands in #yard")
    assert column(found, "item_id")[0] == f"{column(found, 'item_id')[1]}/routing"


def test_channel_notices_and_invitations_are_knobs(tmp_path):
    """Until the agent's first words in a room it is closed: invited before, open behind."""
    talk = [message(0, to_me=True), message(60, ME), message(120, to_me=True)]
    found = run(tmp_path, {YARD: talk}, channel_notices=True, invitations=True)
    assert column(found, "kind") == ["message", "turn", "channels", "receipt", "message"]
    assert "\n\n[Channel invitation] ann addressed you in #yard" in found.texts[0]
    assert metadata(found, talk[0]["id"])["channelOpen"] is False
    assert "invitation" not in found.texts[-1]
    assert "channelOpen" not in metadata(found, talk[2]["id"])


def test_the_dm_prefix_is_a_knob(tmp_path):
    """Only on the first message of a DM."""
    found = run(tmp_path, {DM: [message(0), message(60)]}, dm_prefix=True)
    assert found.texts[0].startswith("<system>Direct message from @ann")
    assert found.texts[1] == "ann: words"


def test_the_clock_is_shown_at_most_hourly_and_at_a_new_day(tmp_path):
    """Only when somebody talks; in the agent's own zone."""
    hour = 3600
    talk = [message(at) for at in (0, 0.9 * hour, hour, 10.9 * hour, 11.1 * hour)]
    agent = f'[agent]\nname = "tilly"\ntimezone = "Europe/Berlin"\n[self]\nusers = ["{ME}"]'
    found = run(tmp_path, {DM: talk}, clock="hourly", agent=agent)
    clocks = [t for t in found.texts if t.startswith("[clock]")]
    assert clocks == [
        "[clock] Monday 2026-01-05 13:00 Europe/Berlin",
        "[clock] Monday 2026-01-05 14:00 Europe/Berlin",
        "[clock] Monday 2026-01-05 23:54 Europe/Berlin",
        "[clock] Tuesday 2026-01-06 00:06 Europe/Berlin",
    ]
    assert column(found, "item_id")[0] == f"{talk[0]['id']}/clock"


def test_metadata_takes_the_lane_of_the_room(tmp_path):
    """Rooms by the open lane, DMs by the closed one; what was addressed has triggered."""
    talk = {YARD: [message(0, BO), message(1, ME), message(60, to_me=True)], DM: [message(90)]}
    found = run(tmp_path, talk)
    ambient, dm = metadata(found, talk[YARD][0]["id"]), metadata(found, talk[DM][0]["id"])
    assert (ambient["channelId"], ambient["triggered"]) == (YARD_ID, False)
    assert ambient["author"] == {"id": BO, "name": "bo"}
    assert (dm["channelId"], dm["triggered"]) == (f"discord:dm:{DM}", True)
    assert dm["eventId"] == f"discord_msg_{talk[DM][0]['id']}"
    own = metadata(found, talk[YARD][1]["id"])
    assert own == {"channelId": YARD_ID, "messageIds": [talk[YARD][1]["id"]]}


def test_a_reply_names_an_original_that_only_raw_still_holds(tmp_path):
    """Live, the original came along; raw holds what Discord no longer sends."""
    mine = message(0, ME, "mine")
    found = run(tmp_path, {YARD: [mine, reply(60, ANN, mine, sent_along=False)]})
    assert found.texts[-1].startswith("[replying to @tilly]\n")
    lost = reply(90, BO, message(1), sent_along=False, to_me=True)
    found = run(tmp_path, {YARD: [lost]})
    assert found.texts[-1].startswith("[replying to unknown author]\n")


def test_signed_links_are_unsigned_in_text_and_metadata(tmp_path):
    """The signature of a CDN link is a dead key: it stands nowhere."""
    link = "https://cdn.discordapp.com/attachments/1/2/a.pdf?ex=68aa&is=68bb&hm=0123abcd&"
    file = {"id": "2", "filename": "a.pdf", "content_type": "application/pdf", "size": 9}
    talk = [message(0, ANN, f"see {link}", to_me=True, attachments=[{**file, "url": link}])]
    found = run(tmp_path, {YARD: [*talk, message(60, ME, link)]})
    everything = str(found.transcript.to_dicts())
    assert "hm=" not in everything
    assert everything.count("a.pdf") > 3
    assert "hm=" not in (tmp_path / "tables/transcript.jsonl").read_text()


def test_attachments_show_as_fetched_only_where_bytes_are_kept(tmp_path):
    """Kept bytes give the success form and an image block; else the header line, counted."""
    data = b"line one"
    digest = hashlib.sha256(data).hexdigest()
    path = tmp_path / "raw" / "attachments" / digest[:2] / digest
    path.parent.mkdir(parents=True)
    path.write_bytes(data)
    files = [
        {"id": "21", "filename": "n.txt", "content_type": "text/plain", "size": 8, "url": "u"},
        {"id": "22", "filename": "b.png", "content_type": "image/png", "size": 8, "url": "u"},
        {"id": "23", "filename": "c.png", "content_type": "image/png", "size": 8, "url": "u"},
    ]
    rows = [
        {"attachment_id": "21", "state": "kept", "sha256": digest, "content_type": "text/plain"},
        {"attachment_id": "22", "state": "kept", "sha256": digest, "content_type": "image/png"},
        {"attachment_id": "23", "state": "too large", "sha256": None},
    ]
    talk = {YARD: [message(0, ANN, "look", to_me=True, attachments=files)]}
    found = run(tmp_path, talk, raw={"attachments": rows})
    assert found.texts[0].split("\n")[1:] == [
        "[attachment: n.txt (8B)]",
        "line one",
        "[image attachment: b.png]",
        "[image attachment: c.png]",
    ]
    images = [b for b in found.transcript["blocks"][0].to_list() if b["type"] == "image"]
    assert [(b["attachment_id"], b["sha256"]) for b in images] == [("22", digest)]
    assert any("2 with their bytes, 1 by their header line" in line for line in found.said)


def test_captions_are_never_in_the_transcript(tmp_path):
    """They are for the model that mints, not for what the agent reads."""
    (tmp_path / "captions").mkdir()
    (tmp_path / "captions" / "21.txt").write_text("a bell on a rope")
    file = {"id": "21", "filename": "b.png", "content_type": "image/png", "size": 8, "url": "u"}
    found = run(tmp_path, {YARD: [message(0, ANN, "", to_me=True, attachments=[file])]})
    assert "bell on" not in str(found.transcript.to_dicts())


def test_habits_are_rewritten_and_counted(tmp_path):
    """A pattern in own turns, or whole turns by id; other people's words stay as they are."""
    by_id = message(60, ME, "*nods*")
    talk = [message(0, ANN, "(sigh) x", to_me=True), message(1, ME, "(sigh) soup"), by_id]
    habits = [
        {"pattern": r"\(sigh\) (\w+)", "replacement": r"\1!", "reason": "sighs"},
        {"ids": [by_id["id"]], "replacement": ">>skip_reply nods", "reason": "stage direction"},
    ]
    found = run(tmp_path, {YARD: talk}, rewrite=habits)
    assert found.texts == [
        "[#yard in Lantern Yard] ann: (sigh) x",
        "soup!",
        f"[delivered] plain speech → #yard (Lantern Yard) ({YARD_ID})",
        ">>skip_reply nods",  # stays in context: nothing was delivered, so no receipt
    ]
    assert "          1  sighs" in found.said
    explicit = run(tmp_path, rewrite=habits, routing="explicit")
    assert explicit.texts[1:] == [">>#yard\nsoup!", ">>skip_reply nods"]


def test_a_turn_rewritten_to_nothing_is_a_reject(tmp_path):
    """Rule 2: it leaves with the habit's reason."""
    own = message(0, ME, "...")
    habits = [{"pattern": r"^\.+$", "replacement": "", "reason": "dots"}]
    found = run(tmp_path, {YARD: [own, message(60, ME, "x")]}, rewrite=habits)
    assert found.why == {own["id"]: "dots"}
    assert found.rooms["selected"].to_list() == [1]
    assert found.people["selected"].to_list() == [1]


def test_a_habit_must_say_one_thing():
    """Pattern or ids, not both and not neither; a bad pattern is named."""
    from stages.curate.knobs import LeaveOut, Rewrite

    for wrong in ({}, {"pattern": "x", "ids": ("1",)}, {"pattern": "("}, {"ids": ("x",)}):
        with pytest.raises(UsageError, match=r"curate\.leave_out"):
            LeaveOut(reason="r", **wrong)
    with pytest.raises(UsageError, match="replacement"):
        Rewrite(reason="r", replacement=r"\2", pattern="(a)")


def test_head_from_skips_the_first_spam(tmp_path):
    """The history begins with that message; what lies before it is a reject."""
    talk = [message(n * 60, to_me=True) for n in range(3)]
    found = run(tmp_path, {YARD: talk}, head_from=talk[1]["id"])
    assert column(found, "item_id") == [talk[1]["id"], talk[2]["id"]]
    assert found.texts[0].startswith("[#yard")
    assert found.why == {talk[0]["id"]: "before curate.head_from"}
    with pytest.raises(UsageError, match="head_from is 7"):
        run(tmp_path, head_from="7")


def test_private_rooms_are_marked(tmp_path):
    """DMs, private threads, and rooms that @everyone cannot view, threads by their parent."""
    public_thread = "1200000000000000006"
    hidden = CHANNELS | {
        SHED: {
            "id": SHED,
            "type": 0,
            "name": "shed",
            "guild_id": GUILD,
            "permission_overwrites": [{"id": GUILD, "type": 0, "allow": "0", "deny": "1024"}],
        },
        public_thread: {
            "id": public_thread,
            "type": 11,
            "name": "t",
            "guild_id": GUILD,
            "parent_id": SHED,
        },
    }
    rooms = {
        r: [message(n, to_me=True)] for n, r in enumerate((YARD, SHED, DM, THREAD, public_thread))
    }
    found = run(tmp_path, rooms, raw={"channels": hidden})
    private = dict(found.transcript.select("channel_id", "is_private").iter_rows())
    assert private == {YARD: False, SHED: True, DM: True, THREAD: True, public_thread: True}


def test_absences_are_noted(tmp_path):
    """A message that a full re-read missed stays, with the time."""
    talk = [message(0, to_me=True)]
    rows = [
        {"channel_id": YARD, "message_id": talk[0]["id"], "absent_since": "2026-02-01T00:00:00Z"}
    ]
    found = run(tmp_path, {YARD: talk}, raw={"absences": rows})
    assert found.transcript["absent_since"].dt.year().to_list() == [2026]


def test_the_dataset_has_one_line_an_item(tmp_path):
    """Participant, content blocks, timestamp in ms, metadata."""
    found = run(tmp_path, {DM: [message(0.25), message(60, ME, "hi")]})
    lines = (tmp_path / "tables/transcript.jsonl").read_bytes().split(b"\n")[:-1]
    rows = [json.loads(line) for line in lines]
    assert [r["participant"] for r in rows] == ["user", "tilly", "user"]
    assert rows[0]["content"] == [{"type": "text", "text": "[DM] ann: words"}]
    assert rows[0]["timestamp"] == 1767614400250
    assert rows[0]["metadata"]["isDM"] is True
    assert [r["id"] for r in rows] == column(found, "item_id")


def test_items_are_the_same_in_blocks_of_any_size(tmp_path, monkeypatch):
    """Writing in parts changes nothing: tracker, turns and positions go on over borders."""
    rooms = {
        YARD: [message(n * 7, ME if n % 3 else ANN, f"{n}", to_me=n % 3 == 0) for n in range(40)],
        SHED: [message(n * 31, BO, f"s{n}", to_me=True, low=1) for n in range(9)],
    }
    whole = run(tmp_path, rooms).transcript
    monkeypatch.setattr("stages.curate.lines.bundles.__kwdefaults__", {"block_items": 3})
    assert run(tmp_path).transcript.equals(whole)
