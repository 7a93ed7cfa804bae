"""Invented messages that look as if they held a credential, and hold none."""

import base64
import hashlib
from random import Random

from pipeline.testing.secrets_set.dice import (
    ALNUM,
    BASE58,
    BASE64,
    DIGITS,
    HEX,
    LOWER,
    UPPER,
    URLSAFE,
    b64url,
    mixed,
    run,
    snowflake,
    uuid,
)
from pipeline.testing.secrets_set.innocent import INNOCENT, Say
from pipeline.testing.secrets_set.tokens import pem


def filled(*frames: str, value: Say) -> Say:
    """Give a draw of one of the frames with every `{}` filled by a fresh value."""

    def draw(dice: Random) -> str:
        first, *others = dice.choice(frames).split("{}")
        return first + "".join(value(dice) + other for other in others)

    return draw


def sri(dice: Random) -> str:
    """Draw a subresource integrity value."""
    name = dice.choice(("sha256", "sha384", "sha512"))
    return f"{name}-{base64.b64encode(hashlib.new(name, dice.randbytes(9)).digest()).decode()}"


def picture(dice: Random) -> str:
    """Draw the beginning of a picture in base64."""
    head = dice.choice(("iVBORw0KGgoAAAANSUhEUgAA", "/9j/4AAQSkZJRgABAQAA", "R0lGODlhAQABAIAAAP"))
    return head + run(dice, dice.randrange(200, 900), BASE64) + "=="


def isbn(dice: Random) -> str:
    """Draw a 13-digit book number with its check digit."""
    digits = "978" + run(dice, 9, DIGITS)
    total = sum(int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(digits))
    digits += str(-total % 10)
    return dice.choice(
        (digits, f"{digits[:3]}-{digits[3]}-{digits[4:8]}-{digits[8:12]}-{digits[12]}")
    )


def iban(dice: Random) -> str:
    """Draw a German account number, in one run or in blocks."""
    digits = "DE" + run(dice, 20, DIGITS)
    return dice.choice((digits, " ".join(digits[at : at + 4] for at in range(0, 22, 4))))


def not_a_card(dice: Random) -> str:
    """Draw sixteen digits in blocks whose check digit is wrong."""
    digits = "4" + run(dice, 15, DIGITS)
    total = sum(
        sum(divmod(int(d) * (2 if place % 2 else 1), 10))
        for place, d in enumerate(reversed(digits))
    )
    wrong = digits[:-1] + str((int(digits[-1]) + 3) % 10) if total % 10 == 0 else digits
    return " ".join(wrong[at : at + 4] for at in range(0, 16, 4))


def mac(dice: Random) -> str:
    """Draw a hardware address."""
    return ":".join(run(dice, 2, HEX) for _ in range(6))


def phone(dice: Random) -> str:
    """Draw a telephone number in one of several manners."""
    return dice.choice(
        (
            f"+49 170 {run(dice, 7, DIGITS)}",
            f"+1 (555) {run(dice, 3, DIGITS)}-{run(dice, 4, DIGITS)}",
            f"+44 7700 900{run(dice, 3, DIGITS)}",
            f"0{run(dice, 3, DIGITS)}/{run(dice, 6, DIGITS)}",
        )
    )


