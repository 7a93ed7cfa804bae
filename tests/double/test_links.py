"""Links to attachments are signed, live a day, and need no token."""

import httpx

from pipeline.testing.double import Double, Fault
from tests.double.small import get, room, said, write

OLD = "https://cdn.discordapp.com/attachments/700/77/a%20b.png?ex=1&is=1&hm=1&"


def corpus(tmp_path):
    picture = {"id": "77", "filename": "a b.png", "size": 4, "url": OLD, "proxy_url": OLD}
    own = said(10, "700", attachments=[picture])
    reply = said(20, "700", type=19, referenced_message=own)
    snapshot = {"message": {"content": "", "attachments": [picture]}}
    forward = said(
        30,
        "701",
        message_snapshots=[snapshot],
        message_reference={"type": 1, "channel_id": "700", "message_id": "10"},
    )
    folder = write(
        tmp_path / "c",
        channels=[room("700"), room("701")],
        messages={"700": [own, reply], "701": [forward]},
    )
    (folder / "files").mkdir()
    (folder / "files" / "77").write_bytes(b"data")
    return folder


def test_a_link_is_fresh_in_every_answer_and_dies_after_a_day(tmp_path):
    """Re-reading the message gives a link that works again (B065)."""
    with Double(corpus(tmp_path)) as double:
        link = get(double, "/channels/700/messages/10").json()["attachments"][0]["url"]
        assert link.startswith(f"{double.base}/attachments/700/77/a%20b.png?ex=")
        assert httpx.get(link).content == b"data"
        double.world.skew_seconds += 25 * 3600
        assert httpx.get(link).status_code == 404
        fresh = get(double, "/channels/700/messages/10").json()["attachments"][0]["url"]
        assert fresh != link
        assert httpx.get(fresh).content == b"data"
        assert [r.had_token for r in double.asked("file")] == [False] * 3


def test_a_link_without_its_signature_is_dead(tmp_path):
    """No query, a changed expiry, another file: all 404."""
    with Double(corpus(tmp_path)) as double:
        link = get(double, "/channels/700/messages/10").json()["attachments"][0]["url"]
        for bad in (link.split("?")[0], link.replace("ex=", "ex=f"), link.replace("/77/", "/78/")):
            assert httpx.get(bad).status_code == 404


def test_reply_targets_and_forwards_get_fresh_links_too(tmp_path):
    """A forward's attachment lies in the folder of the room it came from."""
    with Double(corpus(tmp_path)) as double:
        reply = get(double, "/channels/700/messages/20").json()
        assert "hm=1&" not in reply["referenced_message"]["attachments"][0]["url"]
        forward = get(double, "/channels/701/messages").json()[0]
        assert "/700/77/" in forward["message_snapshots"][0]["message"]["attachments"][0]["url"]
        assert "channel_id" not in forward["message_snapshots"][0]["message"]


def test_a_file_can_come_empty_or_not_at_all(tmp_path):
    """B066: faults hold on the CDN as anywhere."""
    with Double(corpus(tmp_path)) as double:
        link = get(double, "/channels/700/messages/10").json()["attachments"][0]["url"]
        empty = Fault("answer", "file", body="", content_type="image/png")
        double.faults.add(empty, Fault("status", "file", skip=1, status=503))
        assert httpx.get(link).content == b""
        assert httpx.get(link).status_code == 503
        assert httpx.get(link).content == b"data"
