"""Every recorded case of the live adapter and host comes out of the renderer byte for byte."""

import base64
import json
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from pipeline.chat.wire import (
    Destination,
    FetchFailed,
    KeptImage,
    KeptText,
    NotUsable,
    WireSettings,
    build_world,
    channel_opened,
    delivery_receipt,
    profile_of,
    routing_notice,
)
from pipeline.chat.wire.attachments import attached_of
from pipeline.chat.wire.events import coalesced_edit, delete_event, edit_event, reaction_event
from pipeline.chat.wire.invitation import invitation, invitation_metadata
from pipeline.chat.wire.live import Ears, after_tool_call, hear
from pipeline.chat.wire.metadata import envelope_of, handed_over
from pipeline.chat.wire.notices import prose_bounce, prose_primer, send_failed
from pipeline.chat.wire.source import source_line, unimitated
from pipeline.chat.wire.transcripts import Line, missed_block
from tests.real import SHARED

PATH = SHARED / "spec" / "wire-vectors.jsonl"
VECTORS = [json.loads(line) for line in PATH.read_bytes().splitlines()] if PATH.is_file() else []
needs_vectors = pytest.mark.skipif(
    not VECTORS, reason=f"wire-vectors.jsonl is not beside the project ({SHARED.name}/spec)"
)


def world_of(given):
    """Build the vector's community; its DMs name their one recipient."""
    guilds = given.get("guilds") or []
    dms = [{**dm, "type": 1, "recipients": [dm["recipient"]]} for dm in given.get("dms") or []]
    own = given.get("self")
    return build_world(
        guilds=[{"id": g["id"], "name": g["name"]} for g in guilds],
        channels=[
            *((g["id"], c) for g in guilds for c in g.get("channels") or ()),
            *((None, dm) for dm in dms),
        ],
        roles=[(g["id"], r) for g in guilds for r in g.get("roles") or ()],
        members=[(g["id"], m) for g in guilds for m in g.get("members") or ()],
        users=[own] if own else [],
        self_ids=[own["id"]] if own else [],
    )


def outcomes_of(message, cdn):
    """Do what the adapter does with an answer of the CDN; no answer is an expired link."""
    return {one.attachment_id: outcome_of(one, cdn.get(one.url)) for one in attached_of(message)}


def outcome_of(one, answer):
    if answer is None:
        return FetchFailed("HTTP 404")
    if not one.is_image:
        return KeptText(answer["text"].encode())
    data = base64.b64decode(answer.get("base64", ""))
    if data.startswith((b"\x89PNG", b"<svg")):  # vector graphics come out as PNG
        return KeptImage("image/png", "00", len(data))
    return NotUsable()


def ears_of(state):
    return Ears(
        last_channel_id=state.get("last_channel_id"),
        seen_dm_ids=frozenset(state.get("seen_channels") or ()),
        open_ids=frozenset(state["open_channels"]) if "open_channels" in state else None,
    )


def settings_of(vector):
    return WireSettings(profile=profile_of(vector["profile"]), strip_signed_links=False)


def plain(blocks):
    """Show blocks as the vectors do: of an image they know the type alone."""
    return [
        b if b["type"] == "text" else {"type": "image", "mimeType": b["media_type"]} for b in blocks
    ]


def texts(*lines):
    return [{"type": "text", "text": line} for line in lines]


def told(notice):
    if notice is None:
        return {"expected_blocks": texts(None), "metadata": None}
    return {
        "expected_blocks": texts(notice.text),
        "metadata": notice.metadata,
        "participant": "user",
    }


def of_event(event):
    return {
        "expected_blocks": texts(event.text),
        "tags": list(event.tags) or None,
        "metadata": event.metadata,
        "lane": event.lane,
    }


def render_message(vector):
    """A message that comes in, or is dropped."""
    given = vector["input"]
    message, world, settings = given["message"], world_of(given), settings_of(vector)
    outcomes = outcomes_of(message, given.get("cdn") or {})
    item, _ = hear(message, world, settings, ears_of(given["state"]), outcomes)
    if item is None:
        return {"expected_blocks": [], "lane": None, "tags": None, "metadata": None}
    blocks = item.blocks
    if settings.profile.names_sources:  # the host's block; the vector shows the adapter's alone
        assert blocks[0] == {"type": "text", "text": item.metadata["sourceHeader"]}
        blocks = blocks[1:]
    return {
        "expected_blocks": plain(blocks),
        "lane": item.lane,
        "tags": list(item.tags),
        "metadata": handed_over(item.facts, item.room, item.body, item.lane, under_parents=False),
        "envelope": envelope_of(item.facts, item.room, item.lane),
    }


def render_event(vector):
    """A reaction, an edit or a deletion of the vector's message."""
    given, profile = vector["input"], profile_of(vector["profile"])
    event, message = given["event"], given.get("message")
    if "create" in given:
        return of_event(
            coalesced_edit(given["create"]["location"], event["author"], event["clean_content"])
        )
    if event["kind"] == "edit":
        author = event["author"]
        name = author["username"] if isinstance(author, dict) else author
        return of_event(edit_event(event.get("channel_id"), event["content"], name, profile))
    if event["kind"] == "delete":
        return of_event(delete_event(event["channel_id"], event["id"], None, profile))
    is_removal = event["kind"] == "reaction-remove"
    return of_event(reaction_event(event, message, world_of(given), is_removal=is_removal))


