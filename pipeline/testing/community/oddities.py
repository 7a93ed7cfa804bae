"""Everything in a history that is not plain talk: systems, bots, polls, forwards, commands."""

from random import Random

from pipeline.testing.community.machines import bots, commands
from pipeline.testing.community.plan import DAYS, local, place
from pipeline.testing.community.teller import HAS_SNAPSHOT, Teller
from pipeline.testing.community.town import (
    AGENT,
    DESK_HOOK,
    EVERYBODY,
    FORMER,
    GUILD_ID,
    LEFT_ID,
)
from pipeline.testing.double.times import made_at

WORKBENCH, RIVERSIDE, BOARD = place("workbench"), place("riverside"), place("notice-board")


def all_of_them(teller: Teller, rng: Random) -> dict[str, dict[str, list[str]]]:
    """Put every oddity into the history; give who voted in the poll, by message and answer."""
    bots(teller, rng)
    commands(teller, rng)
    notices(teller)
    systems(teller)
    forwards(teller)
    old_harness(teller)
    markup(teller)
    files(teller)
    late_replies(teller)
    loose_ends(teller)
    return poll(teller)


def notices(teller: Teller) -> None:
    """What stands on the notice board; one is crossposted, one the agent posted by webhook."""
    hanneke = EVERYBODY["hanneke"]
    for day, text, flags in (
        (0, "Season opens tonight, half past seven. There is a new companion in the workshop.", 1),
        (14, "Three weeks in. Please sign out tools with Tilly, not with drawings of fish.", 0),
        (
            27,
            "Shutters down from Monday, two weeks. Water your own plants. See you on 10 August.",
            0,
        ),
        (42, "We are back! @everyone bring news, and the ladder if you have it.", 0),
        (60, "Tomorrow: Lantern Night. Warm socks. Everybody to the old mill.", 1),
    ):
        teller.post(BOARD, hanneke, text, local(day, "11:00"), flags=flags)
    desk = {
        "id": DESK_HOOK, "username": "Tilly (festival desk)", "avatar": None, "bot": True,
        "discriminator": "0000", "global_name": None, "public_flags": 0, "flags": 0,
    }  # fmt: skip
    teller.post(
        BOARD, AGENT, "Festival desk: I take wishes for the order of boats until Thursday.",
        local(50, "11:30"), webhook_id=DESK_HOOK, author=desk,
    )  # fmt: skip


def systems(teller: Teller) -> None:
    """Joins, a boost, pins, a kind that nobody knows yet."""
    for key, day in (("wren", 1), ("aoi", 9)):
        teller.post(RIVERSIDE, EVERYBODY[key], "", local(day, "17:00"), type=7)
    teller.post(RIVERSIDE, EVERYBODY["ines"], "", local(22, "13:00"), type=8)
    teller.post(RIVERSIDE, EVERYBODY["quill"], "", local(23, "13:00"), type=63)
    for room in (WORKBENCH, RIVERSIDE):
        told = sorted(teller.said[room].values(), key=lambda m: int(m["id"]))
        for message in [m for m in told if m["type"] == 0 and len(m["content"]) > 60][7:60:25]:
            message["pinned"] = True
            reference = {"type": 0, "guild_id": GUILD_ID, "channel_id": room}
            teller.post(
                room, EVERYBODY["juniper"], "", made_at(int(message["id"])) + 65, type=6,
                message_reference={**reference, "message_id": message["id"]},
            )  # fmt: skip


def forwards(teller: Teller) -> None:
    """Three forwards: text, a picture, and one from a closed room told in private."""
    for source_room, target, who, day in (
        (BOARD, RIVERSIDE, "sorrel", 14),
        (WORKBENCH, place("keyholders"), "bram", 25),
        (RIVERSIDE, place("dm:moss"), "moss", 24),
    ):
        earlier = [m for m in teller.said[source_room].values()
                   if made_at(int(m["id"])) < local(day, "20:00") and m["type"] == 0]  # fmt: skip
        with_files = [m for m in earlier if m["attachments"]]
        source = (with_files or earlier)[-1]
        keys = ("type", "content", "embeds", "attachments", "timestamp", "edited_timestamp",
                "flags", "mentions", "mention_roles", "components")  # fmt: skip
        snapshot = {"message": {key: source[key] for key in keys}}
        reference = {"type": 1, "channel_id": source_room, "message_id": source["id"]}
        teller.post(
            target, EVERYBODY[who], "", local(day, "20:00"), flags=HAS_SNAPSHOT,
            message_snapshots=[snapshot], message_reference={**reference, "guild_id": GUILD_ID},
        )  # fmt: skip


