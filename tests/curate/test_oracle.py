"""Selection on random histories, against a plain program that reads whole messages one by one."""

import json
import random

import numpy as np
import pytest

from stages.curate.authors import Authors
from stages.curate.gather import gather_room
from stages.curate.judge import EMPTY, Judge, Reasons, Room
from stages.curate.knobs import CurateKnobs
from tests.curate.build import ANN, BO, CY, ME, ROLE, message, snowflake

PEOPLE = (ANN, BO, CY)


def draw_history(dice, count=400):
    """Draw messages of every kind that matters, some edited, some torn, in any file order."""
    talk = []
    for number in range(count):
        author = ME if dice.random() < 0.03 else dice.choice(PEOPLE)
        one = message(number * 60, author, dice.choice(["word", "word", "word", "", "tilly!"]))
        chance = dice.random()
        if chance < 0.02:
            one["mentions"] = [{"id": ME}]
        elif chance < 0.03:
            one["mention_roles"] = [ROLE["id"]]
        elif chance < 0.1 and talk:
            to = dice.choice(talk)
            one |= {"type": 19, "message_reference": {"message_id": to["id"]}}
            if dice.random() < 0.5:
                one["referenced_message"] = dice.choice([to, None])
        elif chance < 0.14:
            one["type"] = dice.choice([6, 7, 21])
        elif chance < 0.16:
            one["attachments"] = [{"id": "1"}]
        talk.append(one)
    lines = list(talk)
    edits = dice.sample(talk, 20)
    lines += [one | {"content": dice.choice(["", "edited"]), "mentions": []} for one in edits]
    if dice.random() < 0.5:
        dice.shuffle(lines)
    return lines


def by_hand(lines, *, names, blocked, before):
    """Select as a person would: whole objects, a list, a loop."""
    last = {int(one["id"]): one for one in lines}
    rows = [last[number] for number in sorted(last)]
    own = {number for number, one in last.items() if one["author"]["id"] == ME}
    reasons, hits = [], []
    for place, one in enumerate(rows):
        mine = one["author"]["id"] == ME
        called = any(m["id"] == ME for m in one["mentions"])
        called |= ROLE["id"] in one["mention_roles"]
        called |= names and "tilly" in one["content"].lower()
        if target := one.get("message_reference"):
            original = one.get("referenced_message")
            called |= (
                original["author"]["id"] == ME if original else int(target["message_id"]) in own
            )
        why = None
        if one["author"]["id"] in blocked:
            why = "blocked user"
        elif one["type"] not in (0, 19):
            why = f"system message, type {one['type']}"
        elif not one["content"] and not one["attachments"]:
            why = EMPTY
        reasons.append(why)
        if mine or called:
            hits.append(place)
    seen = set()
    for place in hits:
        if reasons[place] is None:
            seen.update(range(max(0, place - before), place + 1))
    kept = [rows[p]["id"] for p in sorted(seen) if reasons[p] is None]
    left = {rows[p]["id"]: reasons[p] for p in seen | set(hits) if reasons[p] is not None}
    return kept, left


@pytest.mark.parametrize("seed", range(12))
def test_selection_is_that_of_the_plain_program(tmp_path, seed):
    """Kept messages and rejects with their reasons agree, id by id."""
    dice = random.Random(seed)
    lines = draw_history(dice)
    path = tmp_path / "1.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in lines))
    names, blocked, before = seed % 2 == 0, (CY,) if seed % 3 == 0 else (), 23 if seed % 4 else 3
    knobs = CurateKnobs(names=("tilly",) if names else (), blocked=blocked)
    if before != 23:
        from stages.curate.knobs import Perceived

        knobs = CurateKnobs(
            knobs.profile,
            names=knobs.names,
            blocked=blocked,
            perceived=(Perceived(messages=before),),
        )
    judge = Judge(knobs, frozenset({ME}), frozenset({ROLE["id"]}), Reasons())
    found = gather_room(path, Room("1", is_dm=False), judge, Authors())
    kept = [str(i) for i in found.rows.message_id[found.selected].tolist()]
    left = {
        str(found.rows.message_id[p]): judge.reasons.texts[found.rows.reason[p]]
        for p in found.rejected.tolist()
    }
    assert (kept, left) == by_hand(lines, names=names, blocked=blocked, before=before)


def test_the_window_reveals_only_what_it_must_read(tmp_path):
    """A far message is never judged: its verdict stays open, and it is neither row nor reject."""
    lines = [message(n * 60, ANN, "") for n in range(60)] + [message(9000, ME, "mine")]
    path = tmp_path / "1.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in lines))
    judge = Judge(CurateKnobs(), frozenset({ME}), frozenset(), Reasons())
    found = gather_room(path, Room("1", is_dm=False), judge, Authors())
    assert np.count_nonzero(found.rows.reason < 0) == 37
    assert len(found.rejected) == 23
    assert found.rows.message_id[found.selected].tolist() == [int(snowflake(9000))]
