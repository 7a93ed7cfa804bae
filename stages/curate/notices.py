"""What the host says beside messages and turns, as entries of the store."""

from datetime import datetime

from pipeline.chat.wire import Notice
from stages.curate.entry import USER, Bundle, Entry


def clock_text(now: datetime) -> str:
    """Say the local time as the agent reads it."""
    return f"[clock] {now:%A %Y-%m-%d %H:%M} {now.tzinfo}"


def notice_entry(bundle: Bundle, first_id: str, kind: str, notice: Notice) -> Entry:
    """Give a notice beside the item `first_id`, at its time and in its room."""
    return Entry(
        item_id=f"{first_id}/{kind}",
        kind=kind,
        participant=USER,
        is_self=False,
        addressed=False,
        sent_ms=bundle.sent_ms,
        place=bundle.place,
        blocks=[{"type": "text", "text": notice.text}],
        body=notice.text,
        metadata=notice.metadata,
    )
