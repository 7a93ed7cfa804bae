"""Arrow columns of raw messages as numpy: what is null is said once, here."""

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from pipeline.errors import UsageError

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

    Array = np.ndarray[Any, Any]
    Column = Any  # an Arrow array, in one piece or in several

DISCORD_EPOCH_MS = 1_420_070_400_000


def numbers(column: "Column") -> "Array":
    """Give a number column, null as 0."""
    found: Array = one_array(column).fill_null(0).to_numpy(zero_copy_only=False)
    return found


def bools(column: "Column") -> "Array":
    """Give a boolean column, null as False: a null is neither, and nothing that we asked for."""
    found: Array = one_array(column).fill_null(False).to_numpy(zero_copy_only=False)  # noqa: FBT003
    return found


def one_array(column: "Column") -> "pa.Array":
    """Give a column as one piece."""
    import pyarrow as pa

    return column if isinstance(column, pa.Array) else column.combine_chunks()


def times_ms(stamps: "Column", message_id: "Array") -> "Array":
    """Give times as UTC milliseconds; where there is none, the time that the id holds."""
    import pyarrow as pa

    whole = one_array(stamps)
    found: Array = numbers(whole.cast(pa.int64())) // 1000
    if whole.null_count:
        missing = ~bools(whole.is_valid())
        found[missing] = (message_id[missing] >> 22) + DISCORD_EPOCH_MS
    return found


def is_blank(texts: "pa.Array") -> "Array":
    """Say which texts hold nothing but white space."""
    from pyarrow import compute

    empty = compute.equal(compute.binary_length(texts), 0)
    return bools(compute.or_(empty, compute.utf8_is_space(texts)))


def matches(texts: "pa.Array", pattern: str, place: str, *, is_cased: bool) -> "Array":
    """Say which texts a pattern (RE2 syntax) is found in; `place` names the knob in an error."""
    import pyarrow as pa
    from pyarrow import compute

    try:
        found = compute.match_substring_regex(texts, pattern, ignore_case=not is_cased)
    except pa.ArrowInvalid as error:
        raise UsageError(
            f"{place}: {pattern!r} cannot be used ({str(error).splitlines()[0]}); "
            f"look-around and back references are not known here (RE2 syntax)"
        ) from error
    return bools(found)


def among(column: "Column", ids: Collection[str]) -> "Array":
    """Say which values are one of these ids; a null is none of them."""
    import numpy as np
    import pyarrow as pa
    from pyarrow import compute

    if not ids or column.null_count == len(column):
        return np.zeros(len(column), bool)
    return bools(compute.is_in(column, value_set=pa.array(sorted(ids), pa.string())))


def any_among(lists: "Column", ids: Collection[str]) -> "Array":
    """Say which lists hold one of these ids; a null list holds none."""
    import numpy as np

    found = np.zeros(len(lists), bool)
    if not ids:
        return found
    whole = one_array(lists)
    hits = np.flatnonzero(among(whole.flatten(), ids))
    if len(hits):
        ends = np.cumsum(numbers(whole.value_lengths()))
        found[np.searchsorted(ends, hits, side="right")] = True
    return found
