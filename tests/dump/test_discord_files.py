"""Attachments: what is fetched, without the token, while links are fresh, and what is noted."""

import hashlib
import json

import pytest

from pipeline.testing.double import Fault
from stages.dump.discord.harvest import Attached
from stages.dump.discord.wanted import amount, kind_of, want
from tests.dump.discord_desk import NOW, Double, channel, corpus, go, message, snowflake

PNG = b"\x89PNG not really"


def attached(number, name="a.png", kind="image/png", body=PNG, size=None):
    return {"id": str(number), "filename": name, "content_type": kind,
            "size": len(body) if size is None else size,
            "url": f"https://cdn.discordapp.com/attachments/700/{number}/x"}  # fmt: skip


def with_files(tmp_path, given, bodies, **more):
    """Write a room whose n-th message carries the n-th attachment."""
    rows = [message(snowflake(n), 700, "", attachments=[a]) for n, a in enumerate(given)]
    folder = corpus(tmp_path / "c", [channel(700)], {700: [*rows, *more.get("rows", ())]})
    (folder / "files").mkdir(exist_ok=True)
    for number, body in bodies.items():
        (folder / "files" / str(number)).write_bytes(body)
    return folder


def states(tmp_path):
    path = tmp_path / "a/raw/attachments.jsonl"
    rows = [json.loads(x) for x in path.read_bytes().splitlines()] if path.exists() else []
    return {r["attachment_id"]: r for r in rows}, rows


def fetched(double):
    return [r for r in double.requests if r.route == "file"]


def test_an_image_is_kept_under_its_digest_and_fetched_without_the_token(tmp_path):
    """The token goes to the API alone; the bytes lie where their own digest says."""
    with Double(with_files(tmp_path, [attached(1)], {1: PNG})) as double:
        said, _, left = go(tmp_path / "a", double)
        assert [r.had_token for r in fetched(double)] == [False]
    (by_id, _), digest = states(tmp_path), hashlib.sha256(PNG).hexdigest()
    assert by_id["1"]["state"] == "kept"
    assert by_id["1"]["sha256"] == digest
    assert (tmp_path / "a/raw/attachments" / digest[:2] / digest).read_bytes() == PNG
    assert left == []
    assert any("to fetch: 1 image" in line for line in said)


def test_the_total_is_told_before_the_first_file_is_fetched(tmp_path):
    """The number and size are known once the messages are read."""
    told = []

    def note(double):
        told.append(len(fetched(double)))

    with Double(with_files(tmp_path, [attached(1), attached(2)], {1: PNG, 2: PNG})) as double:
        double.faults.add(Fault("hook", route="file", action=note))
        said, _, _ = go(tmp_path / "a", double)
    assert told == [0]
    total = f"to fetch: 2 image, {amount(2 * len(PNG))} in all"
    assert [line for line in said if line.endswith(total)]


@pytest.mark.parametrize(
    ("mode", "kept"),
    [("none", set()), ("text", {"2"}), ("images", {"1", "2"}), ("all", {"1", "2", "3"})],
)
def test_what_is_wanted_is_by_kind_and_the_rest_is_noted(tmp_path, mode, kept):
    """attachments = none, text, images, all: each file left has a line with its state."""
    given = [attached(1), attached(2, "n.txt", "text/plain", b"hi"),
             attached(3, "v.mp4", "video/mp4", b"film")]  # fmt: skip
    with Double(with_files(tmp_path, given, {1: PNG, 2: b"hi", 3: b"film"})) as double:
        go(tmp_path / "a", double, attachments=mode)
    by_id, _ = states(tmp_path)
    assert {i for i, r in by_id.items() if r["state"] == "kept"} == kept
    assert {r["state"] for i, r in by_id.items() if i not in kept} <= {"not asked"}
    assert len(by_id) == 3


def test_a_wider_wish_later_fetches_what_was_not_asked_for(tmp_path):
    """The link is not known any more: the message is read again for a fresh one."""
    with Double(with_files(tmp_path, [attached(1)], {1: PNG})) as double:
        go(tmp_path / "a", double, attachments="none")
        go(tmp_path / "a", double, attachments="images")
    by_id, rows = states(tmp_path)
    assert by_id["1"]["state"] == "kept"
    assert [r["state"] for r in rows] == ["not asked", "kept"]


def test_too_large_is_a_state(tmp_path):
    """Over attachment_max_mb nothing is asked; a raised limit fetches it."""
    big = attached(1, body=b"x" * 2_000_000)
    with Double(with_files(tmp_path, [big], {1: b"x" * 2_000_000})) as double:
        go(tmp_path / "a", double, attachment_max_mb=1)
        assert fetched(double) == []
        assert states(tmp_path)[0]["1"]["state"] == "too large"
        go(tmp_path / "a", double, attachment_max_mb=8)
    assert states(tmp_path)[0]["1"]["state"] == "kept"


def test_a_link_that_ran_out_is_renewed_and_one_attachment_is_one(tmp_path):
    """Row B065: dumped today, fetched two days later under other `ex` and `hm`: one file."""
    with Double(with_files(tmp_path, [attached(1)], {1: PNG})) as double:
        fault = Fault("status", route="file", status=500, times=None)
        double.faults.add(fault)
        _, _, left = go(tmp_path / "a", double)
        assert states(tmp_path)[0]["1"]["state"] == "failed"
        assert left
        double.faults.clear()
        double.world.skew_seconds += 48 * 3_600
        _, _, left = go(tmp_path / "a", double)
    assert left == []
    by_id, rows = states(tmp_path)
    assert [r["state"] for r in rows] == ["failed", "kept"]
    assert len(by_id) == 1


