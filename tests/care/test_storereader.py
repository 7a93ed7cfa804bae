"""The reader of stores: every operation, both encodings, branches, torn tails, odd files."""

import struct
from pathlib import Path

import pytest

from pipeline.care.storereader import hot_copy, open_store
from pipeline.errors import SourceError
from tests.care.stores import STAMP, Made, canonical

EXAMPLE_LOG = (
    "5245430001000100000000000000010000000000000001000000000000000000a40731af05000700"
    "6d657373616765000d0000007b2274657874223a226869227d00000000d8c447ca"
)
EXAMPLE_STATE = (
    "53544900022000000000000000928192 01a16d98490100c0c0c2010081a16d81a9417070656e644c6f6792320a"
)
EXAMPLE_BRANCHES = (
    "4252490001 0100000000000000 1e00000000000000 93810196 01a46d61696e02c0c0cf0005af3107a40000"
    "81a46d61696e0102"
)
EXAMPLE_BLOB = "424c420001 0a00 746578742f706c61696e 0300000000000000 616263 c2412435"
EXAMPLE_PACKED = (
    "86a97265636f72645f696400af676c6f62616c5f73657175656e636502a873746174655f6964a16d"
    "b2707265765f7570646174655f6f6666736574c0a96f7065726174696f6e81a6417070656e64c407"
    "7b226e223a317da974696d657374616d70cf0005af3107b34240"
)
BA = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


def example(root: Path, *, packed: bool) -> Path:
    """Write the format's worked example, from its own bytes."""
    if packed:
        payload, encoding, check = bytes.fromhex(EXAMPLE_PACKED), 1, "48fdac39"
    else:
        payload, encoding, check = (
            (
                b'{"record_id":0,"global_sequence":2,"state_id":"m","prev_update_offset":null,'
                b'"operation":{"Append":[123,34,110,34,58,49,125]},"timestamp":1600000001000000}'
            ),
            2,
            "2e08fadd",
        )
    second = bytes.fromhex("524543000100" + "0200000000000000" * 2 + "0100000000000000")
    second += bytes.fromhex("4042b30731af05000c00") + b"state_update" + bytes([encoding])
    second += struct.pack("<I", len(payload)) + payload + bytes(4) + bytes.fromhex(check)
    (root / "blobs" / "ba").mkdir(parents=True)
    (root / "MANIFEST").write_bytes(bytes.fromhex("5253540001"))
    (root / "records.log").write_bytes(bytes.fromhex(EXAMPLE_LOG) + second)
    (root / "state.bin").write_bytes(bytes.fromhex(EXAMPLE_STATE))
    (root / "branches.bin").write_bytes(bytes.fromhex(EXAMPLE_BRANCHES))
    (root / "blobs" / "ba" / BA).write_bytes(bytes.fromhex(EXAMPLE_BLOB))
    return root


@pytest.mark.parametrize("packed", [False, True])
def test_the_worked_example_reads(tmp_path: Path, *, packed: bool) -> None:
    """The format's own bytes give its own values, in both encodings."""
    store = open_store(example(tmp_path / "s", packed=packed))
    assert store.slots() == ["m"]
    assert store.value("m") == [{"n": 1}]
    assert store.records == {"message": 1, "state_update": 1}
    assert (store.branch.name, store.last_id, store.notes) == ("main", 2, ())
    assert store.blob(BA).content == b"abc"
    assert store.blob(BA).content_type == "text/plain"


def test_the_hand_made_stores_are_those_of_the_format(tmp_path: Path) -> None:
    """The builder of these tests gives the worked example's bytes."""
    made = Made(tmp_path / "m")
    made.record("message", 0, b'{"text":"hi"}')
    made.update("m", {"Append": b'{"n":1}'}, stamp=STAMP + 1_000_000)
    made.heads[1, "m"] = [73, 1, 0, None, None, False, 1, 0]
    made.blob(b"abc")
    made.write()
    example(tmp_path / "e", packed=False)
    for name in ("MANIFEST", "records.log", "state.bin", "branches.bin", f"blobs/ba/{BA}"):
        assert (tmp_path / "m" / name).read_bytes() == (tmp_path / "e" / name).read_bytes(), name


@pytest.mark.parametrize("packed", [False, True])
def test_every_operation_is_applied(tmp_path: Path, *, packed: bool) -> None:
    """Appends, edits, redactions, sets, deltas, trees and fields give what the format says."""
    made = Made(tmp_path / "s", packed=packed)
    made.append("edited", ["a", "b", "c", "d"])
    made.update("edited", {"Edit": {"index": 1, "new_value": canonical("B")}})
    made.update("edited", {"Redact": {"start": 2, "end": 99}})
    made.append("edited", ["é"])
    made.append("delta", [1, 2])
    made.update("delta", {"DeltaSnapshot": canonical([1, 2])})
    made.append("delta", [3])
    made.snapshot("full", [9])
    made.append("full", [10])
    made.update("set", {"Set": canonical({"k": None})})
    made.update("set", {"Delta": {"old_hash": [0] * 32, "new_value": canonical({"k": 2})}})
    made.update("set", {"Field": {"name": "log", "operation": {"Append": canonical(7)}}})
    entry = {"blob_hash": "00" * 32, "size": 3, "mode": 420}
    made.update("tree", {"TreeSet": {"path": "a", "entry": entry}})
    made.update("tree", {"TreeBatch": {"ops": [{"Set": {"path": "b", "entry": entry}}]}})
    made.update("tree", {"TreeRemove": {"path": "a"}})
    made.update("shelf", {"TreeSet": {"path": "old", "entry": entry}})
    made.update("shelf", {"TreeDeltaSnapshot": [{"Set": {"path": "new", "entry": entry}}]})
    store = open_store(made.write())
    assert store.value("edited") == ["a", "B", "é"]
    assert store.value("delta") == [1, 2, 3]
    assert store.value("full") == [9, 10]
    assert store.value("set") == {"k": 2, "log": [7]}
    assert store.value("tree") == {"b": entry}
    assert store.value("shelf") == {"new": entry}


