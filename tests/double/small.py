"""Builders for corpora of a few objects, and a plain client for the double that serves them."""

import json

import httpx

ME = {"id": "1", "username": "lamp", "global_name": "Lamp", "discriminator": "0", "bot": True}
ANN = {"id": "11", "username": "ann", "global_name": "Ann", "discriminator": "0"}
VIEW, HISTORY, CONNECT, MANAGE_THREADS = 1 << 10, 1 << 16, 1 << 20, 1 << 34
READ = VIEW | HISTORY


def room(channel_id, kind=0, deny=0, allow=0, **more):
    """A channel whose overwrite for @everyone denies and allows."""
    overwrite = {"id": "100", "type": 0, "deny": str(deny), "allow": str(allow)}
    return {
        "id": channel_id,
        "type": kind,
        "name": f"room {channel_id}",
        "parent_id": None,
        "last_message_id": None,
        "permission_overwrites": [overwrite],
        **more,
    }


def thread(thread_id, parent_id, kind=11, archived=None, member_ids=()):
    """A thread, active unless a time of archiving is given."""
    metadata = {
        "archived": archived is not None,
        "archive_timestamp": archived or "2026-01-01T00:00:00.000000+00:00",
        "locked": False,
        "auto_archive_duration": 1440,
    }
    return {
        "id": thread_id,
        "type": kind,
        "name": f"thread {thread_id}",
        "parent_id": parent_id,
        "last_message_id": None,
        "thread_metadata": metadata,
        "member_ids": list(member_ids),
    }


def said(message_id, channel_id, text="", author=ANN, **more):
    """A message as the API gives it, or nearly."""
    return {
        "id": str(message_id),
        "channel_id": channel_id,
        "type": 0,
        "content": text or f"words {message_id}",
        "author": author,
        "mentions": [],
        "mention_roles": [],
        "mention_everyone": False,
        "attachments": [],
        "embeds": [],
        "components": [],
        "flags": 0,
        "pinned": False,
        "tts": False,
        "timestamp": "2026-01-01T00:00:00.000000+00:00",
        "edited_timestamp": None,
        **more,
    }


def write(folder, *, channels=(), threads=(), messages=None, everyone=READ, members=(), **more):
    """A corpus folder of one guild, 100, and the messages by channel id."""
    guild = {
        "id": "100",
        "name": "Yard",
        "owner_id": "99",
        "roles": [{"id": "100", "name": "@everyone", "permissions": str(everyone)}],
        "channels": list(channels),
        "threads": list(threads),
        "members": [{"user": ANN, "nick": None, "roles": []}, *members],
    }
    (folder / "messages").mkdir(parents=True)
    (folder / "guild.json").write_text(json.dumps({"self": ME, "guilds": [guild], **more}))
    for channel_id, rows in (messages or {}).items():
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (folder / "messages" / f"{channel_id}.jsonl").write_text(text)
    return folder


def lines(channel_id, *ids):
    """Plain messages with these ids."""
    return [said(i, channel_id) for i in ids]


def client(double, token=None):
    """A client that knows the address and the token."""
    headers = {"Authorization": f"Bot {token or double.token}"}
    return httpx.Client(base_url=double.url, headers=headers, trust_env=False)


def get(double, path, **params):
    """Ask once."""
    with client(double) as http:
        return http.get(path, params=params)


def ids(answer):
    """The ids of the objects in a listing."""
    found = answer.json()
    return [int(row["id"]) for row in (found["threads"] if isinstance(found, dict) else found)]
