"""Every kind of fault reaches the client as Discord or its edge would send it."""

import json

import httpx
import pytest

from pipeline.errors import UsageError
from pipeline.testing.double import Double, Fault, Limits, read_faults
from pipeline.testing.double.faults import KINDS
from tests.double.small import client, get, ids, lines, room, write

AT = "/channels/700/messages"


@pytest.fixture
def double(tmp_path):
    rows = lines("700", *range(1, 21))
    folder = write(
        tmp_path / "c", channels=[room("700"), room("701", deny=1 << 10)], messages={"700": rows}
    )
    with Double(folder) as running:
        yield running


def test_an_ordinary_answer_has_all_headers(double):
    """JSON without a charset, a Via, and the five headers of a bucket."""
    head = get(double, AT).headers
    assert head["Content-Type"] == "application/json"
    assert head["Via"]
    for name in ("Limit", "Remaining", "Reset", "Reset-After", "Bucket"):
        assert f"X-RateLimit-{name}" in head


@pytest.mark.parametrize("authorization", ["double.bot.token", "Bot wrong", "Bearer x", ""])
def test_any_other_token_is_unauthorized(double, authorization):
    """401 for a wrong one, for one without `Bot `, and for none (B071)."""
    answer = httpx.get(double.url + "/users/@me", headers={"Authorization": authorization})
    assert (answer.status_code, answer.json()["code"]) == (401, 0)


def test_the_gateway_and_writes_are_refused_and_remembered(double):
    """A dump must never come here; the record would show it."""
    with client(double) as http:
        assert http.get("/gateway/bot").status_code == 403
        assert http.post(AT, json={"content": "no"}).status_code == 405
        assert http.get("/no/such/route").status_code == 404
    assert [(w.method, w.path) for w in double.writes()] == [("POST", AT)]


def test_opening_a_dm_is_one_write(double):
    """The DM is made once and found again."""
    with client(double) as http:
        made = http.post("/users/@me/channels", json={"recipient_id": "11"}).json()
        again = http.post("/users/@me/channels", json={"recipient_id": "11"}).json()
        unknown = http.post("/users/@me/channels", json={"recipient_id": "77"})
        assert made["id"] == again["id"]
        assert http.get(f"/channels/{made['id']}/messages").json() == []
        assert unknown.json()["code"] == 10013
    assert [w.route for w in double.writes()] == ["open dm"] * 3


def test_a_fault_holds_for_the_requests_it_names(double):
    """After one that passes, two fail, then all is well; other routes never fail (B052)."""
    double.faults.add(Fault("status", "messages", skip=1, times=2, status=503))
    assert [get(double, AT).status_code for _ in range(4)] == [200, 503, 503, 200]
    assert [r.status for r in double.asked("messages")] == [200, 503, 503, 200]


def test_a_fault_can_name_a_channel_or_a_cursor(double):
    """`where` looks at the path and the query."""
    double.faults.add(Fault("status", "messages", {"channel": "700", "before": "9"}, times=None))
    assert get(double, AT).status_code == 200
    assert get(double, AT, before="9").status_code == 500
    double.faults.clear()
    assert get(double, AT, before="9").status_code == 200


@pytest.mark.parametrize("scope", ["user", "global", "shared"])
def test_limited_says_how_long_and_for_whom(double, scope):
    """Retry-After in header and body; global in both; a wait of hours is just a number (B049)."""
    double.faults.add(Fault("limited", retry_after=7200.5, scope=scope, remaining=3))
    answer = get(double, AT)
    assert answer.status_code == 429
    assert answer.json()["retry_after"] == 7200.5
    assert float(answer.headers["Retry-After"]) == 7200.5
    assert answer.headers["X-RateLimit-Scope"] == scope
    assert answer.headers["X-RateLimit-Remaining"] == "3"
    assert answer.json()["global"] == (scope == "global")
    assert ("X-RateLimit-Global" in answer.headers) == (scope == "global")
    assert "Via" in answer.headers


@pytest.mark.parametrize("status", [429, 403, 400])
def test_the_edge_speaks_html_without_via(double, status):
    """B050: no JSON, no Via, no Retry-After."""
    double.faults.add(Fault("edge", status=status))
    answer = get(double, AT)
    assert answer.status_code == status
    assert answer.text.startswith("<!DOCTYPE html>")
    assert not {"via", "retry-after"} & set(answer.headers)


@pytest.mark.parametrize("sent", [0, 100])
def test_a_reset_breaks_the_line(double, sent):
    """Before the head or in the midst of the body; the next request is fine."""
    double.faults.add(Fault("reset", "messages", bytes=sent))
    with pytest.raises((httpx.RemoteProtocolError, httpx.ReadError)):
        get(double, AT)
    assert double.requests[-1].status == 0
    assert len(ids(get(double, AT))) == 20


