"""The threads and forum posts: where they hang, who is in them, what is said in them."""

from dataclasses import dataclass
from random import Random

from pipeline.testing.community import scenes_more, scenes_workbench
from pipeline.testing.community.plan import Evenings, local, rack
from pipeline.testing.community.script import Scene, scenes
from pipeline.testing.community.teller import HAS_THREAD, Teller
from pipeline.testing.community.town import (
    AGENT,
    BY_NAME,
    EVERYBODY,
    GUILD_ID,
    Object,
    Person,
)
from pipeline.testing.double.times import iso


@dataclass(frozen=True, slots=True)
class Thread:
    """
    A thread of the plan.

    `begins` says how: "from" a message (which it shares its id with), "bare" (a notice in the
    parent, no starter), "post" (in a forum) or "private". Each of `days` has one scene.
    """

    name: str
    parent: str
    begins: str
    people: tuple[str, ...]
    opening: str
    days: tuple[tuple[int, str], ...]
    scene_names: tuple[str, ...]
    archived_day: int | None = None
    without_agent: bool = False


THREADS = (
    Thread("boat roster", "riverside", "from", ("quill", "sorrel", "bram"),
           "who is in which boat? let's sort it in a thread before it eats the channel",
           ((10, "19:05"), (24, "19:40"), (52, "20:10")), ("who brings what",)),
    Thread("programme of Lantern Night", "notice-board", "from", ("hanneke", "juniper"),
           "Lantern Night: programme and wishes in the thread below, please",
           ((21, "20:15"), (44, "20:05"), (55, "21:10")), ("programme",)),
    Thread("seams that leak", "workbench", "from", ("wren", "pell", "tamsin"),
           "I collect every seam that leaks, here",
           ((5, "19:00"), (17, "20:20")), ("what went wrong",), 19),
    Thread("Faden oder Klebeband", "werkstatt", "bare", ("otto", "kaethe", "lukas"), "",
           ((8, "18:45"), (23, "19:10")), ("Faden",), 25),
    Thread("舟の提灯", "提灯の間", "from", ("haruto", "mei"), "舟にのせる提灯の話はこちらで",
           ((11, "20:00"), (46, "20:30")), ("舟の提灯",), 47),
    Thread("meeting for Bram", "workbench", "private", ("juniper", "hanneke", "moss"), "",
           ((14, "14:00"), (16, "13:30")), ("Bram",), 20),
    Thread("keys in August", "workbench", "private", ("bram", "tamsin"), "",
           ((22, "12:00"),), ("keys",), None, without_agent=True),
    Thread("Heron, large", "patterns", "post", ("dov", "wren", "ines"),
           "The large heron, step by step. It stands as tall as a child, so measure your door.",
           ((9, "19:30"), (19, "20:30"), (50, "19:20")), ("pattern step", "what went wrong")),
    Thread("Snail without tears", "patterns", "post", ("wren", "sorrel"),
           "My snail from the first week. Five ribs, one spiral, no straight line anywhere.",
           ((6, "17:10"), (26, "17:40")), ("pattern step",), 27),
    Thread("The fish that leaked", "patterns", "post", ("quill", "pell"),
           "A warning more than a pattern: this fish, and what the water thought of it.",
           ((13, "18:30"),), ("what went wrong",), 16),
    Thread("折りたたみ提灯", "patterns", "post", ("yuki", "haruto"),
           "折りたたみ提灯の型紙です。骨は十二本、紙は薄いものを使います。",
           ((20, "20:00"), (57, "20:20")), ("舟の提灯",)),
    Thread("Stern mit acht Zacken", "patterns", "post", ("frieda", "otto"),
           "Der Stern mit acht Zacken. Die Zacken erst falten, dann kleben, dann schweigen.",
           ((27, "15:00"),), ("Faden",), 45),
)  # fmt: skip