def test_a_dead_link_within_a_run_is_renewed_at_once(tmp_path):
    """Row B065: a day went by since the messages were read: the link is read again."""

    def a_day_later(double):
        double.world.skew_seconds += 25 * 3_600

    with Double(with_files(tmp_path, [attached(1)], {1: PNG})) as double:
        double.faults.add(Fault("hook", route="members", action=a_day_later))
        go(tmp_path / "a", double)
        assert [r.status for r in fetched(double)] == [404, 200]
    assert states(tmp_path)[0]["1"]["state"] == "kept"


def test_what_was_kept_is_never_fetched_again(tmp_path):
    """Row B066: the state says so, not a file's mere existence."""
    with Double(with_files(tmp_path, [attached(1)], {1: PNG})) as double:
        go(tmp_path / "a", double)
        double.requests.clear()
        go(tmp_path / "a", double)
        assert fetched(double) == []


@pytest.mark.parametrize("body", [b"", b"short", PNG + b"longer"])
def test_a_file_of_another_size_is_not_kept(tmp_path, body):
    """Row B066: 0 bytes, too few, too many: failed, exit 3, nothing under a digest, no rubbish."""
    with Double(with_files(tmp_path, [attached(1)], {1: body})) as double:
        _, _, left = go(tmp_path / "a", double)
    assert states(tmp_path)[0]["1"]["state"] == "failed"
    assert left
    assert [p for p in (tmp_path / "a/raw/attachments").rglob("*") if p.is_file()] == []


def test_a_broken_download_is_tried_again(tmp_path):
    """Row B066: the line was cut after eight bytes; the second try brings all."""
    fault = Fault("reset", route="file", bytes=8)
    with Double(with_files(tmp_path, [attached(1)], {1: PNG}), faults=[fault]) as double:
        go(tmp_path / "a", double)
    assert states(tmp_path)[0]["1"]["state"] == "kept"


def test_a_name_that_no_disk_takes_does_no_harm(tmp_path):
    """Row B067: the name is metadata; the place is the digest."""
    name = "a." + "x" * 300
    with Double(with_files(tmp_path, [attached(1, name, "image/png")], {1: PNG})) as double:
        go(tmp_path / "a", double)
    got = states(tmp_path)[0]["1"]
    assert got["state"] == "kept"
    assert got["filename"] == name


def test_a_file_whose_message_is_deleted_is_gone_and_no_failure(tmp_path):
    """The link ran out and the message is no more: an answer."""
    with Double(with_files(tmp_path, [attached(1)], {1: PNG})) as double:
        go(tmp_path / "a", double, attachments="none")
        double.world.delete_message("700", str(snowflake(0)))
        _, _, left = go(tmp_path / "a", double)
    assert states(tmp_path)[0]["1"]["state"] == "gone"
    assert left == []


def test_a_forwarded_file_is_fetched_once_for_both_places(tmp_path):
    """A snapshot repeats an attachment id: two lines, one download."""
    snapshot = {"message": {"content": "", "attachments": [attached(1)]}}
    forward = message(snowflake(50), 700, "", message_snapshots=[snapshot],
                      message_reference={"type": 1, "channel_id": "700"})  # fmt: skip
    folder = with_files(tmp_path, [attached(1)], {1: PNG}, rows=[forward])
    with Double(folder) as double:
        go(tmp_path / "a", double)
        assert len(fetched(double)) == 1


@pytest.mark.parametrize(
    ("url", "fresh"),
    [
        ("https://cdn.discordapp.com/attachments/1/2/a.png?ex=ffffffff&is=1&hm=2", True),
        ("https://cdn.discordapp.com/attachments/1/2/a.png?ex=60000000&is=1&hm=2", False),
        ("https://cdn.discordapp.com/attachments/1/2/a.png", True),
        ("https://elsewhere.example/attachments/1/2/a.png", False),
        ("media/a.png", False),
        ("", False),
    ],
)
def test_only_a_link_of_the_cdn_that_has_not_run_out_is_followed(url, fresh):
    """A url in a message is data: another host is never asked, an old link is renewed first."""
    from types import SimpleNamespace

    from stages.dump.discord.files import Fetcher
    from stages.dump.discord.routes import API

    trip = SimpleNamespace(client=SimpleNamespace(base=API), now=lambda: NOW)
    assert Fetcher(trip, None, None).is_fresh(url) is fresh


def test_kinds_follow_the_wire_format():
    """Its part 4: image/…; text/… or a listed ending, or small without a type."""

    def kind(name, declared, size=10):
        return kind_of(Attached("1", "2", "3", name, declared, size))

    assert kind("a.bin", "image/png") == "image"
    assert kind("a.PNG", None) == "image"
    assert kind("notes.MD", "application/octet-stream") == "text"
    assert kind("x", "text/plain; charset=utf-8") == "text"
    assert kind("x", None) == "text"
    assert kind("x", None, 262_145) == "other"
    assert kind("a.pdf", "application/pdf") == "other"


def test_settled_files_rest():
    """Kept and gone ones are neither fetched nor noted again."""
    file = Attached("1", "2", "3", "a.png", "image/png", 5, "u")
    row = {"channel_id": "1", "message_id": "2", "attachment_id": "3", "filename": "a.png",
           "content_type": "image/png", "size": 5, "state": "kept"}  # fmt: skip
    assert want([file], {("1", "3"): row}, "all", None).fetch == ()
    assert want([file], {}, "all", None).fetch == (file,)
