"""
Invented credentials with a shape of their own, drawn from what providers say of their formats.

Nothing here is a credential: every value comes out of the dice it is given, and none is stored. The
descriptions are prose turned into draws ("four letters, an underscore, 36 letters or digits"), so
that they can disagree with the rules that they test.
"""

import base64
import json
import string
from hashlib import sha256
from random import Random

from pipeline.testing.secrets_set.dice import (
    ALNUM,
    BASE32,
    BASE58,
    BASE64,
    DIGITS,
    HEX,
    LOWER,
    UPPER,
    URLSAFE,
    Draw,
    Planted,
    b64url,
    mixed,
    run,
    snowflake,
    tail,
    uuid,
)


def discord_bot_token(dice: Random) -> Planted:
    """Base64 of the bot's id, a time stamp, and a keyed digest, joined by dots."""
    digest = mixed(dice, dice.choice((27, 38)), URLSAFE)
    return Planted("", f"{b64url(snowflake(dice).encode())}.{mixed(dice, 6, URLSAFE)}.{digest}")


def discord_webhook(dice: Random) -> Planted:
    """The token at the end of a webhook's address, on any of the client's hosts."""
    host = dice.choice(("discord.com", "discordapp.com", "ptb.discord.com", "canary.discord.com"))
    version = dice.choice(("", "/v9", "/v10"))
    after = dice.choice(("", "", "?wait=true", "/slack", "/github"))
    before = f"https://{host}/api{version}/webhooks/{snowflake(dice)}/"
    return Planted(before, mixed(dice, 68, URLSAFE), after)


def jwt(dice: Random) -> Planted:
    """Three base64url parts: header, claims, signature."""
    header = b64url(json.dumps({"alg": "HS256", "typ": "JWT"}).encode())
    claims = b64url(json.dumps({"sub": snowflake(dice), "iat": dice.randrange(10**9)}).encode())
    return Planted("", f"{header}.{claims}.{b64url(dice.randbytes(32))}")


def supabase_service_key(dice: Random) -> Planted:
    """A JWT whose claims name the service role."""
    header = b64url(b'{"alg":"HS256","typ":"JWT"}')
    claims = b64url(json.dumps({"iss": "supabase", "ref": run(dice, 20, LOWER)}).encode())
    return Planted("", f"{header}.{claims}.{b64url(dice.randbytes(32))}")


def pem(label: str, lines: int) -> Draw:
    """Give a draw of a PEM block under `label`; the body is the secret."""

    def draw(dice: Random) -> Planted:
        body = "\n".join(run(dice, 64, BASE64) for _ in range(lines)) + "\n" + run(dice, 22) + "=="
        return Planted(f"-----BEGIN {label}-----\n", body, f"\n-----END {label}-----")

    return draw


def base58check(payload: bytes) -> str:
    """Write bytes with their checksum in Bitcoin's alphabet."""
    data = payload + sha256(sha256(payload).digest()).digest()[:4]
    number, text = int.from_bytes(data, "big"), ""
    while number:
        number, rest = divmod(number, 58)
        text = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"[rest] + text
    return text


def wif_key(dice: Random) -> Planted:
    """A Bitcoin private key in wallet import format, compressed or not."""
    suffix = dice.choice((b"", b"\x01"))
    return Planted("", base58check(b"\x80" + dice.randbytes(32) + suffix))


def card_number(dice: Random) -> Planted:
    """A payment card's number whose last digit is its check digit, in blocks or in one run."""
    head, length, blocks = dice.choice(
        (
            ("4", 16, (4, 4, 4, 4)),
            ("52", 16, (4, 4, 4, 4)),
            ("37", 15, (4, 6, 5)),
            ("6011", 16, (4,) * 4),
        )
    )
    digits = head + run(dice, length - len(head) - 1, DIGITS)
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) * (2 if place % 2 == 0 else 1)
        total += value - 9 if value > 9 else value
    digits += str(-total % 10)
    parts, at = [], 0
    for size in blocks:
        parts.append(digits[at : at + size])
        at += size
    return Planted("", dice.choice((" ", "-", "")).join(parts))


def telegram_bot_token(dice: Random) -> Planted:
    """The bot's number, a colon, and 35 characters that begin with AA."""
    number = dice.randrange(10**8, 10**10)
    return Planted("", f"{number}:AA{mixed(dice, 33, URLSAFE)}")


def slack_webhook(dice: Random) -> Planted:
    """The last part of an incoming webhook's address."""
    room = f"T{run(dice, 10, UPPER + DIGITS)}/B{run(dice, 10, UPPER + DIGITS)}"
    return Planted(f"https://hooks.slack.com/services/{room}/", mixed(dice, 24))


