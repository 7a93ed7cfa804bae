"""Carry a plan out: rooms, starters, people, files; the manifest is written whatever happens."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pipeline.raw import Page
from pipeline.stage import Context
from stages.dump.discord.bars import Bars
from stages.dump.discord.client import Client
from stages.dump.discord.faults import DeniedError, GarbledError, StuckError, UnreachableError
from stages.dump.discord.fetch import fetch_files
from stages.dump.discord.harvest import Attached, glean, ids_outside
from stages.dump.discord.manifest import UNFINISHED, Fate, manifest_of
from stages.dump.discord.people import fetch_people
from stages.dump.discord.plan import Forecast
from stages.dump.discord.reach import Reach, reaches
from stages.dump.discord.reread import reread, window_of
from stages.dump.discord.rights import THREADS
from stages.dump.discord.rooms import TO_READ, Room, Scope, Survey
from stages.dump.discord.starters import find_starter
from stages.dump.discord.walk import Trip, is_done, read_room
from stages.dump.discord.words import GUILD_MEMBERS, intent

PATIENCE = 3  # rooms in a row that got no answer: then nobody answers, and the run ends


@dataclass(slots=True)
class Journey:
    """
    One run that writes.

    `reach` and `pages` follow every page that is on disk; `fates` says what became of each
    room; `gleaned` is how far each room's file was searched for people and attachments.
    """

    ctx: Context[Any]
    client: Client
    scope: Scope
    found: Survey
    plan: Sequence[Forecast]
    pages: dict[str, list[Page]]
    reread_from: int | None
    old: dict[str, Any] = field(init=False)
    reach: dict[str, Reach] = field(init=False)
    trip: Trip = field(init=False)
    bars: Bars = field(init=False)
    fates: dict[str, Fate] = field(init=False)
    gleaned: dict[str, int] = field(init=False)
    unknown: set[str] = field(init=False)
    started_at: str = field(init=False)

    def __post_init__(self) -> None:
        raw = self.ctx.raw
        self.old = raw.read_manifest()
        self.reach = reaches(raw.pages())
        self.trip = Trip(self.client, raw, self.scope, self.ctx.now, self.moved)
        self.bars = Bars(self.ctx, sum(f.requests for f in self.plan))
        self.fates = {r.channel_id: Fate(r, self.reach_of(r)) for r in self.found.rooms}
        self.gleaned = dict(self.old.get("gleaned", {}))
        self.unknown = set(self.old.get("unknown_user_ids", ()))
        self.started_at = self.ctx.now().isoformat()

    def reach_of(self, room: Room) -> Reach:
        """Give how far a room is read by now."""
        return self.reach.get(room.channel_id, Reach())

    def moved(self, page: Page) -> None:
        """Take in a page that is on disk."""
        self.pages.setdefault(page.channel_id, []).append(page)
        self.reach[page.channel_id] = self.reach.get(page.channel_id, Reach()).after(page)
        self.bars.step(page)

    async def carry_out(self) -> None:
        """Read what is to be read, and write down what became of it, also when stopped."""
        store(self.ctx, self.found)
        self.write_manifest(ended_at=None)
        self.bars.open()
        ended_at = None
        try:
            if await self.read_rooms():
                await self.find_starters()
                await self.glean_rooms()
                ended_at = self.ctx.now().isoformat()
        finally:
            self.bars.close()
            self.write_manifest(ended_at)
        self.tell_what_is_left()

    def to_read(self) -> list[Room]:
        """List the rooms that this run reads."""
        return [room for room in self.found.rooms if room.status == TO_READ]

    async def read_rooms(self) -> bool:
        """Read room after room; false where Discord stopped answering on the way."""
        costs = {f.room.channel_id: f for f in self.plan}
        unanswered = 0
        for room in self.to_read():
            error: DeniedError | StuckError | UnreachableError | None = self.forbidden_above(room)
            if error is None:
                self.bars.enter(costs.get(room.channel_id, Forecast(room, 0, 1, 0, 0)))
                try:
                    await self.read(room)
                except (DeniedError, StuckError, UnreachableError) as caught:
                    error = caught
            is_silent = isinstance(error, UnreachableError) and not isinstance(error, GarbledError)
            unanswered = unanswered + 1 if is_silent else 0
            tried_at = self.ctx.now().isoformat()
            self.fates[room.channel_id] = Fate(room, self.reach_of(room), error, tried_at)
            if unanswered >= PATIENCE:
                self.ctx.unfinished(f"Discord stopped answering: {error}; run dump again later")
                return False
        return True

    def forbidden_above(self, room: Room) -> DeniedError | None:
        """Give the refusal of a thread's parent: what it forbids is not asked for again."""
        if room.kind not in THREADS:
            return None
        above = self.fates.get(room.parent_id or "")
        if above and isinstance(above.error, DeniedError) and above.error.status == 403:
            return above.error
        return None

    async def read(self, room: Room) -> None:
        """Bring one room up to date; what was read whole before is looked over again first."""
        before = self.reach_of(room)
        if self.reread_from is not None and before.low is not None:
            pages = self.pages.get(room.channel_id, [])
            is_whole = before.low <= self.scope.floor
            window = window_of(self.ctx.raw, room, pages, before, self.reread_from)
            if is_whole and window is not None:
                await reread(self.trip, room, window)
        if not is_done(room, before, self.scope):
            path = self.ctx.raw.messages_path(room.channel_id)
            held = ids_outside(path, self.pages.get(room.channel_id, []))
            await read_room(self.trip, room, self.reach_of(room), held)

    async def find_starters(self) -> None:
        """See that the message which a thread was started from is there, or note why not."""
        for room in self.to_read():
            fate = self.fates[room.channel_id]
            if room.kind not in THREADS or fate.error is not None:
                continue
            parent = self.reach.get(room.parent_id or "", Reach())
            try:
                note = await find_starter(self.trip, room, self.pages, parent)
            except UnreachableError as error:
                note = f"the message that started it did not come: {error}"
                self.ctx.unfinished(f"{room.name} ({room.channel_id}): {note}")
            if note:
                self.fates[room.channel_id] = replace(fate, notes=(note,))

    async def glean_rooms(self) -> None:
        """Fetch the people who wrote and the files that were attached since the last run."""
        authors: dict[str, set[str]] = {g.guild_id: set() for g in self.found.guilds}
        attached: list[Attached] = []
        ends: dict[str, int] = {}
        for room in self.to_read():
            end = self.reach_of(room).ends_at
            start = min(self.gleaned.get(room.channel_id, 0), end)
            path = self.ctx.raw.messages_path(room.channel_id)
            new = glean(path, room.channel_id, start, end)
            authors.setdefault(room.guild_id or "", set()).update(new.author_ids)
            attached += new.attached
            ends[room.channel_id] = end
        whole = await self.fetch_all_people(authors)
        rooms = {room.channel_id for room in self.to_read()}
        await fetch_files(self.ctx, self.trip, attached, rooms)
        if whole:
            self.gleaned |= ends

    async def fetch_all_people(self, authors: dict[str, set[str]]) -> bool:
        """Fetch the people of every guild; false where some guild's are not complete."""
        if not self.ctx.knobs.people:
            return True
        can_list = intent(self.found.application, GUILD_MEMBERS) == "on"
        whole = True
        for guild in self.found.guilds:
            ids = authors[guild.guild_id]
            try:
                await fetch_people(self.trip, guild.guild_id, ids, self.unknown, can_list=can_list)
            except (DeniedError, UnreachableError) as error:
                self.ctx.unfinished(f"people of guild {guild.guild_id}: {error}")
                whole = False
        return whole

    def write_manifest(self, ended_at: str | None) -> None:
        """Write the manifest as things stand."""
        fates = [replace(f, reach=self.reach_of(f.room)) for f in self.fates.values()]
        manifest = manifest_of(self.old, self.client.me, self.found, fates, self.scope)
        manifest |= {
            "started_at": self.started_at,
            "ended_at": ended_at,
            "requests": self.client.requests,
            "gleaned": self.gleaned,
            "unknown_user_ids": sorted(self.unknown),
        }
        self.ctx.raw.write_manifest(manifest)

    def tell_what_is_left(self) -> None:
        """Say what was read, and note what is in scope and not finished."""
        counts: dict[str, int] = {}
        for fate in self.fates.values():
            status, reason = fate.verdict(self.scope)
            counts[status] = counts.get(status, 0) + 1
            if status in UNFINISHED:
                self.ctx.unfinished(f"{fate.room.name} ({fate.room.channel_id}): {reason}")
        for line in self.found.failed:
            self.ctx.unfinished(line)
        total = sum(self.reach_of(room).messages for room in self.to_read())
        told = ", ".join(f"{count} {status}" for status, count in sorted(counts.items()))
        self.ctx.say(
            f"dump      {total:,} messages in raw; rooms: {told or 'none'}; "
            f"{self.client.requests:,} requests"
        )


def store(ctx: Context[Any], found: Survey) -> None:
    """Put what the survey brought into the side tables; only what changed is appended."""
    raw, now = ctx.raw, ctx.now()
    for guild in found.guilds:
        roles = guild.object.get("roles", [])
        raw.append("guilds", [guild.object], guild_id=guild.guild_id, now=now)
        raw.append("roles", roles, guild_id=guild.guild_id, now=now)
        threads = guild.listed.threads.values()
        raw.append("channels", [*guild.channels, *threads], guild_id=guild.guild_id, now=now)
        if guild.member is not None:
            raw.append("members", [guild.member], guild_id=guild.guild_id, now=now)
    raw.append("channels", found.dms, guild_id=None, now=now)
