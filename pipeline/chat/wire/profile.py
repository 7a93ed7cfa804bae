"""The three months in which the wire format stood still, and what a renderer may be told."""

import msgspec

from pipeline.errors import UsageError


class Profile(msgspec.Struct, frozen=True):
    """What differs between the months (§0)."""

    month: str
    letter: str
    names_editors: bool  # edits and deletes say whose words they were (§5.4)
    names_parents: bool  # a thread is shown under its parent's name (§2.3)
    names_sources: bool  # the host puts a `[source: …]` block before every message (§6)


PROFILES = {
    profile.month: profile
    for profile in (
        Profile("2026-08", "A", names_editors=False, names_parents=False, names_sources=False),
        Profile("2026-09", "A2", names_editors=True, names_parents=False, names_sources=False),
        Profile("2026-10", "B", names_editors=True, names_parents=True, names_sources=True),
    )
}
DEFAULT_MONTH = "2026-09"
_BY_LETTER = {profile.letter: profile for profile in PROFILES.values()}


def profile_of(name: str) -> Profile:
    """Find a profile by its month or by the letter that the spec gives it."""
    found = PROFILES.get(name) or _BY_LETTER.get(name)
    if found is None:
        raise UsageError(f"no wire profile called {name}; there are {', '.join(PROFILES)}")
    return found


class WireSettings(msgspec.Struct, frozen=True):
    """What the operator decides about rendering."""

    profile: Profile = PROFILES[DEFAULT_MONTH]
    strip_signed_links: bool = True  # departs from live text on purpose: signatures are dead links
    server_id: str = "discord"  # the host's name for the adapter
    inline_cap_bytes: int = 5120  # DISCORD_ATTACHMENT_INLINE_MAX_BYTES
