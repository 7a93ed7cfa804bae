"""Every rule finds what it is for, wherever chat puts it, with RE2 and with `re` alike."""

import re

import pytest

from pipeline.chat.redact import MARK, Redactor, compile_rules
from pipeline.chat.redact.rules import RULES
from tests.chat.grow import dice, grow

PASSWORD, OPAQUE = "Rindviech_77!", "q7Zk29dLm4XwV81bTn5c"
SEED = "lobster saddle umbrella cactus fossil giraffe orbit tuna velvet wagon zebra ribbon"
# What follows (or precedes) the word that a context rule's pattern finds; `{}` is the secret.
SAID = {
    "password": ("the password is {}", PASSWORD),
    "short-password": ("pw: {}", PASSWORD),
    "url-password": ("https://maren:{}@box.example.org/x", PASSWORD),
    "short-password-cjk": ("パスは{}です", "neko1234"),
    "wifi-line": ("wifi Kellerbar / {}", PASSWORD),
    "login-pair": ("creds: maren:{}", PASSWORD),
    "user-and-password": ("user: maren / {}", PASSWORD),
    "password-option": ("./login --passphrase {} now", "Kuhglocke88"),
    "mysql-password": ("mysql -u root -p{} shop", "Kuhglocke88"),
    "command-password": ("sshpass -p {} ssh box", "Kuhglocke88"),
    "request-password": ("curl -u maren:{} https://box.example.org", "Kuhglocke88"),
    "netrc": ("machine box login maren password {}", "Kuhglocke88"),
    "pgpass": ("db.example.org:5432:shop:app:{}", "Kuhglocke88"),
    "nickserv": ("/msg NickServ IDENTIFY {}", "Kuhglocke88"),
    "channel-key": ("/join #den {}", "Kuhglocke88"),
    "key": ("my api key is {}", OPAQUE),
    "short-key": ("token: {}", OPAQUE),
    "service-key": ("deepgram {}", "0f1e2d3c4b5a69788796a5b4c3d2e1f0"),
    "bearer-header": ("Bearer {}", OPAQUE),
    "authorization-header": ("Authorization: {}", OPAQUE),
    "basic-header": ("Basic {}", "bWFyZW46S3VoZ2xvY2tlODg="),
    "docker-auth": ('"auth": "{}"', "bWFyZW46S3VoZ2xvY2tlODg="),
    "session-cookie": ("connect.sid={}", OPAQUE),
    "secret-in-a-url": ("https://example.org/x?access_token={}", OPAQUE),
    "otpauth-url": ("otpauth://totp/x?secret={}", "GEZDGNBVGY3TQOJQMFRG"),
    "secret-option": ("./run --token {}", OPAQUE),
    "code": ("my pin is {}", "4831"),
    "one-time-code": ("otp {}", "482913"),
    "some-code": ("the code is {}", "482913"),
    "spare-codes": ("backup codes: {}", "1a2b3-c4d5e 6f7g8-h9i0j"),
    "seed-phrase-named": ("seed phrase: {}", SEED),
    "seed-phrase": ("{}", SEED),
}
SHAPED = [rule for rule in RULES if rule.name not in SAID]
AROUND = (
    "{}",
    "{} at the start",
    "at the end {}",
    "in **{}** bold",
    "in _{}_ italics",
    "in `{}` code",
    "```\n{}\n```",
    "||{}||",
    "say '{}'",
    'say "{}"',
    "key:{}",
    "value = {}",
    "VALUE={}",
    "(see {})",
    "{}, then",
    "a line\n{}\na line",
    "用这个{}，谢谢",
    "これ：{}です",
    "🔑{}🔑",
    "<{}>",
)


@pytest.fixture(scope="module")
def redactor():
    return compile_rules()


def grown(rule, count=4):
    """Grow secrets that the rule itself takes (its checks refuse some that its pattern fits)."""
    draw, found = dice(rule.name), []
    alone = Redactor((rule,))
    for _ in range(400):
        text, (start, end) = grow(rule.pattern, draw)
        if [(s.start, s.end) for s in alone.spans(text)] == [(start, end)]:
            found.append((text, text[start:end]))
        if len(found) == count:
            break
    return found


def is_whole(text):
    """Tell a secret that markup may stand around (a rule's own beginning is no part of it)."""
    return text[:1].isalnum() and text[-1:].isalnum()


@pytest.mark.parametrize("rule", SHAPED, ids=lambda rule: rule.name)
def test_every_shaped_rule_finds_its_secret_wherever_it_stands(redactor, rule):
    """Grown from the rule's own pattern: in markup, code, quotes, after signs, next to CJK."""
    samples = grown(rule)
    assert samples, f"nothing grown from {rule.name} passes its own checks"
    for text, secret in samples:
        for frame in AROUND if is_whole(text) else AROUND[:1]:
            said = frame.replace("{}", text)
            shown = redactor.redact(said)
            assert secret not in shown, (rule.name, frame)
            assert MARK in shown


@pytest.mark.parametrize("name", SAID)
@pytest.mark.parametrize(
    "frame",
    ["{}", "ok so\n{}", "`{}`", "```\n{}\n```", "**{}**", "({})", "> {}", "好，{}", "{} \nthanks!"],
)
def test_every_context_rule_finds_its_secret_wherever_it_stands(redactor, name, frame):
    """The same for rules that read the words around a value."""
    said, secret = SAID[name]
    text = frame.replace("{}", said.replace("{}", secret))
    shown = redactor.redact(text)
    assert secret not in shown
    assert shown.count(MARK) == 1


@pytest.mark.parametrize("name", SAID)
def test_every_context_rule_carries_its_own_weight(name):
    """A rule alone finds its example: taking it out of the table would be noticed."""
    said, secret = SAID[name]
    rule = next(rule for rule in RULES if rule.name == name)
    shown = Redactor((rule,)).redact(said.replace("{}", secret))
    assert secret not in shown


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_hint_fits_wherever_its_pattern_fits(rule):
    """Else the set would not notice what the rule would find."""
    import re2

    draw = dice("hint", rule.name)
    hint = re2.compile(rule.hint or rule.pattern)
    for _ in range(60):
        text, _bounds = grow(rule.pattern, draw)
        assert hint.search(text), text


def test_patterns_keep_to_what_re_and_re2_share():
    """Both compile every pattern, and both find the same on grown texts."""
    import re2

    for rule in RULES:
        theirs, ours = re.compile(rule.pattern, re.ASCII), re2.compile(rule.pattern)
        draw = dice("share", rule.name)
        for _ in range(8):
            text = f"x {grow(rule.pattern, draw)[0]} y"
            assert [m.span() for m in theirs.finditer(text)] == [
                m.span() for m in ours.finditer(text)
            ]


def test_names_are_single():
    """A rule is known by its name."""
    names = [rule.name for rule in RULES]
    assert len(names) == len(set(names))
