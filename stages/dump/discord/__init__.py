"""
Dump a bot's history from Discord: look over, tell the plan, read, glean, write it down.

Nothing is written before the plan is told; from then on every step can be killed, and the
next run goes on from the pages in raw.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pipeline.errors import BackfoldError, NetworkError, StageError, UsageError
from pipeline.raw import Page
from pipeline.stage import Context
from stages.dump.discord.client import Client
from stages.dump.discord.faults import DeniedError, UnreachableError
from stages.dump.discord.journey import Journey
from stages.dump.discord.limits import Clock, Limiter
from stages.dump.discord.plan import Forecast, forecast, seconds_for
from stages.dump.discord.reach import reaches
from stages.dump.discord.rooms import Scope, Survey, room_of, scope_of, snowflake, survey
from stages.dump.discord.routes import api_base, is_loopback
from stages.dump.discord.token import read_token, scrub
from stages.dump.discord.words import ATTACHMENT_WORDS, plan_lines, warning_lines

MOST_PER_SECOND = 50.0  # Discord's own limit for a bot
DAY_SECONDS = 86_400


def dump_discord(ctx: Context[Any], clock: Clock | None = None) -> None:
    """Dump from Discord; no error and no line that leaves here holds the token."""
    token = read_token(ctx.env)
    quiet = replace(
        ctx,
        out=lambda line: ctx.out(scrub(line, token)),
        err=lambda line: ctx.err(scrub(line, token)),
    )
    try:
        asyncio.run(travel(quiet, token, clock or Clock()))
    except BackfoldError as error:
        said = scrub(str(error), token)
        if said == str(error):
            raise
        kind = UsageError if isinstance(error, UsageError) else NetworkError
        raise kind(said) from None
    except OSError as error:  # those of the network end in the client: this one is the disk
        where = error.filename or ctx.raw.root
        raise StageError(
            f"dump: {where}: {error.strerror or type(error).__name__}; "
            f"see to it and run dump again: it goes on where it stopped"
        ) from None
    finally:
        ctx.left[:] = [scrub(line, token) for line in ctx.left]  # they hold names of rooms


async def travel(ctx: Context[Any], token: str, clock: Clock) -> None:
    """Log in, look over, tell the plan; then, unless this is a dry run, read."""
    base = api_base(ctx.knobs.api_base)
    limiter = Limiter(pace(ctx.knobs.max_requests_per_second, base), clock, ctx.note)
    scope = scope_of(ctx.agent.scope)
    if not ctx.dry_run:
        for line in ctx.raw.mend():
            ctx.note(f"dump: {line}")
    async with Client(token, base, limiter, clock, ctx.note) as client:
        started = clock.monotonic()
        pages = by_channel(ctx.raw.pages())
        with ctx.progress(unit="request", label="looking over") as bar:
            client.gate.step = bar.step
            found = await survey(client, scope)
            reach = reaches(ctx.raw.pages())
            plan = await forecast(client, found, reach, pages, scope, reread_from(ctx))
            client.gate.step = None
        each = (clock.monotonic() - started) / max(1, client.requests - 1)
        await tell(ctx, client, found, plan, scope, each)
        if ctx.dry_run:
            return
        await open_dms(ctx, client, found)
        await Journey(ctx, client, scope, found, plan, pages, reread_from(ctx)).carry_out()


def pace(per_second: float, base: str) -> float:
    """Check the pace that was set; none at all is for loopback only."""
    if per_second == 0 and is_loopback(base):
        return 0.0
    if not 0 < per_second <= MOST_PER_SECOND:
        raise UsageError(
            f"dump.max_requests_per_second is {per_second}; give more than 0 and at most "
            f"{MOST_PER_SECOND:.0f} (0, no limit, is taken on loopback only)"
        )
    return per_second


def reread_from(ctx: Context[Any]) -> int | None:
    """Give the id from which an update run reads again; null where it does not."""
    days = ctx.knobs.reread_days
    if days <= 0:
        return None
    return max(0, snowflake(ctx.now()) - (int(days * DAY_SECONDS * 1000) << 22))


def by_channel(pages: Sequence[Page] | Any) -> dict[str, list[Page]]:
    """Sort pages by room, oldest first in each."""
    found: dict[str, list[Page]] = {}
    for page in pages:
        found.setdefault(page.channel_id, []).append(page)
    return found


async def tell(
    ctx: Context[Any],
    client: Client,
    found: Survey,
    plan: Sequence[Forecast],
    scope: Scope,
    each: float,
) -> None:
    """Tell the plan; what makes the dump less than whole is told loudly."""
    seconds = seconds_for(sum(f.requests for f in plan), client.limiter.per_second, each)
    for line in plan_lines(client.me, found, plan, scope, seconds):
        ctx.say(line)
    limit = ctx.knobs.attachment_max_mb
    size = f", up to {limit:g} MB each" if limit else ""
    ctx.say(
        f"files     {ATTACHMENT_WORDS[ctx.knobs.attachments]}{size}; their number and size are "
        f"known and told once the messages are read, before the first is fetched"
    )
    for user_id in ctx.options.get("open_dm", ()):
        ctx.say(
            f"opens     the DM with user {user_id} (a POST, the only one; Discord shows nothing)"
        )
    for line in warning_lines(found):
        ctx.note(line)
    if ctx.dry_run:
        ctx.say("dry run   nothing was written; Discord was asked (GETs only)")


async def open_dms(ctx: Context[Any], client: Client, found: Survey) -> None:
    """Open the DMs that were named, if the owner agrees."""
    wanted = tuple(ctx.options.get("open_dm", ()))
    if not wanted:
        return
    if not ctx.agree(f"Open {len(wanted)} DM channel(s)?"):
        ctx.unfinished(f"{len(wanted)} DM(s) were not opened")
        return
    for user_id in wanted:
        if not str(user_id).isdigit():
            raise UsageError(f"--open-dm {user_id}: give a user id, digits only")
        try:
            channel = await client.open_dm(str(user_id))
        except (DeniedError, UnreachableError) as error:
            found.opened.append({"user_id": user_id, "channel_id": None, "answer": str(error)})
            ctx.unfinished(f"DM with {user_id}: {error}")
            continue
        found.opened.append({"user_id": user_id, "channel_id": channel["id"], "answer": "opened"})
        if channel["id"] not in {room.channel_id for room in found.rooms}:
            found.dms.append(channel)
            found.rooms.append(room_of(channel, None))
        ctx.note(f"dump: DM with {user_id} is channel {channel['id']}; add it to scope.dms")