def open_threads(teller: Teller, evenings: Evenings, rng: Random) -> dict[str, Object]:
    """Let every thread begin and be talked in; give the thread objects by name."""
    known = {s.name: s for s in (*scenes(scenes_more.THREADS), *scenes(scenes_more.UNHEARD))}
    deck = [s for s in scenes(scenes_workbench.SCENES) if s.name == "the sample"]
    made: dict[str, Object] = {}
    for thread in THREADS:
        opened = _begin(teller, thread)
        made[thread.name] = opened
        cast = _cast(thread, rng)
        for number, (day, clock) in enumerate(thread.days):
            chosen: list[Scene] = [known[thread.scene_names[number % len(thread.scene_names)]]]
            if number == 0 and thread.scene_names[0] in {"pattern step", "what went wrong"}:
                chosen += deck
            at = local(day, clock) + rng.uniform(0, 600)
            for scene in chosen:
                at, _ = teller.play(scene, opened["id"], cast, at, {"rack": str(rack(day))})
    return made


def _cast(thread: Thread, rng: Random) -> dict[str, Person]:
    keys = [
        *thread.people,
        *(k for k in ("pell", "ines", "dov", "sorrel") if k not in thread.people),
    ]
    return {role: EVERYBODY[key] for role, key in zip("ABCD", keys, strict=False)}


def _begin(teller: Teller, thread: Thread) -> Object:
    parent = BY_NAME[thread.parent].channel_id
    founder = EVERYBODY[thread.people[0]]
    day, clock = thread.days[0]
    at = local(day, clock) - 400
    if thread.begins == "from":
        source = teller.post(parent, founder, thread.opening, at)
        source["flags"] |= HAS_THREAD
        opened = _object(thread, source["id"], at)
        source["thread"] = {k: v for k, v in opened.items() if k != "member_ids"}
        quoted = {k: v for k, v in source.items() if k != "thread"}
        reference = {"type": 0, "guild_id": GUILD_ID, "channel_id": parent}
        teller.post(
            source["id"], founder, "", at + 1, type=21, referenced_message=quoted,
            message_reference={**reference, "message_id": source["id"]},
        )  # fmt: skip
        return opened
    if thread.begins == "post":
        opened_id = teller.new_id(at)
        first = teller.post(opened_id, founder, thread.opening, at)
        teller.said[opened_id] = {opened_id: {**first, "id": opened_id}}  # first id = thread id
        return _object(thread, opened_id, at)
    opened_id = teller.new_id(at)
    if thread.begins == "bare":
        reference = {"type": 0, "guild_id": GUILD_ID, "channel_id": opened_id}
        teller.post(parent, founder, thread.name, at, type=18, message_reference=reference)
    return _object(thread, opened_id, at)


def _object(thread: Thread, thread_id: str, at: float) -> Object:
    kinds = {"notice-board": 10}
    kind = 12 if thread.begins == "private" else kinds.get(thread.parent, 11)
    members = [EVERYBODY[key].user_id for key in thread.people]
    if not thread.without_agent:
        members.append(AGENT.user_id)
    return {
        "id": thread_id, "type": kind, "name": thread.name, "guild_id": GUILD_ID,
        "parent_id": BY_NAME[thread.parent].channel_id, "owner_id": members[0],
        "last_message_id": None, "member_count": len(members), "member_ids": members,
        "rate_limit_per_user": 0, "flags": 0,
        "thread_metadata": {
            "archived": thread.archived_day is not None, "locked": False,
            "auto_archive_duration": 4320, "create_timestamp": iso(at),
            "archive_timestamp": iso(at if thread.archived_day is None
                                     else local(thread.archived_day, "23:00")),
        },
    }  # fmt: skip


def count_up(thread: Object, messages: list[Object]) -> None:
    """Fill in what a thread says about its messages; the starter does not count."""
    starters = {21}
    counted = [m for m in messages if m["type"] not in starters and m["id"] != thread["id"]]
    thread["message_count"] = thread["total_message_sent"] = len(counted)
    thread["last_message_id"] = messages[-1]["id"] if messages else None
