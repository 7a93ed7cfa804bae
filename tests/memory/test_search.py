"""Search finds what was said, in any script, and shows where it stands in the pyramid."""

import json
import sqlite3
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from click.testing import CliRunner

from pipeline.cli.ask import ask as ask_command
from pipeline.errors import ArtifactError
from pipeline.memory import search_index
from pipeline.memory.pyramid_file import SCHEMA as PYRAMID_SCHEMA
from pipeline.memory.search import ask, find_places, neighbours
from pipeline.memory.search_dates import read_span
from pipeline.memory.search_index import open_fresh
from pipeline.memory.search_words import question_words, stem_russian

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
NOW = datetime(2026, 3, 18, 9, tzinfo=UTC)  # a Wednesday
FILLER = [("bo", f"the kettle number {n} is still cold") for n in range(40)]


def line(at, who, body, *, room="general", days=0):
    """Give one line of transcript.jsonl."""
    sent = START + timedelta(days=days, minutes=at)
    return {
        "id": f"m{at}",
        "participant": "user",
        "content": [{"type": "text", "text": f"{who}: {body}"}],
        "timestamp": round(sent.timestamp() * 1000),
        "metadata": {
            "channelId": f"discord:1:{room}",
            "channelName": room,
            "author": {"name": who},
            "rawContent": body,
        },
    }


def write(root, lines):
    """Write an agent's folder that holds a transcript."""
    (root / "tables").mkdir(exist_ok=True)
    (root / "agent.toml").write_text('[agent]\nname = "tilly"\ntimezone = "Europe/Berlin"\n')
    text = "".join(json.dumps(entry) + "\n" for entry in lines)
    (root / "tables/transcript.jsonl").write_text(text)


def talk(root, *said):
    """Write (author, words) pairs a minute apart, behind forty lines about kettles."""
    pairs = [*FILLER, *said]
    write(root, [line(at, who, body) for at, (who, body) in enumerate(pairs)])
    return open_fresh(root)


def best(db, question, now=NOW):
    """Give the words of the best message."""
    (place, *_) = find_places(db, question, read_span(question, now))
    return db.execute("select body from items where place = ?", (place,)).fetchone()[0]


def spaced(*said):
    """Put kettles between, so that windows do not help."""
    return [pair for entry in said for pair in (entry, *FILLER[:6])]


INVENTED = {
    "en": [
        ("Where did Mara lose her scarf?", "I lost my green scarf at the harbour"),
        ("What pets does Mara keep?", "two ferrets live with me, my only pet animals"),
    ],
    "ja": [
        ("猫の名前は何ですか?", "うちの猫の名前はモチです"),
        ("京都へはいつ行きましたか", "去年の秋に京都へ旅行した"),
        ("好きなコーヒー豆は?", "コーヒー豆はエチオピアが一番"),
        ("傘はどこ", "赤い傘を駅に忘れた"),
    ],
    "zh": [
        ("她的生日是哪一天?", "我的生日在冬至那天"),
        ("谁会弹钢琴?", "小时候学过弹钢琴"),
        ("灯笼在哪里买的", "灯笼是在旧城门买的"),
    ],
    "es": [
        ("¿Dónde compró la bicicleta?", "me compré una bicicleta azul en Sevilla"),
        ("¿Cómo se llaman los perros de Mara?", "mi perro se llama Trueno"),
        ("¿Quién toca la guitarra?", "toqué la guitarra toda la noche"),
        ("¿Cuándo es el cumpleanos de la abuela?", "el cumpleaños de mi abuela es el martes"),
    ],
    "ru": [
        ("Как зовут собаку?", "моя собака спит на балконе"),
        ("Кто купил гитару?", "вчера у меня появилась новая гитара"),
        ("Где лежат книги о море?", "книга про моря стоит на верхней полке"),
    ],
}


