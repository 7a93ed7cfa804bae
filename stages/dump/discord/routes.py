"""
The only routes that may leave the process, and what a request to one of them is.

The list is asserted in the transport (`client`), below everything else here, so
a request that is not on it cannot be sent by mistake, by a redirect or by the library.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from pipeline.errors import UsageError

API_PATH = "/api/v10"
API = "https://discord.com" + API_PATH
CDN_HOSTS = frozenset({"cdn.discordapp.com", "media.discordapp.net"})
LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
PAGE_SIZE = 100

# Name → path; everything here is a GET (discord-rest §1).
READS = {
    "me": "/users/@me",
    "application": "/applications/@me",
    "guilds": "/users/@me/guilds",
    "guild": "/guilds/{guild_id}",
    "channels": "/guilds/{guild_id}/channels",
    "members": "/guilds/{guild_id}/members",
    "member": "/guilds/{guild_id}/members/{user_id}",
    "user": "/users/{user_id}",
    "channel": "/channels/{channel_id}",
    "messages": "/channels/{channel_id}/messages",
    "message": "/channels/{channel_id}/messages/{message_id}",
    "active threads": "/guilds/{guild_id}/threads/active",
    "archived threads": "/channels/{channel_id}/threads/archived/public",
    "archived private threads": "/channels/{channel_id}/threads/archived/private",
    "joined private threads": "/channels/{channel_id}/users/@me/threads/archived/private",
}
OPEN_DM = "/users/@me/channels"  # the one POST, and only while an opening is agreed to
SHAPES = [
    re.compile(re.sub(r"\\\{\w+\\\}", r"\\d+", re.escape(path)) + r"\Z") for path in READS.values()
]


@dataclass(frozen=True, slots=True)
class Ask:
    """One request: a route by name, the ids in its path, its query."""

    route: str
    ids: Mapping[str, str] = field(default_factory=dict)
    query: Mapping[str, str] = field(default_factory=dict)

    @property
    def path(self) -> str:
        """The path below the API's base."""
        return OPEN_DM if self.route == "open dm" else READS[self.route].format_map(self.ids)

    @property
    def resource(self) -> str:
        """The top-level resource that a bucket counts by (discord-rest §3)."""
        return self.ids.get("channel_id") or self.ids.get("guild_id") or ""

    @property
    def lane(self) -> str:
        """Name what is limited together as long as no bucket is known: route and resource."""
        return f"{self.route}:{self.resource}"


def ask(route: str, query: Mapping[str, str | int] | None = None, **ids: str) -> Ask:
    """Make a request to a route of the list."""
    return Ask(route, ids, {key: str(value) for key, value in (query or {}).items()})


def is_allowed(method: str, url: str, base: str, *, opening: bool = False) -> bool:
    """Say whether a request may leave: below `base`, a GET on the list, or the agreed POST."""
    if not url.startswith(base + "/"):
        return False
    path = url[len(base) :].split("?", 1)[0].split("#", 1)[0]
    if method == "POST":
        return opening and path == OPEN_DM
    return method == "GET" and any(shape.match(path) for shape in SHAPES)


def is_allowed_file(method: str, url: str, base: str) -> bool:
    """Say whether a file may be fetched: from Discord's CDN, or from loopback in a trial."""
    parts = urlsplit(url)
    if method != "GET":
        return False
    if is_loopback(base):
        return parts.hostname in LOOPBACK and parts.port == urlsplit(base).port
    return parts.scheme == "https" and parts.hostname in CDN_HOSTS and parts.port in {None, 443}


def is_loopback(base: str) -> bool:
    """Say whether an address is on this machine."""
    return urlsplit(base).hostname in LOOPBACK


def api_base(given: str | None) -> str:
    """Give the API's address; another than Discord's own must be on loopback."""
    if not given:
        return API
    base = given.rstrip("/")
    if urlsplit(base).scheme not in {"http", "https"} or not is_loopback(base):
        raise UsageError(
            f"dump.api_base is {given!r}; only a loopback address may stand there "
            f"(a token goes to Discord and nowhere else); leave it out"
        )
    return base
