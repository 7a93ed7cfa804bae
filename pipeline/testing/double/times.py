"""Discord's two clocks: ISO texts and the milliseconds inside an id."""

from datetime import UTC, datetime

EPOCH_MS = 1_420_070_400_000  # 2015-01-01, where snowflakes begin


def iso(seconds: float) -> str:
    """Write a time as Discord does: six fraction digits and +00:00."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="microseconds")


def moment(text: str) -> float:
    """Read an ISO time into epoch seconds; ValueError where it is none."""
    read = datetime.fromisoformat(text.replace(" ", "+"))  # an unescaped + arrives as a blank
    return (read if read.tzinfo else read.replace(tzinfo=UTC)).timestamp()


def snowflake(seconds: float) -> int:
    """Make the lowest id of a millisecond."""
    return (int(seconds * 1000) - EPOCH_MS) << 22


def made_at(snowflake_id: int) -> float:
    """Give the epoch seconds inside an id."""
    return ((snowflake_id >> 22) + EPOCH_MS) / 1000
