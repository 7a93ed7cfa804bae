"""Rules for what is private but no credential; off unless asked for."""

from pipeline.chat.redact.rule import Rule


def _as_found(_: str, start: int, end: int) -> tuple[int, int] | None:
    """Take the group as it stands."""
    return start, end


def _telephone(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Take 8 to 15 digits with a plus or a separator, as telephones are written."""
    value = text[start:end].rstrip(" .-/(")
    digits = sum(char.isdigit() for char in value)
    is_written_so = value.startswith(("+", "00", "(")) or any(c in value for c in " /-")
    return (start, start + len(value)) if 8 <= digits <= 15 and is_written_so else None


_OCTET = r"(?:25[0-5]|2[0-4][0-9]|1?[0-9]{1,2})"

RULES = (
    Rule(
        "mail-address",
        r"\b([A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,4}\.[A-Za-z]{2,24})\b",
        _as_found,
    ),
    Rule("ip-address", rf"\b({_OCTET}(?:\.{_OCTET}){{3}})\b", _as_found),
    Rule("ip-address-6", r"\b((?:[0-9a-fA-F]{1,4}:){2,7}(?::?[0-9a-fA-F]{1,4}){1,6})\b", _as_found),
    Rule("hardware-address", r"\b((?:[0-9a-fA-F]{2}[:-]){5}[0-9a-fA-F]{2})\b", _as_found),
    Rule(
        "telephone-number",
        r"(?:^|[^0-9A-Za-z.:/-])((?:\+|00|\()?[0-9][0-9 ()/-]{6,22}[0-9])(?:[^0-9A-Za-z:-]|$)",
        _telephone,
    ),
    Rule(
        "ssh-public-key",
        r"(?:ssh-(?:rsa|ed25519|dss)|ecdsa-sha2-[a-z0-9-]{5,20})\s(AAAA[A-Za-z0-9+/]{40,}={0,3})",
        _as_found,
    ),
    Rule(
        "pem-public-key",
        r"-----BEGIN (?:[A-Z0-9 ]{0,20}PUBLIC KEY(?: BLOCK)?|CERTIFICATE)-----(?s:.)*?"
        r"-----END [A-Z0-9 ]{5,40}-----",
        _as_found,
    ),
)
