"""What is decoded of a message is all that its item is made of."""

import json

import pytest

from pipeline.chat.wire import WireSettings, build_world, message_item, own_turn, profile_of
from pipeline.rawread import shallow_object
from pipeline.testing.community import write_community
from stages.curate.spoken import spoken_part
from tests.curate.build import message


def written(found, settings):
    """Give everything that is made of a message: heard from somebody, and as the agent's own."""
    world = build_world(self_ids=["1300000000000000001"])
    found = {**found, "channel_id": "1200000000000000001"}
    item = message_item(found, world, settings, None)
    own = own_turn([found], world, settings)
    asked = [found.get(key) for key in ("id", "type", "edited_timestamp")]
    return (*asked, item, own)


@pytest.mark.parametrize("month", ["2026-08", "2026-09", "2026-10"])
def test_every_message_of_the_community_reads_the_same(tmp_path, month):
    """Replies, forwards, embeds, buttons, files, webhooks: none needs a field that is skipped."""
    corpus = write_community(tmp_path).folder
    settings = WireSettings(profile=profile_of(month))
    lines = [n for p in (corpus / "messages").iterdir() for n in p.read_bytes().splitlines()]
    whole = [shallow_object(line) for line in lines]
    asked = {key for one in whole for key in one if one[key]}
    assert asked >= {"message_snapshots", "embeds", "components", "attachments", "webhook_id"}
    for line, found in zip(lines, whole, strict=True):
        assert written(spoken_part(line), settings) == written(found, settings)


@pytest.mark.parametrize(
    "odd", [{"author": "bob"}, {"mentions": [1]}, {"author": 7, "x": "\ud800"}]
)
def test_what_is_odd_comes_whole(odd):
    """A part of the wrong kind is not hidden: the scribe must see it."""
    line = json.dumps({**message(1), **odd}).encode()
    found = spoken_part(line)
    assert found == shallow_object(line)
    assert "timestamp" in found
