"""The bot's token: taken from the environment, cleaned, and kept out of every word we say."""

import re
from collections.abc import Mapping

from pipeline.errors import UsageError

TOKEN_VARIABLE = "DISCORD_TOKEN"  # noqa: S105 -- the name of the variable, no secret
SHORTEST = 8
HIDDEN = "[redacted-token]"
# What a Discord token looks like, and whatever follows an Authorization scheme.
TOKEN_SHAPE = re.compile(r"(?:mfa\.)?[\w-]{20,}\.[\w-]{5,}\.[\w-]{20,}|mfa\.[\w-]{20,}")
AFTER_SCHEME = re.compile(r"\b(Bot|Bearer)\s+[\w.\-]{16,}")


def read_token(env: Mapping[str, str]) -> str:
    """
    Take the bot token from the environment, without the wrapping that people paste with it.

    Quotes, blanks around it and a `Bot ` prefix are taken off; what no bot token can be is
    refused here, before anything goes out. No error shows the value.
    """
    given = env.get(TOKEN_VARIABLE, "")
    token = _unwrap(given)
    if token.lower().startswith("bot "):
        token = _unwrap(token[4:])
    if not token:
        raise UsageError(
            f"{TOKEN_VARIABLE} is not set; put the bot's token into the environment "
            f"(Developer Portal → Bot → Reset Token), never into agent.toml"
        )
    if token.startswith("mfa.") or token.lower().startswith("bearer "):
        raise UsageError(
            f"{TOKEN_VARIABLE} holds a user's token; accounts are banned for that: "
            f"take the token of the bot itself"
        )
    if re.search(r"\s", token):
        raise UsageError(
            f"{TOKEN_VARIABLE} has a blank inside; copy the bot's token again, in one piece"
        )
    if not (token.isascii() and token.isprintable()):
        raise UsageError(
            f"{TOKEN_VARIABLE} holds characters that no token has; copy the bot's token again"
        )
    if len(token) < SHORTEST:  # masking so few characters would blot out half of every line
        raise UsageError(
            f"{TOKEN_VARIABLE} holds fewer than {SHORTEST} characters, which is no token; "
            f"copy the bot's token again"
        )
    return token


def _unwrap(text: str) -> str:
    """Take off blanks, quotes and zero-width marks around a pasted value."""
    return text.strip().strip("\"'`\u200b\ufeff").strip()


def scrub(text: str, token: str) -> str:
    """Give `text` without the token: by value, and by the shape of any token."""
    if token:
        text = text.replace(token, HIDDEN)
    text = AFTER_SCHEME.sub(rf"\1 {HIDDEN}", text)
    return TOKEN_SHAPE.sub(HIDDEN, text)