LOOKALIKES: dict[str, Say] = {
    **INNOCENT,
    "md5": filled("md5 of the iso is {}", "{}  backup.tar", value=lambda d: run(d, 32, HEX)),
    "sha1 commit": filled(
        "fixed in {}",
        "git checkout {}",
        "https://git.example.org/bot/commit/{}",
        value=lambda d: run(d, 40, HEX),
    ),
    "short commit": filled(
        "reverted {} again", "{} broke the build", value=lambda d: run(d, 8, HEX)
    ),
    "sha256": filled(
        "sha256: {}", "the checksum should be {}", "{}", value=lambda d: run(d, 64, HEX)
    ),
    "sha512": filled("sha512sum says {}", value=lambda d: run(d, 128, HEX)),
    "image digest": filled("pull ghcr.io/den/bot@sha256:{}", value=lambda d: run(d, 64, HEX)),
    "sri": filled('integrity="{}"', '"integrity": "{}",', "{}", value=sri),
    "uuid": filled("session id {}", "player {} joined", "{}", "request-id: {}", value=uuid),
    "ulid": filled("job 01{} done", value=lambda d: run(d, 24, UPPER + DIGITS)),
    "snowflake": filled(
        "message {} is gone", "<@{}> hi", "id: {}", "{}", "guild {} channel {}", value=snowflake
    ),
    "emoji and mention": filled("<:party:{}> <@&{}> <#{}>", "<a:wave:{}>", value=snowflake),
    "message link": filled("https://discord.com/channels/{}/{}/{}", value=snowflake),
    "invite": filled("https://discord.gg/{}", "join discord.gg/{}", value=lambda d: mixed(d, 8)),
    "signed picture link": lambda d: (
        f"https://cdn.discordapp.com/attachments/{snowflake(d)}/{snowflake(d)}/cat.png"
        f"?ex={run(d, 8, HEX)}&is={run(d, 8, HEX)}&hm={run(d, 64, HEX)}&"
    ),
    "publishable key": filled("pk_live_{}", "Stripe('pk_test_{}')", value=lambda d: mixed(d, 24)),
    "ssh public key": lambda d: (
        f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{run(d, 43, BASE64)} maren@laptop"
    ),
    "rsa public key": lambda d: f"ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ{run(d, 300, BASE64)} x@y",
    "certificate": lambda d: (p := pem("CERTIFICATE", 8)(d)).before + p.secret + p.after,
    "pem public key": lambda d: (p := pem("PUBLIC KEY", 5)(d)).before + p.secret + p.after,
    "pgp message": lambda d: (p := pem("PGP PUBLIC KEY BLOCK", 5)(d)).before + p.secret + p.after,
    "key fingerprint": filled(
        "SHA256:{} maren@laptop (ED25519)", value=lambda d: run(d, 43, BASE64)
    ),
    "wireguard public key": filled(
        "PublicKey = {}", value=lambda d: base64.b64encode(d.randbytes(32)).decode()
    ),
    "age public key": filled(
        "age1{}", value=lambda d: run(d, 58, "qpzry9x8gf2tvdw0s3jn54khce6mua7l")
    ),
    "nostr public key": filled(
        "npub1{}", value=lambda d: run(d, 58, "qpzry9x8gf2tvdw0s3jn54khce6mua7l")
    ),
    "mail address": filled(
        "write to {}@example.org",
        "{}.maren@mail.example.net is me",
        value=lambda d: run(d, 7, LOWER),
    ),
    "ip address": lambda d: (
        f"server is {d.randrange(1, 255)}.{d.randrange(255)}.{d.randrange(255)}.7:25565"
    ),
    "ipv6 address": lambda d: f"ping6 2001:db8:{run(d, 4, HEX)}:{run(d, 4, HEX)}::{run(d, 4, HEX)}",
    "mac address": filled("mac is {}", "{} got a lease", value=mac),
    "phone number": filled("call me: {}", "{}", "my number is {}", value=phone),
    "isbn": filled("ISBN {}", "isbn: {} is out of print", value=isbn),
    "iban": filled("IBAN: {}", "send it to {}", value=iban),
    "not a card": filled("order {} shipped", "{}", value=not_a_card),
    "parcel number": filled(
        "tracking number 1Z{}", value=lambda d: run(d, 6, UPPER + DIGITS) + run(d, 10, DIGITS)
    ),
    "postal parcel": filled("usps 9400 1{} {} {} {} {}", value=lambda d: run(d, 4, DIGITS)),
    "order number": filled("order 302-{}-{}", value=lambda d: run(d, 7, DIGITS)),
    "video link": filled(
        "https://www.youtube.com/watch?v={}",
        "https://youtu.be/{}?t=42",
        value=lambda d: run(d, 11, URLSAFE),
    ),
    "document link": filled(
        "https://docs.google.com/document/d/1{}/edit", value=lambda d: mixed(d, 43, URLSAFE)
    ),
    "music link": filled("https://open.spotify.com/track/{}?si={}", value=lambda d: mixed(d, 22)),
    "shop link": lambda d: (
        f"https://shop.example.com/dp/B0{run(d, 8, UPPER + DIGITS)}/ref=sr_1_3"
        f"?qid={run(d, 10, DIGITS)}&keywords=usb+key&sr=8-3"
    ),
    "picture in base64": filled(
        "data:image/png;base64,{}", "<img src='data:image/jpeg;base64,{}'>", value=picture
    ),
    "bare base64": filled("{}", value=picture),
    "short base64": filled(
        "echo {} | base64 -d", value=lambda d: base64.b64encode(d.randbytes(15)).decode()
    ),
    "bitcoin address": filled(
        "tip jar: {}", value=lambda d: d.choice(("1", "3")) + run(d, 33, BASE58)
    ),
    "segwit address": filled(
        "bc1q{}", value=lambda d: run(d, 38, "qpzry9x8gf2tvdw0s3jn54khce6mua7l")
    ),
    "ether address": filled("0x{} is the contract", value=lambda d: run(d, 40, HEX)),
    "transaction hash": filled(
        "tx 0x{}", "https://etherscan.io/tx/0x{}", value=lambda d: run(d, 64, HEX)
    ),
    "content id": filled("ipfs://Qm{}", value=lambda d: run(d, 44, BASE58)),
    "payment object id": filled(
        "cus_{}", "see evt_{}", "price_1{}", "pi_3{}", value=lambda d: mixed(d, 24)
    ),
    "model call id": filled(
        "chatcmpl-{}", "msg_01{}", "toolu_01{}", "call_{}", value=lambda d: mixed(d, 22)
    ),
    "cloud name": filled(
        "arn:aws:iam::{}:role/bot", "account {}", value=lambda d: run(d, 12, DIGITS)
    ),
    "machine name": filled("i-0{} is down again", value=lambda d: run(d, 16, HEX)),
    "analytics id": filled(
        "G-{}", "UA-12345678-1 or GTM-{}", value=lambda d: run(d, 8, UPPER + DIGITS)
    ),
    "captcha site key": filled("data-sitekey='6Le{}'", value=lambda d: mixed(d, 37, URLSAFE)),
    "client id": filled(
        "{}.apps.googleusercontent.com",
        value=lambda d: f"{run(d, 12, DIGITS)}-{run(d, 32, LOWER + DIGITS)}",
    ),
    "memory address": filled("segfault at 0x{} ip 0x{}", value=lambda d: run(d, 12, HEX)),
    "hex colour": filled("#{} looks nicer than #{}", value=lambda d: run(d, 6, HEX)),
    "version": lambda d: (
        f"v{d.randrange(20)}.{d.randrange(40)}.{d.randrange(9)}-rc.1+build.{run(d, 8, DIGITS)}"
    ),
    "file name": filled(
        "IMG_20250612_{}.jpg", "backup-2025-06-12T{}.tar.gz", value=lambda d: run(d, 6, DIGITS)
    ),
    "time stamp": filled(
        "<t:1{}:R>", "at 1{} epoch", "ts=1{}000", value=lambda d: run(d, 9, DIGITS)
    ),
    "coordinates": lambda d: (
        f"base is at {d.randrange(3000)} 64 -{d.randrange(3000)}, 52.5{run(d, 5, DIGITS)}"
    ),
    "stack trace": lambda d: (
        f'  File "/srv/bot/auth/token.py", line {d.randrange(400)}, in refresh_token\n'
        f"KeyError: 'access_token'"
    ),
    "error report": lambda d: (
        f"https://{run(d, 32, HEX)}@o{run(d, 6, DIGITS)}.ingest.sentry.io/{run(d, 7, DIGITS)}"
    ),
    "etag": filled('ETag: W/"{}"', value=lambda d: run(d, 27, ALNUM)),
    "page cursor": lambda d: f"cursor={b64url(('page:' + snowflake(d)).encode())}",
}