def render_sequence(vector):
    """Several messages through one pair of ears."""
    given = vector["input"]
    world, settings, ears = world_of(given), settings_of(vector), ears_of(given["state"])
    lines = []
    for step in given["sequence"]:
        if "channel_closed" in step:
            every = {c["id"] for g in given["guilds"] for c in g["channels"]}
            ears = Ears(ears.last_channel_id, open_ids=frozenset(every - {step["channel_closed"]}))
        elif "agent_tool_call" in step:
            ears = after_tool_call(ears, step["agent_tool_call"], step["args"]["channelId"])
        elif "message" in step:
            item, ears = hear(step["message"], world, settings, ears)
            lines += [item.text] if item else []
    return {"expected_all": lines, "expected": lines[-1]}


def destination(given):
    if given is None:
        return None
    return Destination(given["id"], given.get("label"), given.get("server"))


def render_turn(vector):
    """What the host says about the agent's own speech."""
    turn, profile = vector["input"]["turn"], profile_of(vector["profile"])
    if "failed" in turn:
        failed = turn["failed"]
        to = destination(failed["channel"])
        return told(send_failed(to, failed["reason"], failed["chars"], profile))
    if "opened_by_delivery" in turn:
        return told(channel_opened(destination(turn["opened_by_delivery"])))
    if "previously_primed" in turn:
        return told(prose_primer())
    if "locus" in turn:
        moved = destination(turn["previous_locus"]), destination(turn["locus"])
        return told(routing_notice(*moved, profile))
    if "deliveries" not in turn:
        return told(prose_bounce(turn["text"]))
    return told(
        delivery_receipt(
            [destination(one) for one in turn["deliveries"]],
            profile,
            routing=turn["prose_routing"],
            suppressed=turn.get("suppressed", 0),
        )
    )


def render_source(vector):
    """The host's own block before the adapter's."""
    given = vector["input"]
    line = source_line(
        given["server"],
        given["channel"]["id"],
        given["channel"]["label"],
        reply_to_id=given.get("reply_to"),
    )
    return {"expected_blocks": texts(line, unimitated(given["adapter_text"]))}


def render_invitation(vector):
    """A second block for a message in a closed room."""
    given = vector["input"]
    _, guild_id, channel_id = given["channel"]["id"].split(":")
    channel = {"id": channel_id, "name": given["channel"]["name"], "type": 0}
    world = build_world(guilds=[{"id": guild_id, **given["guild"]}], channels=[(guild_id, channel)])
    room = world.rooms[channel_id]
    block = invitation(
        room,
        given["author"],
        given["message_id"],
        server_id=given["mcpl_server_id"],
        backscroll_max=given["history_max_messages"],
    )
    return {
        "expected_blocks": texts(given["message_text"], block),
        "metadata": invitation_metadata(room, given["message_id"]),
        "participant": "user",
    }


def render_missed(vector):
    """What passed while the adapter was away."""
    given = vector["input"]
    where = given.get("channel") or {**given["dm"], "type": 1}
    guild = given.get("guild")
    world = build_world(
        guilds=[{"id": "1", **guild}] if guild else [],
        channels=[("1" if guild else None, where)],
    )
    lines = [
        Line(
            message_id=one["id"],
            author_name=one["username"],
            text=one["clean_content"],
            sent_at=datetime.fromisoformat(one["timestamp"]),
            is_mention=one.get("mentions_agent", False),
            file_names=tuple(one.get("attachments") or ()),
            reactions=tuple((r["emoji"], r["count"], r["me"]) for r in one.get("reactions") or ()),
        )
        for one in given["missed"]
    ]
    block = missed_block(
        lines, world.rooms[where["id"]], ZoneInfo("UTC"), is_open=given.get("open", True)
    )
    return {"expected_blocks": texts(block)}


RENDERERS = {
    "missed": render_missed,
    "message_text": render_invitation,
    "adapter_text": render_source,
    "turn": render_turn,
    "sequence": render_sequence,
    "event": render_event,
    "message": render_message,
}
UNSAID = {"case", "input", "profile", "confirmed", "basis", "expected", "tool_result_text"}


@needs_vectors
def test_all_vectors_are_here():
    """A file cut short would pass every other test."""
    assert len(VECTORS) == 103


@needs_vectors
@pytest.mark.parametrize("vector", VECTORS, ids=[v["case"] for v in VECTORS])
def test_the_renderer_says_what_the_vector_says(vector):
    """Blocks, text, lane, tags, metadata, envelope, participant: all that a vector tells."""
    render = next(RENDERERS[key] for key in RENDERERS if key in vector["input"])
    got = render(vector)
    wanted = {key: vector[key] for key in vector.keys() - UNSAID}
    assert {key: got.get(key) for key in wanted} == wanted
    said = [b["text"] for b in got.get("expected_blocks", ()) if b["type"] == "text"]
    text = got.get("expected", "\n".join(said) if said and said[0] is not None else None)
    assert text == vector["expected"]
