"""Keys: from the environment only, tidied, never shown."""

import ipaddress
from collections.abc import Mapping
from urllib.parse import urlsplit

from pipeline.models.failures import WrongKeyError

NO_KEY = "no-key"  # what a client sends to a server on this machine that asks for none


def find_key(env: Mapping[str, str], variable: str, base_url: str) -> str:
    """
    Read a key from the environment; a server on this machine needs none.

    Quotes and blanks around it are taken off, as they come from copying; a blank inside is
    refused, since the server would only say that the key is wrong.
    """
    key = env.get(variable, "").strip().strip("\"'").strip()
    if key.lower().startswith("bearer "):
        key = key[len("bearer ") :].strip()
    if not key:
        if is_local(base_url):
            return NO_KEY
        raise WrongKeyError(f"{variable} is not set; put the key of {host(base_url)} into it")
    if not key.isascii() or len(key.split()) > 1:
        raise WrongKeyError(f"{variable} holds blanks or odd characters; copy the key again")
    return key


def is_local(base_url: str) -> bool:
    """Tell whether an address lies on this machine."""
    name = host(base_url)
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return name == "localhost" or name.endswith(".localhost")


def host(base_url: str) -> str:
    """Name the host behind an address, without user, port or path."""
    return urlsplit(base_url).hostname or base_url