@pytest.mark.parametrize("language", INVENTED)
def test_questions_are_answered_in_any_script(tmp_path, language):
    """Each invented question finds its message first, among the others of its language."""
    pairs = INVENTED[language]
    db = talk(tmp_path, *spaced(*(("mara", said) for _, said in pairs)))
    assert [best(db, question) for question, _ in pairs] == [said for _, said in pairs]


def test_a_question_of_one_character_finds_it_inside_a_word(tmp_path):
    """Pairs alone would miss 猫 in 黒猫."""
    db = talk(tmp_path, ("mara", "黒猫を見た"))
    assert best(db, "猫") == "黒猫を見た"


def test_russian_endings_do_not_matter():
    """Cases of a noun are one word, and short words stay whole."""
    assert {stem_russian(w) for w in ("собака", "собаку", "собаки", "собакой")} == {"собак"}
    assert stem_russian("море") == "мор"


def test_particles_of_a_japanese_question_are_not_looked_for():
    """Pairs of hiragana alone say nothing where there is more."""
    assert question_words("猫ですか") == ["猫で", "猫"]
    assert question_words("どこ") == ["どこ"]


def test_an_answer_is_found_by_the_question_before_it(tmp_path):
    """The neighbour's words lead to a message that repeats none of them."""
    db = talk(tmp_path, ("bo", "where do you keep the accordion?"), ("mara", "under the stairs"))
    found = find_places(db, "accordion")
    assert 41 in found


def test_neighbours_are_of_the_same_room(tmp_path):
    """Talk elsewhere that lies between is neither shown nor found by."""
    rooms = ["attic", "cellar", "attic"]
    write(tmp_path, [line(n, "bo", f"word{n}", room=r) for n, r in enumerate(rooms)])
    db = open_fresh(tmp_path)
    assert find_places(db, "word1") == [1]
    hit = ask(db, "word0", NOW)[0]
    assert [m.body for m in neighbours(db, hit.message)] == ["word2"]


def test_whom_a_question_names_is_preferred_as_author(tmp_path):
    """Both say it; the one named comes first."""
    said = [("bo", "I like the lantern"), *FILLER[:6], ("mara", "I like the lantern too, really")]
    db = talk(tmp_path, *said)
    assert best(db, "does Mara like the lantern?") == "I like the lantern too, really"
    assert best(db, "does Bo like the lantern?") == "I like the lantern"


def test_a_room_named_with_its_sign_is_preferred(tmp_path):
    """The same words stand in two rooms; #cellar decides."""
    rooms = ["attic"] * 20 + ["cellar"] * 20
    lines = [line(n, "bo", "cold kettle", room=r) for n, r in enumerate(rooms)]
    lines[3] = line(3, "bo", "the ladder", room="attic")
    lines[33] = line(33, "bo", "the ladder and also some other things", room="cellar")
    write(tmp_path, lines)
    db = open_fresh(tmp_path)
    assert find_places(db, "ladder")[0] == 3
    assert find_places(db, "ladder in #cellar")[0] == 33


def test_a_time_that_is_named_is_preferred(tmp_path):
    """Two evenings with the same words; yesterday's is meant."""
    lines = [line(n, "bo", "cold kettle", days=n % 3) for n in range(40)]
    lines[5] = line(5, "bo", "we made soup", days=0)
    lines[25] = line(25, "bo", "we made soup and talked about it for long", days=16)
    write(tmp_path, lines)
    db = open_fresh(tmp_path)
    assert best(db, "who made soup") == "we made soup"
    assert best(db, "who made soup yesterday").endswith("for long")


SPANS = {
    "what happened last Tuesday?": ("2026-03-17", "2026-03-18"),
    "last Wednesday": ("2026-03-11", "2026-03-12"),
    "yesterday": ("2026-03-17", "2026-03-18"),
    "was war gestern": ("2026-03-17", "2026-03-18"),
    "last week": ("2026-03-09", "2026-03-16"),
    "im März": ("2026-03-01", "2026-04-01"),
    "3月に何をした": ("2026-03-01", "2026-04-01"),
    "2025年12月24日": ("2025-12-24", "2025-12-25"),
    "en diciembre": ("2025-12-01", "2026-01-01"),
    "что было в мае": ("2025-05-01", "2025-06-01"),
    "7 May 2023": ("2023-05-07", "2023-05-08"),
    "on May 7, 2023": ("2023-05-07", "2023-05-08"),
    "в прошлую пятницу": ("2026-03-13", "2026-03-14"),
    "el 3 de enero de 2024": ("2024-01-03", "2024-01-04"),
    "on 2026-02-03": ("2026-02-03", "2026-02-04"),
    "in 2024": ("2024-01-01", "2025-01-01"),
}