def old_harness(teller: Teller) -> None:
    """What the agent's first home left behind: fillers, errors, and words only for the machine."""
    for day, clock in ((1, "21:05"), (3, "21:20"), (5, "20:50")):
        at = local(day, clock)
        teller.post(WORKBENCH, FORMER, "⏳ thinking…", at)
        teller.post(WORKBENCH, FORMER, "⚠️ error 413: context too long, trimmed 14 messages", at + 9)
    for day in (2, 4):
        teller.post(WORKBENCH, EVERYBODY["hanneke"], "m continue", local(day, "21:40"))


def markup(teller: Teller) -> None:
    """Words that only Discord can read: roles, rooms, emoji, commands, times, who is gone."""
    hanneke, dov = EVERYBODY["hanneke"], EVERYBODY["dov"]
    lines = (
        (dov, f"see <#{place('patterns')}> for that, or ask in <#{place('werkstatt')}>"),
        (hanneke, f"<@{LEFT_ID}> had the second ladder, if anybody still has their number"),
        (dov, f"<:lantern:1290000000000000151> {'</rack:1290000000000000181>'} does it for you"),
        (hanneke, "doors at <t:1788031800:t>, or is it <t:99999999999999999:R>"),
    )
    for number, (who, text) in enumerate(lines):
        teller.post(WORKBENCH, who, text, local(24, "19:02") + number * 40)
    teller.post(
        WORKBENCH, hanneke, "<@&1290000000000000142> one for the log: the ladder is back",
        local(24, "19:06"), mention_roles=["1290000000000000142"],
    )  # fmt: skip
    teller.post(WORKBENCH, teller.agent_at(local(24, "19:06")), "Ladder: back. After eleven weeks.",
                local(24, "19:06") + 9)  # fmt: skip
    for day, gap in ((11, 3.0), (30 + 14, 2.0), (53, 4.0)):  # one thought in two posts
        at = local(day, "19:12")
        asked = teller.post(WORKBENCH, EVERYBODY["ines"],
                            f"<@{AGENT.user_id}> how did the last float test go?", at)  # fmt: skip
        swam = f"It swam, <@{EVERYBODY['ines'].user_id}>. Not far, but upright."
        teller.reply(asked, AGENT, swam, at + 8)
        teller.post(WORKBENCH, AGENT, "The second one swam further, and on its side.", at + 8 + gap)
    for day in (6, 21, 48):
        spam = "FREE gift cards!! claim at lucky-drop.example today"
        teller.post(RIVERSIDE, EVERYBODY["luckydrop"], spam, local(day, "03:12"))


def files(teller: Teller) -> None:
    """Pictures without words, text files small and long, voice, stickers, a film too large."""
    wren, moss, dov = EVERYBODY["wren"], EVERYBODY["moss"], EVERYBODY["dov"]
    asked = teller.post(WORKBENCH, AGENT, "Does anybody have a photo of the snail for the log?",
                        local(12, "19:30"))  # fmt: skip
    teller.attach(teller.reply(asked, wren, "", local(12, "19:31")), "pic", "snail.png")
    short = teller.post(WORKBENCH, dov, "the fold, written down", local(15, "18:40"))
    teller.attach(short, "txt")
    teller.post(WORKBENCH, AGENT, "Eleven steps. I read them all; step nine is the brave one.",
                local(15, "18:41"))  # fmt: skip
    long = teller.post(WORKBENCH, dov, "and the whole booklet, for the brave", local(15, "18:43"))
    teller.attach(long, "txt", "booklet.md")
    booklet = b"".join(b"Fold %d of 400: as before, but kinder.\n" % n for n in range(1, 401))
    long["attachments"][0]["size"] = len(booklet)  # above what is read into the talk
    teller.files[long["attachments"][0]["id"]] = booklet
    for room, day, clock in ((RIVERSIDE, 13, "18:20"), (place("dm:moss"), 23, "22:30")):
        teller.attach(teller.post(room, moss, "", local(day, clock)), "voice")
    for who, day in ((wren, 9), (moss, 16), (dov, 46)):
        sticker = {"id": "1290000000000000171", "name": "glowing otter", "format_type": 1}
        teller.post(RIVERSIDE, who, "", local(day, "18:15"), sticker_items=[sticker])
    film = teller.post(RIVERSIDE, moss, "practice on film, if you dare", local(51, "18:00"))
    teller.attach(film, "txt", "practice.mp4")
    film["attachments"][0] |= {"size": 31_457_280, "content_type": "video/mp4"}
    teller.files.pop(film["attachments"][0]["id"])  # nobody keeps thirty megabytes for a demo


