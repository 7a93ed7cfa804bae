"""The embedded model quotes what tells most: who, when, where, names, numbers, any script."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from pipeline.models.acceptance import Accepted, judge
from pipeline.models.extractive import (
    LEAST_ROOM,
    MARK,
    SHARE,
    Extractive,
    remember,
    render,
    room_for,
)
from pipeline.models.failures import BadRequestError
from pipeline.models.material import Material, Spoken
from pipeline.models.picking import LEAST_TOLD, Offer, lead, lead_length, pick, write
from tests.models.asking import ask

START = datetime(2026, 3, 4, 20, 0, tzinfo=UTC)


def talk(*lines, room="#workshop", zone=UTC, start=START, **changes):
    """Build talk from (author, text) pairs, a minute apart; `tilly` is the agent."""
    return Material(
        tuple(
            Spoken(
                author,
                text,
                (start + timedelta(minutes=n)).astimezone(zone),
                room,
                is_self=author == "tilly",
                **changes,
            )
            for n, (author, text) in enumerate(lines)
        )
    )


EVENING = talk(
    ("mara", "Hey Tilly! How are you?"),
    ("tilly", "Hi Mara! I'm fine, thanks. I sorted 312 photos of the harbour."),
    ("mara", "Wow, that's great! I'm so happy for you."),
    ("mara", "Yeah, I sold the blue boat to Henrik Aalto yesterday, for 4200 euros."),
    ("tilly", "Oh, amazing! What will you do with the money?"),
    ("mara", "I want to buy a kiln, because the old one cracked in the winter of 2019."),
    ("tilly", "Sounds good, good luck!"),
    ("mara", "Thanks, you are so sweet, it means a lot to me, really, thank you so much!"),
    ("mara", "Okay, see you soon, take care, it was so nice to talk to you again today!"),
)


def test_the_first_line_says_that_it_is_extractive():
    """Whoever reads the memory must know that nobody wrote it."""
    assert remember(EVENING).splitlines()[0] == MARK == "[extractive memory]"


def test_it_keeps_names_numbers_and_dates():
    """And leaves greetings and thanks."""
    text = remember(EVENING)
    assert "Henrik Aalto" in text
    assert "4200" in text
    assert "yesterday (3 March)" in text
    assert "thank you" not in text.lower()
    assert "take care" not in text.lower()


def test_it_says_who_when_and_where():
    """The agent in the first person, others by name, the day once, the room by name."""
    lines = remember(EVENING).splitlines()
    assert lines[1] == "Wednesday 4 March 2026, #workshop:"
    assert lines[2].startswith("I said: ")
    assert lines[3].startswith("mara: ")
    assert "tilly:" not in "\n".join(lines)
    assert "\n".join(lines).count("4 March 2026") == 1


def test_the_day_is_that_of_the_local_clock():
    """Half past eleven in the evening in UTC is the next day in Tokyo."""
    late = talk(
        ("mara", "The blue boat has a new owner called Henrik Aalto, at last."),
        zone=ZoneInfo("Asia/Tokyo"),
        start=datetime(2026, 3, 4, 23, 30, tzinfo=UTC),
    )
    late = Material(late.spoken * 4)
    assert "Thursday 5 March 2026" in remember(late)


def test_private_talk_is_marked_and_rooms_are_headings():
    """A reader must see what was not said in public."""
    public = talk(("mara", "The lighthouse festival begins on 12 June."), room="#yard")
    private = talk(
        ("mara", "My sister Ines is expecting twins in October."),
        (
            "mara",
            "Thanks so much, it means a lot to me that I can tell you this, really a lot. " * 3,
        ),
        room="DM",
        is_private=True,
    )
    text = remember(Material(public.spoken + private.spoken))
    assert "#yard:" in text
    assert "DM (private):\nmara: My sister Ines" in text


def test_it_is_a_quarter_of_the_talk_at_most():
    """Attribution and headings included, the first line outside; in any cut of the talk."""
    long = talk(*[(f"{s.author}", f"{s.text} Lamp {n}.") for n in range(8) for s in EVENING.spoken])
    for end in range(12, len(long.spoken), 5):
        spoken = long.spoken[:end]
        whole = len("\n".join(render(said) for said in spoken))
        assert len(remember(Material(spoken))) - len(MARK) - 1 <= whole * SHARE


def test_of_little_talk_a_few_sentences_are_kept_all_the_same():
    """A quarter of it would not hold a heading; but nothing longer than the talk."""
    assert room_for(talk(("mara", "x" * 294))) == LEAST_ROOM
    assert room_for(talk(("mara", "x" * 94))) == 100


def test_a_target_makes_it_shorter():
    """But never longer than its share."""
    assert room_for(EVENING) == room_for(Material(EVENING.spoken, target_characters=10_000))
    short = Material(EVENING.spoken, target_characters=100)
    assert 0 < len(remember(short)) - len(MARK) - 1 <= 100


def test_equal_talk_gives_equal_text():
    """No clock, no chance, no order of hashing."""
    assert remember(EVENING) == remember(talk(*[(s.author, s.text) for s in EVENING.spoken]))


def test_the_agent_is_heard_where_it_spoke():
    """One of its own sentences comes first into the choice."""
    crowd = [("mara", f"Street {n} got {n * 7} new lamps from Ostrava.") for n in range(20, 40)]
    text = remember(talk(*crowd, ("tilly", "I will count the lamps again on Sunday.")))
    assert "I said: I will count the lamps again on Sunday." in text


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("昨日、田中さんと京都の清水寺に行きました。桜はまだ咲いていませんでした。", "清水寺"),
        ("Вчера Ольга привезла из Риги четыре ящика яблок. Было очень холодно.", "Ольга"),
        ("أمس ذهبت ليلى إلى مكتبة الإسكندرية مع أخيها. كان الجو جميلا.", "الإسكندرية"),
        ("เมื่อวานนี้สมชายไปเที่ยวเชียงใหม่กับเพื่อนสามคน", "เชียงใหม่"),
    ],
)
def test_any_script_is_kept(said, kept):
    """Scripts without blanks are read in pairs of characters."""
    filler = [("mara", "ok"), ("ben", "so nice, thanks a lot!")] * 12
    assert kept in remember(talk(("mara", said), *filler))


def test_openers_and_names_come_off_and_clauses_can_stand_alone():
    """What is left reads as a sentence."""
    filler = [("mara", "Okay, thanks, that is so nice of you, really, I mean it!")] * 4
    said = "Yeah Tilly, I repainted the hull, and it still looks good, Tilly!"
    text = remember(talk(("mara", said), *filler, ("tilly", "Good.")))
    assert "mara: I repainted the hull" in text
    assert "Yeah" not in text


def test_a_pasted_log_does_not_swallow_the_memory():
    """It is broken into lines; a link is one word."""
    log = " ".join(f"error{n} at 0x{n:04x}" for n in range(300))
    text = remember(talk(("mara", log), ("ben", "Henrik Aalto fixed pump 7.")))
    assert "Henrik Aalto" in text
    assert max(len(line) for line in text.splitlines()) < 2_000


def test_no_talk_gives_the_first_line_alone():
    """A chunk of notices has nothing to quote."""
    assert remember(Material()).strip() == MARK


def test_a_merge_quotes_its_children_under_their_days():
    """Every child is heard, in order, with headings and speakers."""
    first = remember(EVENING)
    second = remember(
        talk(
            ("ben", "Hello all! I moved to Gdansk with my cat Pixel on 9 March."),
            ("tilly", "I wrote a song about the lighthouse for Ben's new house."),
            ("ben", "Thanks so much, it means a lot to me, you are so kind, really a lot! " * 6),
            start=START + timedelta(days=6),
        )
    )
    free = "I spent a quiet week. We mended the lamp with Ines, and it took three hours."
    text = remember(Material(memories=(first, second, free)))
    assert text.startswith(MARK)
    assert text.count(MARK) == 1
    assert text.index("4 March 2026") < text.index("10 March 2026")
    assert "\nAlso:\n" in text
    assert "three hours" in text or "quiet week" in text


def test_a_merge_is_a_quarter_of_its_children_at_most():
    """So each level holds half as much again as the one below, and stays readable."""
    child = "\n".join([MARK, *(f"Ines mended lamp {n} on pier {n * 3}." for n in range(60))])
    children = tuple(child.replace("Ines", name) for name in ("Ines", "Ben", "Henrik"))
    text = remember(Material(memories=children))
    assert 0 < len(text) - len(MARK) - 1 <= sum(len(c) for c in children) * SHARE + 1


def test_a_merge_of_merges_keeps_reading_its_own_headings():
    """A sentence that ends in a colon is not taken for one."""
    said = talk(("ben", "The list of Ines, two hammers and a vice:"), room="#yard").spoken * 5
    text = remember(Material(said))
    assert not text.endswith(":")
    again = remember(Material(memories=(text, text.replace("March", "May"))))
    assert "Wednesday 4 March 2026, #yard:\nben: The list of Ines" in again


def test_it_answers_through_the_seam():
    """And its answer is accepted; without material it says whose mistake it is."""
    answer = Extractive().answer(ask(model="extractive", material=EVENING))
    assert answer.model == "extractive"
    assert isinstance(judge(answer), Accepted)
    with pytest.raises(BadRequestError, match="without material"):
        Extractive().answer(ask(model="extractive"))


# -- picking -------------------------------------------------------------------------------------


def offer(place, text, day="Monday", room="#a", speech="mara: ", **told):
    return Offer(place, day, room, speech, text, told or {text: 2.0})


def test_a_word_told_once_tells_nothing_more():
    """The second sentence about the boat gives way to another one."""
    offers = [
        offer(1, "The boat.", boat=3.0),
        offer(2, "That boat.", boat=3.0, that=0.1),
        offer(3, "A kiln we saw.", kiln=2.0),
    ]
    assert [o.place for o in pick(offers, 60)] == [1, 3]


def test_of_one_sentence_only_one_offer_is_quoted():
    """Whole or a clause of it, never both."""
    offers = [offer(1, "I came and saw.", saw=2.0, came=2.0), offer(1, "I came.", came=2.0)]
    assert len(pick(offers, 200)) == 1


def test_what_tells_too_little_is_left_out_though_there_is_room():
    """A short memory is no fault."""
    assert pick([offer(1, "Ok.", ok=LEAST_TOLD - 0.1)], 200) == []


def test_seeds_come_first():
    """The best of each, whatever else would tell more."""
    offers = [
        offer(1, "x" * 10, a=9.0),
        Offer(2, "Monday", "#a", "I said: ", "y" * 10, {"b": 2.0}, 1, 0),
    ]
    assert [o.place for o in pick(offers, 42)] == [2]


def test_lengths_are_what_is_written():
    """The choice counts characters without writing them; it must count right."""
    shapes = [
        offer(n, f"text {n}", day=day, room=room, speech=speech)
        for n, (day, room, speech) in enumerate(
            (day, room, speech)
            for day in ("", "Monday", "Tuesday")
            for room in ("", "#a", "#b")
            for speech in ("", "mara: ", "I said: ")
        )
    ]
    for after in shapes:
        assert lead_length(None, after) == len(lead(None, after))
        for before in shapes:
            assert lead_length(before, after) == len(lead(before, after))


def test_no_text_is_longer_than_its_room():
    """Whatever the room."""
    offers = [
        offer(
            n, f"Sentence number {n}.", day=f"Day {n // 4}", speech=f"p{n % 2}: ", **{f"w{n}": 2.0}
        )
        for n in range(30)
    ]
    for room in range(0, 600, 7):
        assert len(write(pick(offers, room))) <= room