@pytest.mark.parametrize("question", SPANS)
def test_local_dates_are_understood(question):
    """Days and months are those of the reader's zone."""
    zone = ZoneInfo("Europe/Berlin")
    start, end = read_span(question, NOW.astimezone(zone))
    assert (f"{start:%Y-%m-%d}", f"{end:%Y-%m-%d}") == SPANS[question]
    assert start.tzinfo is zone
    assert start.hour == 0


@pytest.mark.parametrize(
    "question",
    ["may I come in?", "marching band", "she decided", "30 February 2024", "13月", "hierarchy"],
)
def test_what_is_no_date_is_not_taken_for_one(question):
    """Verbs, parts of words and days that do not exist name no time."""
    assert read_span(question, NOW) is None


def test_lines_that_were_appended_are_found_and_nothing_is_built_anew(tmp_path, monkeypatch):
    """An append gives the same answers as a new index, and leaves the build alone."""
    lines = [line(n, "bo", f"word{n}", room=("a", "b")[n % 3 == 0]) for n in range(12)]
    write(tmp_path, lines[:7])
    open_fresh(tmp_path).close()
    write(tmp_path, lines)
    with monkeypatch.context() as held:
        held.setattr(search_index, "build", None)
        db = open_fresh(tmp_path)
    appended = [find_places(db, f"word{n}") for n in range(12)]
    db.close()
    (tmp_path / "search.sqlite").unlink()
    anew = open_fresh(tmp_path)
    assert appended == [find_places(anew, f"word{n}") for n in range(12)]


def test_a_changed_line_builds_the_index_anew(tmp_path):
    """An edit in the middle is found, and the old words are gone."""
    lines = [line(n, "bo", f"w{n}") for n in range(9)]
    write(tmp_path, lines)
    open_fresh(tmp_path).close()
    lines[4] = line(4, "bo", "quite another thing")
    write(tmp_path, lines)
    db = open_fresh(tmp_path)
    assert find_places(db, "w4") == []
    assert find_places(db, "another")[0] == 4


def test_a_broken_index_is_built_anew(tmp_path):
    """It is derived: nobody has to repair it. It is private too."""
    talk(tmp_path, ("mara", "the lantern")).close()
    (tmp_path / "search.sqlite").write_bytes(b"this is no database, but long enough" * 9)
    assert best(open_fresh(tmp_path), "lantern") == "the lantern"
    assert (tmp_path / "search.sqlite").stat().st_mode & 0o077 == 0


def test_without_a_transcript_the_next_step_is_told(tmp_path):
    """The error names the stage to run."""
    with pytest.raises(ArtifactError, match="run curate"):
        open_fresh(tmp_path)


def test_an_own_turn_is_shown_in_the_room_that_others_name(tmp_path):
    """A turn's line holds the room's id alone."""
    turn = line(1, "tilly", "lantern") | {"participant": "tilly"}
    turn["metadata"] = {"channelId": "discord:1:attic", "messageIds": ["m1", "m2"]}
    write(tmp_path, [line(0, "bo", "kettle", room="attic"), turn])
    message = ask(open_fresh(tmp_path), "lantern", NOW)[0].message
    assert (message.room, message.author, message.message_ids) == ("attic", "tilly", ("m1", "m2"))


def test_notices_are_not_indexed(tmp_path):
    """A receipt is no talk."""
    notice = line(1, "bo", "lantern") | {"id": "m1/receipt"}
    write(tmp_path, [line(0, "bo", "kettle"), notice])
    assert find_places(open_fresh(tmp_path), "lantern") == []