def late_replies(teller: Teller) -> None:
    """Answers a day later, so that some replies and their targets lie in different chunks."""
    words = (
        "slept on it: you were right", "sorry, only saw this now", "adding to this: thread, always",
        "this made my week", "for the record, I disagree",
    )  # fmt: skip
    people = ("sorrel", "tamsin", "quill", "juniper", "dov")
    told = sorted(teller.said[WORKBENCH].values(), key=lambda m: int(m["id"]))
    for number, day in enumerate((4, 9, 12, 18, 23, 45, 50, 52, 57, 59)):
        before = local(day, "00:00")
        spoken = [m for m in told if made_at(int(m["id"])) < before and m["type"] == 0]
        target = [m for m in spoken if m["content"]][-7 - number]
        who = EVERYBODY[people[number % len(people)]]
        made = teller.reply(target, who, words[number % len(words)], local(day, "18:16"))
        teller.reply(made, teller.agent_at(local(day, "18:16")), "Noted, with yesterday's date.",
                     local(day, "18:16") + 8)  # fmt: skip


def loose_ends(teller: Teller) -> None:
    """Promises not yet kept, and questions that nobody has answered when the history ends."""
    last = DAYS - 1
    tilly = f"<@{AGENT.user_id}>"
    asked = teller.post(WORKBENCH, EVERYBODY["pell"], f"{tilly} could you send me the tool book?",
                        local(last, "17:40"))  # fmt: skip
    teller.reply(asked, AGENT, "I promise: the tool book, copied out clean, by Wednesday.",
                 local(last, "17:40") + 9)  # fmt: skip
    teller.post(WORKBENCH, EVERYBODY["wren"], f"{tilly} and how many came back from the water?",
                local(last, "22:58"))  # fmt: skip
    teller.post(RIVERSIDE, EVERYBODY["sorrel"], f"{tilly} did anyone count the herons last night?",
                local(last, "23:01"))  # fmt: skip


def poll(teller: Teller) -> dict[str, dict[str, list[str]]]:
    """One poll with its result, a day later; give who voted, by message and answer."""
    options = ("plum cake", "cheese scones", "lentil pasties")
    votes = (("bram", "wren", "pell", "ines"), ("moss", "dov"), ("tamsin",))
    counts = [
        {"id": n, "count": len(who), "me_voted": False} for n, who in enumerate(votes, start=1)
    ]
    body = {
        "question": {"text": "What do we eat on Lantern Night?"}, "expiry": None,
        "answers": [{"answer_id": n, "poll_media": {"text": text}}
                    for n, text in enumerate(options, start=1)],
        "allow_multiselect": False, "layout_type": 1,
        "results": {"is_finalized": True, "answer_counts": counts},
    }  # fmt: skip
    asked = teller.post(RIVERSIDE, EVERYBODY["juniper"], "", local(45, "12:00"), poll=body)
    embed = {"type": "poll_result", "fields": [
        {"name": "poll_question_text", "value": "What do we eat on Lantern Night?"},
        {"name": "victor_answer_text", "value": options[0]},
        {"name": "total_votes", "value": "7"},
    ]}  # fmt: skip
    reference = {"type": 0, "guild_id": GUILD_ID, "channel_id": RIVERSIDE}
    teller.post(
        RIVERSIDE, EVERYBODY["juniper"], "", local(46, "12:00"), type=46, embeds=[embed],
        message_reference={**reference, "message_id": asked["id"]},
    )  # fmt: skip
    by_answer = {
        str(n): [EVERYBODY[k].user_id for k in who] for n, who in enumerate(votes, start=1)
    }
    return {asked["id"]: by_answer}
