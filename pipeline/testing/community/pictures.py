"""Attachments made by code: a small glowing lantern, a voice message that says nothing."""

import struct
import zlib

SIDE = 48


def picture(number: int) -> bytes:
    """Draw a lantern as a real PNG; each number has its own colour and height."""
    tint = ((number * 47) % 96, (number * 29) % 80, (number * 83) % 64)
    middle = 16 + number % 12
    rows = bytearray()
    for y in range(SIDE):
        rows.append(0)  # no filter in this row
        for x in range(SIDE):
            glow = max(0, 255 - (x - SIDE // 2) ** 2 - (y - middle) ** 2 // 2)
            rows += bytes(max(0, glow - part) for part in tint)
    head = struct.pack(">IIBBBBB", SIDE, SIDE, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(bytes(rows), 6)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in parts)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def voice(packets: int) -> bytes:
    """Make an Ogg/Opus file of silence, 20 ms a packet."""
    head = b"OpusHead" + struct.pack("<BBHIhB", 1, 1, 0, 48_000, 0, 0)
    tags = b"OpusTags" + struct.pack("<I", 7) + b"otterby" + struct.pack("<I", 0)
    silence = [b"\xf8\xff\xfe"] * min(packets, 250)
    end = len(silence) * 960
    return b"".join((_page([head], 0, 0, 2), _page([tags], 1, 0, 0), _page(silence, 2, end, 4)))


def _page(packets: list[bytes], number: int, position: int, flags: int) -> bytes:
    sizes = bytes(len(packet) for packet in packets)
    head = b"OggS" + struct.pack("<BBqII", 0, flags, position, 7, number)
    tail = bytes([len(sizes)]) + sizes + b"".join(packets)
    checksum = _ogg_crc(head + b"\0\0\0\0" + tail)
    return head + struct.pack("<I", checksum) + tail


def _ogg_crc(data: bytes) -> int:
    crc = 0
    for byte in data:
        crc ^= byte << 24
        for _ in range(8):
            crc = (crc << 1 ^ 0x04C11DB7 if crc & 0x80000000 else crc << 1) & 0xFFFFFFFF
    return crc