def azure_storage_key(dice: Random) -> Planted:
    """The account key inside a connection string, 64 bytes in base64."""
    name = run(dice, 9, LOWER)
    key = base64.b64encode(dice.randbytes(64)).decode()
    before = f"DefaultEndpointsProtocol=https;AccountName={name};AccountKey="
    return Planted(before, key, ";EndpointSuffix=core.windows.net")


def azure_client_secret(dice: Random) -> Planted:
    """Three characters, a digit, Q~, and 34 more."""
    return Planted("", f"{mixed(dice, 3)}{run(dice, 1, DIGITS)}Q~{mixed(dice, 34, ALNUM + '_.-')}")


def azure_sas(dice: Random) -> Planted:
    """The signature in the query string of a shared blob."""
    signature = (
        base64.b64encode(dice.randbytes(32)).decode().translate({43: "%2B", 47: "%2F", 61: "%3D"})
    )
    blob = f"https://{run(dice, 8, LOWER)}.blob.core.windows.net/backup/db.bak"
    return Planted(f"{blob}?sv=2024-11-04&se=2026-01-01&sr=b&sp=r&sig=", signature)


TOKENS: dict[str, Draw] = {
    "aws access key id": tail("AKIA", 16, BASE32),
    "aws temporary key id": tail("ASIA", 16, BASE32),
    "github personal token": tail("ghp_", 36),
    "github oauth token": tail("gho_", 36),
    "github server token": tail("ghs_", 36),
    "github fine-grained token": lambda d: Planted("", f"github_pat_{mixed(d, 22)}_{mixed(d, 59)}"),
    "gitlab personal token": tail("glpat-", 20, URLSAFE),
    "gitlab runner token": tail("glrt-", 20, URLSAFE),
    "slack bot token": lambda d: Planted(
        "", f"xoxb-{run(d, 12, DIGITS)}-{run(d, 13, DIGITS)}-{mixed(d, 24)}"
    ),
    "slack user token": lambda d: Planted(
        "", f"xoxp-{run(d, 12, DIGITS)}-{run(d, 12, DIGITS)}-{run(d, 12, DIGITS)}-{run(d, 32, HEX)}"
    ),
    "slack app token": lambda d: Planted(
        "", f"xapp-1-A{run(d, 10, UPPER + DIGITS)}-{run(d, 13, DIGITS)}-{run(d, 64, HEX)}"
    ),
    "slack webhook": slack_webhook,
    "discord bot token": discord_bot_token,
    "discord webhook": discord_webhook,
    "discord mfa token": tail("mfa.", 84, URLSAFE),
    "openai legacy key": lambda d: Planted("", f"sk-{mixed(d, 20)}T3BlbkFJ{mixed(d, 20)}"),
    "openai project key": lambda d: Planted(
        "", f"sk-proj-{mixed(d, 74, URLSAFE)}T3BlbkFJ{mixed(d, 74, URLSAFE)}"
    ),
    "openai service account key": tail("sk-svcacct-", 110, URLSAFE),
    "anthropic key": tail("sk-ant-api03-", 93, URLSAFE, "AA"),
    "anthropic oauth token": tail("sk-ant-oat01-", 86, URLSAFE, "AA"),
    "openrouter key": tail("sk-or-v1-", 64, HEX),
    "deepseek key": tail("sk-", 32, HEX),
    "groq key": tail("gsk_", 52),
    "xai key": tail("xai-", 80),
    "replicate token": tail("r8_", 37),
    "elevenlabs key": tail("sk_", 48, HEX),
    "perplexity key": tail("pplx-", 48),
    "hugging face token": tail("hf_", 34, string.ascii_letters),
    "nvidia key": tail("nvapi-", 64, URLSAFE),
    "pinecone key": lambda d: Planted("", f"pcsk_{mixed(d, 6)}_{mixed(d, 63)}"),
    "langsmith key": lambda d: Planted("", f"lsv2_pt_{run(d, 32, HEX)}_{run(d, 10, HEX)}"),
    "google api key": tail("AIzaSy", 33, URLSAFE),
    "google client secret": tail("GOCSPX-", 28, URLSAFE),
    "google access token": tail("ya29.a0Ae", 180, URLSAFE),
    "google refresh token": tail("1//0", 100, URLSAFE),
    "stripe live key": tail("sk_live_", 24),
    "stripe long live key": tail("sk_live_51", 97),
    "stripe test key": tail("sk_test_", 24),
    "stripe restricted key": tail("rk_live_", 24),
    "stripe webhook secret": tail("whsec_", 32),
    "twilio api key": tail("SK", 32, HEX),
    "sendgrid key": lambda d: Planted("", f"SG.{mixed(d, 22, URLSAFE)}.{mixed(d, 43, URLSAFE)}"),
    "mailgun key": tail("key-", 32, HEX),
    "mailgun new key": lambda d: Planted(
        "", f"{run(d, 32, HEX)}-{run(d, 8, HEX)}-{run(d, 8, HEX)}"
    ),
    "mailchimp key": lambda d: Planted("", f"{run(d, 32, HEX)}-us{d.randrange(1, 22)}"),
    "npm token": tail("npm_", 36),
    "pypi token": tail("pypi-AgEIcHlwaS5vcmcC", 150, URLSAFE),
    "rubygems key": tail("rubygems_", 48, HEX),
    "json web token": jwt,
    "supabase service key": supabase_service_key,
    "supabase access token": tail("sbp_", 40, HEX),
    "supabase secret key": lambda d: Planted(
        "", f"sb_secret_{mixed(d, 22, URLSAFE)}_{mixed(d, 8)}"
    ),
    "rsa private key": pem("RSA PRIVATE KEY", 12),
    "openssh private key": pem("OPENSSH PRIVATE KEY", 6),
    "pkcs8 private key": pem("PRIVATE KEY", 9),
    "pgp private key": pem("PGP PRIVATE KEY BLOCK", 10),
    "age secret key": tail("AGE-SECRET-KEY-1", 58, "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L"),
    "telegram bot token": telegram_bot_token,
    "digitalocean token": tail("dop_v1_", 64, HEX),
    "square access token": tail("sq0atp-", 22, URLSAFE),
    "square long token": tail("EAAA", 60, URLSAFE),
    "square client secret": tail("sq0csp-", 43, URLSAFE),
    "shopify token": tail("shpat_", 32, HEX),
    "shopify app secret": tail("shpss_", 32, HEX),
    "databricks token": tail("dapi", 32, HEX),
    "linear key": tail("lin_api_", 40),
    "notion token": tail("secret_", 43),
    "notion new token": tail("ntn_", 46),
    "airtable token": lambda d: Planted("", f"pat{mixed(d, 14)}.{run(d, 64, HEX)}"),
    "azure storage key": azure_storage_key,
    "azure client secret": azure_client_secret,
    "azure shared signature": azure_sas,
    "figma token": tail("figd_", 40, URLSAFE),
    "docker hub token": tail("dckr_pat_", 27, URLSAFE),
    "vault token": tail("hvs.", 92, URLSAFE),
    "terraform token": lambda d: Planted("", f"{mixed(d, 14)}.atlasv1.{mixed(d, 67)}"),
    "atlassian token": tail("ATATT3xFfGF0", 170, URLSAFE, "=1A2B3C4D"),
    "grafana token": lambda d: Planted("", f"glsa_{mixed(d, 32)}_{run(d, 8, HEX)}"),
    "new relic key": tail("NRAK-", 27, UPPER + DIGITS),
    "sentry token": tail("sntryu_", 64, HEX),
    "postman key": lambda d: Planted("", f"PMAK-{run(d, 24, HEX)}-{run(d, 34, HEX)}"),
    "doppler token": tail("dp.pt.", 43),
    "pulumi token": tail("pul-", 40, HEX),
    "planetscale password": tail("pscale_pw_", 43, URLSAFE),
    "tailscale key": lambda d: Planted("", f"tskey-auth-k{mixed(d, 11)}-{mixed(d, 32)}"),
    "mapbox secret token": lambda d: Planted(
        "", f"sk.eyJ{mixed(d, 84, URLSAFE)}.{mixed(d, 22, URLSAFE)}"
    ),
    "dropbox token": tail("sl.", 134, URLSAFE),
    "facebook token": tail("EAACEdEose0cBA", 160),
    "twitch chat token": tail("oauth:", 30, LOWER + DIGITS),
    "twitter bearer token": tail("AAAAAAAAAAAAAAAAAAAAA", 90),
    "brevo key": lambda d: Planted("", f"xkeysib-{run(d, 64, HEX)}-{mixed(d, 16)}"),
    "resend key": lambda d: Planted("", f"re_{mixed(d, 8)}_{mixed(d, 24)}"),
    "hubspot token": lambda d: Planted("", f"pat-na1-{uuid(d)}"),
    "riot key": lambda d: Planted("", f"RGAPI-{uuid(d)}"),
    "nostr private key": tail("nsec1", 58, "qpzry9x8gf2tvdw0s3jn54khce6mua7l"),
    "bitcoin private key": wif_key,
    "extended private key": tail("xprv9s21ZrQH143K", 95, BASE58),
    "stellar seed": tail("S", 55, BASE32),
    "card number": card_number,
}
