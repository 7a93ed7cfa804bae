"""The tools that a probed model is given: search the history, read a memory, read on."""

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pipeline.memory.search import Hit, Message, Recalled, ask, memory_of, message_at, neighbours
from pipeline.models.seam import Tool, ToolCall

LIMIT = 8
LONGEST = 1_500  # characters of a memory in a list of hits; `read_memory` gives it whole


def schema(**properties: str) -> Mapping[str, Any]:
    """Give the JSON schema of arguments that are all texts; every one is needed."""
    described = {name: {"type": "string", "description": says} for name, says in properties.items()}
    return {"type": "object", "properties": described, "required": list(properties)}


TOOLS = (
    Tool(
        "search_history",
        "Search everything that was said and everything that you remember.",
        schema(query="Words, people, a #room or a day to look for."),
    ),
    Tool("read_memory", "Read one memory whole.", schema(memory_id="Its id, such as L2-31.")),
    Tool("read_around", "Read the talk around a message.", schema(item_id="The message's id.")),
)


@dataclass(frozen=True, slots=True)
class Tools:
    """What the tools look at; times are shown in the zone of `now`."""

    db: sqlite3.Connection
    now: datetime

    def use(self, call: ToolCall) -> str:
        """Give what a tool finds, in words; a wrong call is told so, as a host would."""
        said = {name: str(value) for name, value in call.arguments.items()}
        if call.name == "search_history" and said.get("query", "").strip():
            hits = ask(self.db, said["query"], self.now, limit=LIMIT)
            return "\n\n".join(map(self._hit, hits)) or "Nothing found. Try other words."
        if call.name == "read_memory" and (memory := memory_of(self.db, said.get("memory_id", ""))):
            return self._memory(memory)
        if call.name == "read_around" and (near := self._around(said.get("item_id", ""))):
            return near
        return f"{call.name} cannot be used like that: {sorted(said)}"

    def _hit(self, hit: Hit) -> str:
        told = [self._memory(hit.memory)[:LONGEST]] if hit.memory else []
        if hit.message:
            told += [self._line(m) for m in self._in_order(hit.near, hit.message)]
        if hit.above:
            told.append("in " + ", ".join(memory.memory_id for memory in hit.above))
        return "\n".join(told)

    def _around(self, item_id: str) -> str:
        row = self.db.execute("select place from items where item_id = ?", (item_id,)).fetchone()
        if row is None:
            return ""
        message = message_at(self.db, row[0])
        near = neighbours(self.db, message, reach=8)
        return "\n".join(self._line(m) for m in self._in_order(near, message))

    @staticmethod
    def _in_order(near: tuple[Message, ...], message: Message) -> list[Message]:
        return sorted((*near, message), key=lambda m: m.place)

    def _line(self, message: Message) -> str:
        at = message.sent_at.astimezone(self.now.tzinfo)
        room = f" #{message.room}" if message.room else ""
        return f"[{message.item_id}] {at:%Y-%m-%d %H:%M}{room} {message.author}: {message.body}"

    def _memory(self, memory: Recalled) -> str:
        start, end = (t.astimezone(self.now.tzinfo) for t in (memory.started_at, memory.ended_at))
        return f"{memory.memory_id}, {start:%Y-%m-%d} to {end:%Y-%m-%d}:\n{memory.text}"
