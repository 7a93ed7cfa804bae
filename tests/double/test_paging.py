"""Pages of messages come as Discord gives them."""

import json

import pytest

from pipeline.errors import SourceError
from pipeline.testing.double import Double
from tests.double.small import client, get, ids, lines, room, said, write


@pytest.fixture
def ten(tmp_path):
    """Channel 700 with messages 10, 20 … 100."""
    rows = lines("700", *range(10, 101, 10))
    with Double(write(tmp_path / "c", channels=[room("700")], messages={"700": rows})) as double:
        yield double


def page(double, **params):
    return ids(get(double, "/channels/700/messages", **params))


def test_a_page_is_newest_first_whichever_cursor(ten):
    """before gives the newest below, after the oldest above, and both list downwards."""
    assert page(ten, limit=3) == [100, 90, 80]
    assert page(ten, limit=3, before=50) == [40, 30, 20]
    assert page(ten, limit=3, after=50) == [80, 70, 60]
    assert page(ten, limit=3, after=0) == [30, 20, 10]


def test_cursors_are_exclusive_and_need_not_exist(ten):
    """The cursor's own message is left out; any number between messages works."""
    assert page(ten, after=90) == [100]
    assert page(ten, before=25) == [20, 10]
    assert page(ten, before=10) == []
    assert page(ten, after=100) == []


def test_around_has_the_middle_in_its_midst(ten):
    """The hole-repair cursor gives both sides."""
    assert page(ten, around=50, limit=3) == [60, 50, 40]


def test_a_walk_by_the_lowest_id_sees_each_message_once(ten):
    """Ten messages in pages of three: three full pages and a short one."""
    seen, before = [], 1 << 62
    while got := page(ten, limit=3, before=before):
        seen += got
        before = min(got)
    assert seen == list(range(100, 0, -10))


@pytest.mark.parametrize("limit", ["0", "101", "-1", "many"])
def test_a_limit_out_of_bounds_is_a_bad_form(ten, limit):
    """1 to 100 for messages; anything else is 400 50035 naming the field."""
    answer = get(ten, "/channels/700/messages", limit=limit)
    assert answer.status_code == 400
    assert answer.json()["code"] == 50035
    assert "limit" in answer.json()["errors"]


def test_the_default_limit_is_fifty(tmp_path):
    """A client that forgets the limit gets half of what it could."""
    rows = lines("700", *range(1, 81))
    with Double(write(tmp_path / "c", channels=[room("700")], messages={"700": rows})) as double:
        assert len(page(double)) == 50


def test_lines_come_through_byte_for_byte(tmp_path):
    """What needs no change is not decoded: a lone surrogate and an unknown key survive."""
    folder = write(tmp_path / "c", channels=[room("700")])
    line = b'{"id": "5", "odd": {"b": 1.50}, "content": "cut \\ud83d"}'
    (folder / "messages" / "700.jsonl").write_bytes(line + b"\n")
    with Double(folder) as double:
        assert get(double, "/channels/700/messages").content == b"[" + line + b"]"
        assert get(double, "/channels/700/messages/5").content == line


def test_file_order_does_not_matter_and_the_last_line_of_an_id_wins(tmp_path):
    """A folder of appended evidence can be served too."""
    rows = [said(30, "700"), said(10, "700", "old"), said(20, "700"), said(10, "700", "new")]
    with Double(write(tmp_path / "c", channels=[room("700")], messages={"700": rows})) as double:
        assert page(double) == [30, 20, 10]
        assert get(double, "/channels/700/messages/10").json()["content"] == "new"


def test_one_message_is_found_or_unknown(ten):
    """10008 for a hole, 10003 for a channel that never was."""
    assert get(ten, "/channels/700/messages/50").json()["id"] == "50"
    assert get(ten, "/channels/700/messages/55").json()["code"] == 10008
    assert get(ten, "/channels/701/messages").json()["code"] == 10003


def test_pins_come_by_the_time_of_pinning(tmp_path):
    """Last pinned first, two pages, and the old route without times."""
    rows = [said(n, "700", pinned=n != 30) for n in (10, 20, 30, 40)]
    pins = [
        {"message_id": str(n), "pinned_at": f"2026-02-0{day}T00:00:00+00:00"}
        for n, day in ((10, 3), (20, 1), (40, 2))
    ]
    folder = write(
        tmp_path / "c", channels=[room("700")], messages={"700": rows}, pins={"700": pins}
    )
    with Double(folder) as double:
        first = get(double, "/channels/700/messages/pins", limit=2).json()
        assert [i["message"]["id"] for i in first["items"]] == ["10", "40"]
        assert first["has_more"]
        before = first["items"][-1]["pinned_at"]
        rest = get(double, "/channels/700/messages/pins", before=before).json()
        assert [i["message"]["id"] for i in rest["items"]] == ["20"]
        assert not rest["has_more"]
        assert ids(get(double, "/channels/700/pins")) == [10, 40, 20]


def test_who_reacted_and_who_voted(tmp_path):
    """Ascending user ids above the cursor; an unknown emoji is 10014 (B016)."""
    folder = write(
        tmp_path / "c",
        channels=[room("700")],
        messages={"700": [said(10, "700")]},
        users=[{"id": "12", "username": "bo"}, {"id": "13", "username": "cy"}],
        reactors={"10": {"👍🏽": ["13", "11", "12"]}},
        voters={"10": {"1": ["12"]}},
    )
    with Double(folder) as double, client(double) as http:
        at = "/channels/700/messages/10/reactions/%F0%9F%91%8D%F0%9F%8F%BD"
        assert ids(http.get(at)) == [11, 12, 13]
        assert ids(http.get(at, params={"after": 11, "limit": 1})) == [12]
        unknown = http.get("/channels/700/messages/10/reactions/x:31")
        assert (unknown.status_code, unknown.json()["code"]) == (400, 10014)
        users = http.get("/channels/700/polls/10/answers/1").json()["users"]
        assert [u["username"] for u in users] == ["bo"]


def test_a_torn_line_in_a_corpus_is_named(tmp_path):
    """The double does not serve what is no message."""
    folder = write(tmp_path / "c", channels=[room("700")])
    (folder / "messages" / "700.jsonl").write_bytes(b'{"id": "5", "cont')
    with pytest.raises(SourceError, match=r"700\.jsonl: bytes 0 to 17"):
        Double(folder).world.shelf("700")


def test_a_folder_without_a_guild_file_is_no_corpus(tmp_path):
    """The error says what a corpus folder has."""
    with pytest.raises(SourceError, match=r"guild\.json"):
        Double(tmp_path)
    (tmp_path / "guild.json").write_text(json.dumps({"guilds": []}))
    with pytest.raises(SourceError, match="self"):
        Double(tmp_path)
