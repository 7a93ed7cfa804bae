"""
Credentials that somebody pastes where they should not, made when the community is made.

They open nothing. Each is put together from pieces, so that neither this file nor a scanner that
reads it holds one. Look-alikes stand beside them: long, odd, and nobody's secret.
"""

import base64
import string
from random import Random

HEX = "0123456789abcdef"
WORD = string.ascii_letters + string.digits


def _some(rng: Random, letters: str, length: int) -> str:
    return "".join(rng.choice(letters) for _ in range(length))


def credentials(rng: Random) -> dict[str, str]:
    """Make one of each kind: what it is called, and its value."""
    bot_part = base64.b64encode(_some(rng, string.digits[1:], 18).encode()).decode()
    claims = base64.urlsafe_b64encode(b'{"sub":"shed","iat":1780000000}').decode().rstrip("=")
    header = base64.urlsafe_b64encode(b'{"alg":"HS256","typ":"JWT"}').decode().rstrip("=")
    return {
        "discord token": ".".join((bot_part, _some(rng, WORD, 6), _some(rng, WORD, 38))),
        "discord webhook": "/".join((
            "https:/", "discord.com", "api", "web" + "hooks", _some(rng, string.digits[1:], 19),
            _some(rng, WORD, 68),
        )),
        "github token": "_".join(("g" + "hp", _some(rng, WORD, 36))),
        "cloud secret": _some(rng, WORD + "/+", 40),
        "model key": "-".join(("s" + "k", "pr" + "oj", _some(rng, WORD, 48))),
        "slack token": "-".join(("xo" + "xb", _some(rng, string.digits, 12), _some(rng, WORD, 24))),
        "database url": "postgres" + "://club:" + _some(rng, WORD, 16) + "@shed.example:5432/lamps",
        "wifi password": _some(rng, string.ascii_lowercase, 5) + "-" + _some(rng, WORD, 9),
        "payment key": "_".join(("s" + "k", "li" + "ve", _some(rng, WORD, 24))),
        "map key": "AI" + "za" + _some(rng, WORD, 35),
        "messenger token": _some(rng, string.digits[1:], 10) + ":AA" + _some(rng, WORD, 33),
        "signed token": ".".join((header, claims, _some(rng, WORD, 43))),
    }  # fmt: skip


def lookalikes(rng: Random) -> dict[str, str]:
    """Make what only looks like a credential."""
    hexes = _some(rng, HEX, 32)
    return {
        "commit": _some(rng, HEX, 40),
        "uuid": "-".join((hexes[:8], hexes[8:12], hexes[12:16], hexes[16:20], hexes[20:])),
        "placeholder": "-".join(("s" + "k", "your", "key", "here")),
        "order number": "OL-" + _some(rng, string.digits, 10),
    }