def test_mixed_encodings_read_in_one_slot(tmp_path: Path) -> None:
    """Each record's own encoding counts: JSON first, MessagePack behind it."""
    made = Made(tmp_path / "s")
    made.append("m", [1])
    made.packed = True
    made.append("m", [2])
    assert open_store(made.write()).value("m") == [1, 2]


def test_a_branch_goes_on_from_its_parent(tmp_path: Path) -> None:
    """A child's chain leads into its parent's; each branch has its own value."""
    made = Made(tmp_path / "s")
    made.append("m", [1])
    child = made.fork("side")
    made.append("m", [2])
    store = open_store(made.write())
    assert store.branch.name == "side"
    assert store.value("m") == [1, 2]
    assert store.value("m", 1) == [1]
    assert store.slots(child) == ["m"]


def test_updates_behind_the_small_files_are_followed(tmp_path: Path) -> None:
    """A store that lives has more in its log than in state.bin; the chain says what belongs."""
    made = Made(tmp_path / "s")
    made.append("m", [1])
    known = {key: list(head) for key, head in made.heads.items()}
    made.append("m", [2, 3])
    store = open_store(made.write(heads=known))
    assert (store.value("m"), store.replayed) == ([1, 2, 3], 2)


def test_a_torn_tail_is_dropped_and_told(tmp_path: Path) -> None:
    """Half a record at the end costs itself only."""
    made = Made(tmp_path / "s")
    made.append("m", [1])
    made.write()
    with (made.root / "records.log").open("ab") as log:
        log.write(bytes(made.log[:30]))
    store = open_store(made.root)
    assert store.value("m") == [1]
    assert store.notes == ("a torn tail of 30 bytes is left out",)


def test_damage_inside_the_log_is_an_error(tmp_path: Path) -> None:
    """A flipped byte with sound records behind it is no torn tail."""
    made = Made(tmp_path / "s")
    made.append("m", [1, 2])
    made.log[80] ^= 1
    with pytest.raises(SourceError, match="damaged"):
        open_store(made.write())


@pytest.mark.parametrize("size", [5, 6, 7, 8])
def test_heads_of_five_to_eight_elements_read(tmp_path: Path, size: int) -> None:
    """Every length that some version writes or reads is taken."""
    made = Made(tmp_path / "s")
    made.append("m", [1])
    made.heads[1, "m"] = [0, 1, 0, None, None, False, 1, 0][:size]
    assert open_store(made.write()).value("m") == [1]


@pytest.mark.parametrize("size", [4, 9])
def test_heads_of_another_size_are_named(tmp_path: Path, size: int) -> None:
    """What no version takes is refused, with the slot's name."""
    made = Made(tmp_path / "s")
    made.append("m", [1])
    made.heads[1, "m"] = [0] * size
    with pytest.raises(SourceError, match=f"head of m has {size}"):
        open_store(made.write())


def test_unknown_versions_and_operations_are_named(tmp_path: Path) -> None:
    """Nothing is guessed: another version, an unknown operation, an unknown strategy."""
    made = Made(tmp_path / "s")
    made.append("m", [1])
    made.update("odd", {"Whirl": [1]})
    made.strategies["odd"] = "Whirlpool"
    store = open_store(made.write())
    assert store.notes == ("slot odd: the strategy Whirlpool is not known here",)
    assert store.value("m") == [1]
    with pytest.raises(SourceError, match="operation Whirl"):
        store.value("odd")
    (made.root / "MANIFEST").write_bytes(b"RST\0\2")
    with pytest.raises(SourceError, match="version 2"):
        open_store(made.root)


def test_reading_touches_nothing(tmp_path: Path) -> None:
    """No LOCK, no new file, no changed byte: neither by reading nor by a hot copy."""
    made = Made(tmp_path / "s")
    made.append("m", [1])
    made.blob(b"abc")
    made.write()
    before = {p: p.read_bytes() for p in made.root.rglob("*") if p.is_file()}
    copy = open_store(hot_copy(made.root, tmp_path / "copy"))
    open_store(made.root).value("m")
    assert {p: p.read_bytes() for p in made.root.rglob("*") if p.is_file()} == before
    assert (copy.value("m"), copy.blob(BA).content) == ([1], b"abc")
    assert (tmp_path / "copy").stat().st_mode & 0o777 == 0o700


def test_a_damaged_blob_is_an_error_of_its_reading(tmp_path: Path) -> None:
    """The checksum of a blob is tried when it is read."""
    made = Made(tmp_path / "s")
    digest = made.blob(b"abc")
    made.blobs[digest] = made.blobs[digest].replace(b"abc", b"abd")
    store = open_store(made.write())
    with pytest.raises(SourceError, match="checksum"):
        store.blob(digest)
