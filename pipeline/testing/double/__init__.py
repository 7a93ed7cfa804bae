"""
A Discord on loopback that serves a corpus folder: same routes, paging, rights and faults.

    with Double(folder) as double:
        double.url          # http://127.0.0.1:PORT/api/v10, for discord.py's Route.BASE
        double.token        # the only token that it takes
        double.requests     # every request that came, in order
        double.faults.add(Fault("status", route="messages", status=503))
        double.world.add_message("700", content="later")

From the command line: `python -m pipeline.testing.double CORPUS` prints the address and serves.

A corpus folder holds

    guild.json
        self          the bot's user object (required)
        application   {"flags": int, …}: privileged intents; all on if absent
        guilds        API guild objects, each with
            roles         permissions as decimal text; the role named as the guild is @everyone's
            channels      API channel objects with permission_overwrites, no threads
            threads       API thread objects, active and archived (thread_metadata), with
                          `member_ids`: who is in it; private ones are seen by these only
            members       API member objects; without self among them the bot has @everyone's rights
            emojis, stickers
        dms           API DM channels with recipients; never listed, readable by id
        users         user objects of people in no guild
        pins          {channel_id: [{"message_id", "pinned_at"}]}; else `pinned` and its time
        reactors      {message_id: {emoji as in the route: [user ids]}}
        voters        {message_id: {answer_id: [user ids]}}
    messages/<channel_id>.jsonl   API message objects, one a line; the last line per id wins
    files/<attachment_id>         the bytes of an attachment

Links to attachments are signed anew in every answer and die after a day; `world.skew_seconds`
moves the double's clock.
"""

from pipeline.testing.double.faults import Fault, Faults, read_faults
from pipeline.testing.double.limits import Limits
from pipeline.testing.double.server import API, TOKEN, Double, Recorded, serve
from pipeline.testing.double.world import World

__all__ = [
    "API",
    "TOKEN",
    "Double",
    "Fault",
    "Faults",
    "Limits",
    "Recorded",
    "World",
    "read_faults",
    "serve",
]