def test_slow_bytes_and_a_stall_are_whole_in_the_end(double):
    """They only take their time."""
    double.faults.add(Fault("slow", bytes=200, seconds=0.05), Fault("stall", skip=1, seconds=0.05))
    assert len(ids(get(double, AT))) == 20
    assert len(ids(get(double, AT))) == 20


def test_a_truncated_body_is_good_http_and_broken_json(double):
    """The length fits, the brackets do not."""
    double.faults.add(Fault("truncated", bytes=50))
    answer = get(double, AT)
    assert len(answer.content) == 50
    with pytest.raises(json.JSONDecodeError):
        answer.json()


def test_wrong_type_and_no_via_leave_the_body(double):
    """Only a header is off."""
    double.faults.add(Fault("wrong type"), Fault("no via", skip=1))
    assert get(double, AT).headers["Content-Type"] == "application/json; charset=utf-8"
    assert "Via" not in get(double, AT).headers


def test_answer_says_what_it_is_told(double):
    """A user's account behind the token, for one (B072)."""
    double.faults.add(Fault("answer", "me", body={"id": "1", "username": "ann"}))
    assert get(double, "/users/@me").json() == {"id": "1", "username": "ann"}


def test_same_page_ignores_the_cursor(double):
    """B028: the newest page again and again."""
    double.faults.add(Fault("same page", times=None))
    assert ids(get(double, AT, limit=2, before=5)) == [20, 19]


def test_out_of_order_shuffles_within_the_page(double):
    """The same ids, not sorted: first and last are no cursors."""
    double.faults.add(Fault("out of order"))
    got = ids(get(double, AT))
    assert got != sorted(got, reverse=True)
    assert sorted(got) == list(range(1, 21))


def test_faults_are_read_from_a_file(tmp_path):
    """The docstring's example line is one; a wrong field or kind is refused by name."""
    path = tmp_path / "faults.json"
    path.write_text(json.dumps([{"kind": "limited", "route": "messages", "skip": 2}]))
    assert read_faults(path) == [Fault("limited", "messages", skip=2)]
    path.write_text(json.dumps([{"kind": "limited", "rout": "messages"}]))
    with pytest.raises(UsageError, match="no field rout"):
        read_faults(path)
    path.write_text(json.dumps([{"kind": "flood"}]))
    with pytest.raises(UsageError, match="no kind 'flood'"):
        read_faults(path)
    path.write_text("{}")
    with pytest.raises(UsageError, match="list of"):
        read_faults(path)


def test_every_kind_is_told_of():
    """The module's docstring has a line for each."""
    from pipeline.testing.double import faults

    assert [k for k in KINDS if f"    {k} " not in faults.__doc__] == []


def test_buckets_count_down_and_refuse(tmp_path):
    """Two a window for each route and channel, then 429 with scope user."""
    folder = write(tmp_path / "c", channels=[room("700"), room("702")])
    limits = Limits(per_bucket=2, window_seconds=60)
    with Double(folder, limits=limits) as double:
        answers = [get(double, AT) for _ in range(3)]
        assert [a.status_code for a in answers] == [200, 200, 429]
        assert [a.headers["X-RateLimit-Remaining"] for a in answers] == ["1", "0", "0"]
        assert answers[2].headers["X-RateLimit-Scope"] == "user"
        assert 0 < answers[2].json()["retry_after"] <= 60
        assert get(double, "/channels/702/messages").status_code == 200
        assert get(double, "/channels/700").status_code == 200
        double.world.skew_seconds += 61
        assert get(double, AT).status_code == 200


def test_the_global_limit_counts_over_all_routes(tmp_path):
    """Two a second: the third is refused with scope global."""
    folder = write(tmp_path / "c", channels=[room("700")])
    with Double(folder, limits=Limits(per_second=2), clock=lambda: 1_800_000_000.0) as double:
        got = [get(double, path) for path in ("/users/@me", AT, "/users/@me/guilds")]
        assert [a.status_code for a in got] == [200, 200, 429]
        assert got[2].headers["X-RateLimit-Global"] == "true"


def test_too_many_invalid_requests_close_the_edge(tmp_path):
    """B044: refusals add up; beyond the limit all get the edge's page for a while."""
    folder = write(tmp_path / "c", channels=[room("701", deny=1 << 10)])
    with Double(folder, limits=Limits(invalid=3, edge_seconds=60)) as double:
        got = [get(double, "/channels/701/messages").status_code for _ in range(4)]
        assert got == [403] * 4
        assert get(double, "/users/@me").headers["Content-Type"].startswith("text/html")
        double.world.skew_seconds += 61
        assert get(double, "/users/@me").status_code == 200


def test_repeated_requests_are_found(double):
    """What was answered whole and asked again; a retry after 503 is none."""
    double.faults.add(Fault("status", "me", status=503))
    get(double, "/users/@me"), get(double, "/users/@me"), get(double, AT), get(double, AT)
    assert [r.path for r in double.repeated()] == [AT]