@pytest.mark.parametrize("question", ['"', "a OR b", "NEAR(", "*", "x' --", "-", "👋", "the of"])
def test_no_question_breaks_the_search(tmp_path, question):
    """What is syntax to the index is plain words to us."""
    find_places(talk(tmp_path), question)
    ask(open_fresh(tmp_path), question, NOW)


def fold(root, *memories):
    """Write a pyramid of (id, level, text, first item, last item)."""
    path = root / "pyramid.sqlite"
    path.unlink(missing_ok=True)
    db = sqlite3.connect(path)
    db.executescript(PYRAMID_SCHEMA)
    names = [c[1] for c in db.execute("pragma table_info(memories)")]
    for memory_id, level, text, first, last in memories:
        held = dict.fromkeys(names, "[]") | {
            "memory_id": memory_id, "number": int(memory_id.split("-")[1]), "level": level,
            "text": text, "headline": text, "tokens": 1, "first_item_id": first,
            "last_item_id": last, "started_at": START.isoformat(), "ended_at": NOW.isoformat(),
            "chunk_id": memory_id, "parent_id": None, "is_witnessed": 0, "is_stub": 0,
            "private_share": 0.0, "parallel": 1,
        }  # fmt: skip
        db.execute(
            f"insert into memories values ({','.join('?' * len(names))})", list(held.values())
        )
    db.commit()
    db.close()


def test_a_hit_names_the_memories_above_it_and_a_memory_its_message(tmp_path):
    """The tree is walked up from a message and down from a memory."""
    said = spaced(("mara", "the brass lantern hangs by the door"))
    fold(
        tmp_path,
        ("L1-1", 1, "kettles all evening", "m0", "m38"),
        ("L1-2", 1, "Mara told where the lantern hangs", "m39", "m46"),
        ("L2-3", 2, "an evening of things", "m0", "m46"),
    )
    hits = ask(talk(tmp_path, *said), "where does the lantern hang?", NOW)
    assert hits[0].memory is None
    assert [m.memory_id for m in hits[0].above] == ["L1-2", "L2-3"]
    remembered = next(h for h in hits if h.memory)
    assert remembered.memory.memory_id == "L1-2"
    assert remembered.message.item_id == "m40"


def test_a_changed_pyramid_is_seen_without_a_new_transcript(tmp_path):
    """Only the memories are taken again."""
    talk(tmp_path, ("mara", "the lantern")).close()
    fold(tmp_path, ("L1-1", 1, "an accordion", "m0", "m40"))
    assert ask(open_fresh(tmp_path), "accordion", NOW)[0].memory.memory_id == "L1-1"


def test_ask_prints_id_time_and_room_in_local_time(tmp_path):
    """What people read is local; --json is for programs."""
    talk(tmp_path, ("mara", "the lantern hangs by the door")).close()
    shown = CliRunner().invoke(ask_command, ["lantern", "--agent", str(tmp_path)])
    assert "2026-03-01 13:40  #general  m40" in shown.output
    assert "> mara: the lantern hangs by the door" in shown.output
    given = CliRunner().invoke(ask_command, ["lantern", "--json", "-n1", "--agent", str(tmp_path)])
    assert json.loads(given.output)["message"]["item_id"] == "m40"


def test_no_dataframe_library_is_loaded_for_a_question(tmp_path):
    """Not even where the index is built on the way."""
    talk(tmp_path, ("mara", "the lantern")).close()
    (tmp_path / "search.sqlite").unlink()
    program = (
        "import sys\nfrom pipeline.cli import main\n"
        "try:\n    main()\nexcept SystemExit as end:\n    code = end.code\n"
        "assert not {'polars', 'pyarrow', 'numpy'} & set(sys.modules), 'heavy'\nsys.exit(code)"
    )
    command = [sys.executable, "-c", program, "ask", "lantern", "--agent", str(tmp_path)]
    subprocess.run(command, check=True, capture_output=True)
