"""
People as an export shows them: users, members and roles, and which names are honest.

An exporter writes one `nickname` that falls back to the global name and then to the
username, so it is a nickname only where nothing else can explain it (known-faults B022).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from stages.dump.files.terms import LostRow, id_text, mapping, objects, stable_id, words

# Under this id stand many accounts that were deleted (spec dce-json, 2g).
DELETED_ID = "456226577798135808"
Object = dict[str, Any]


def names(person: Mapping[str, Any], *, in_guild: bool) -> tuple[str | None, str | None]:
    """Give global name and nickname, null where there is none or it cannot be told."""
    name = person.get("name")
    if isinstance(member := person.get("member"), Mapping):  # users and members kept apart
        return _other(person.get("displayName"), name), words(member.get("nickname"))
    shown = _other(person.get("nickname"), name)
    if "displayName" in person:
        own = _other(person.get("displayName"), name)
        return own, (shown if shown != own else None)
    if shown is None or not in_guild:
        return shown, None
    has_number = _discriminator(person) not in {"0", "0000"}
    # With a four-digit number there is no global name; with a role or a colour it is a
    # member, and the name is a nickname or a global name: as a nickname it reads the same.
    if has_number or person.get("roles") or person.get("roleIds") or person.get("color"):
        return None, shown
    return shown, None


def is_webhook(person: Mapping[str, Any]) -> bool:
    """Say whether an author is a webhook or proxy: a bot without a number and without roles."""
    return (
        person.get("isBot") is True
        and _discriminator(person) in {"0", "0000"}
        and not (person.get("roles") or person.get("roleIds"))
    )


def is_deleted(person: Mapping[str, Any]) -> bool:
    """Say whether the account is gone; there is no sure sign, only Discord's words for it."""
    name = person.get("name") or ""
    return (
        id_text(person.get("id")) == DELETED_ID
        or name == "Deleted User"
        or str(name).startswith("deleted_user_")
    )


def user(person: Mapping[str, Any], *, in_guild: bool) -> Object:
    """Give a person as a user object of Discord's; LostRow where it has no id."""
    user_id = stable_id(person.get("id"))
    if user_id is None:
        raise LostRow("an author or mentioned person has no id")
    webhook = is_webhook(person)
    number = _discriminator(person)
    found: Object = {
        "id": user_id,
        "username": words(person.get("name")) or words(person.get("nickname")) or user_id,
        "global_name": None if webhook else names(person, in_guild=in_guild)[0],
        "discriminator": "0" if number == "0000" and not webhook else number,
        "avatar": None,
    }
    if person.get("isBot") is True:
        found["bot"] = True
    return found


@dataclass(slots=True)
class Cast:
    """Everybody whom one export shows, by their id in the file; the fullest view of each."""

    in_guild: bool
    people: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    roles: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    authors: set[str] = field(default_factory=set)

    def see(self, person: object, *, spoke: bool = False) -> None:
        """Note a person; webhooks are none, as one id has many names."""
        if not isinstance(person, Mapping) or is_webhook(person):
            return
        key = id_text(person.get("id"))
        if key is None:
            return
        if spoke:
            self.authors.add(key)
        known = self.people.get(key)
        if known is None or ("roles" in person and "roles" not in known):
            self.people[key] = person
            for role in objects(person.get("roles")) + objects(
                mapping(person.get("member")).get("roles")
            ):
                if role_id := id_text(role.get("id")):
                    self.roles.setdefault(role_id, role)

    def users(self, global_names: Mapping[str, str]) -> list[Object]:
        """Give a user object for everybody; a global name known from elsewhere is not unsaid."""
        found = []
        for person in self.people.values():
            one = {**user(person, in_guild=self.in_guild), "dce": _seen(person)}
            one["global_name"] = one["global_name"] or global_names.get(one["id"])
            found.append(one)
        return found

    def members(self, global_names: Mapping[str, str]) -> list[Object]:
        """
        Give a member object for everybody who may be one: not in a DM, not deleted.

        `global_names` are known from elsewhere, by user id: such a name is no nickname.
        """
        if not self.in_guild:
            return []
        people = [p for p in self.people.values() if not is_deleted(p)]
        found = [_member(p) for p in people if "nickname" in p or p.get("member")]
        for member in found:
            if member["nick"] == global_names.get(member["user"]["id"], ""):
                member["nick"] = None
        return found

    def role_objects(self, guild_id: str) -> list[Object]:
        """
        Give the roles that somebody wears; what they allow is not in an export.

        @everyone, which has the guild's id, is left out: without its rights it would say
        that nobody may see anything.
        """
        return [
            {
                "id": stable_id(role.get("id")),
                "name": words(role.get("name")) or "",
                "color": color_number(role.get("color")) or 0,
                "position": role.get("position") if isinstance(role.get("position"), int) else 0,
                "dce": True,
            }
            for key, role in self.roles.items()
            if key != guild_id
        ]


def color_number(value: object) -> int | None:
    """Read `#RRGGBB`."""
    if not isinstance(value, str):
        return value if isinstance(value, int) and not isinstance(value, bool) else None
    try:
        return int(value.lstrip("#"), 16)
    except ValueError:
        return None


def _member(person: Mapping[str, Any]) -> Object:
    own = person.get("member")
    source = own if isinstance(own, Mapping) else person
    ids = source.get("roleIds")
    worn = [role.get("id") for role in objects(source.get("roles"))]
    worn = worn or (ids if isinstance(ids, list) else [])
    found: Object = {
        "user": user(person, in_guild=True),
        "nick": names(person, in_guild=True)[1],
        "roles": [role for value in worn if (role := stable_id(value))],
        "dce": _seen(person),
    }
    if joined := words(source.get("joinedAt")):
        found["joined_at"] = joined
    return found


def _seen(person: Mapping[str, Any]) -> Object:
    """Keep the name as the file gave it, as which name it is may be told only later."""
    return {"name": person.get("name"), "nickname": person.get("nickname")}


def _discriminator(person: Mapping[str, Any]) -> str:
    value = person.get("discriminator")
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:04d}"  # a number until version 2.26
    return value if isinstance(value, str) and value else "0000"


def _other(value: object, name: object) -> str | None:
    return words(value) if value != name else None
