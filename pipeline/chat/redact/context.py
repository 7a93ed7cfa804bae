"""
Rules that know how people give secrets away: a word, a small word between, and then the value.

The patterns find the words only, so that the set of all rules stays small; what stands between, and
whether a value follows, is read in `families`, at a hit.
"""

from pipeline.chat.redact import codes, families, values, words
from pipeline.chat.redact.families import link, rest
from pipeline.chat.redact.rule import SHORT_WORDS, Rule, plain

_LEFT = "(?:^|[^A-Za-z0-9])"

PASSWORDS = (
    Rule("password", rf"(?i)(?:{words.PASSWORD}|{words.NETWORK_KEY})", families.password),
    Rule(
        "short-password",
        rf"(?i){_LEFT}(?:{words.SHORT_PASSWORD})(?:[^A-Za-z]|$)",
        families.short_password,
    ),
    Rule("short-password-cjk", r"パス(?:は|が|：|:)\s?", rest(values.told)),
    Rule("wifi-code", r"WIFI:[^\n]{0,100}?P:([^;\n]{3,80})", plain),
    Rule(
        "wifi-line",
        r"(?i)\b(?:wi-?fi|wlan|ssid|hotspot)[: ]",
        link(
            r"\s?(?:name[: ]\s?)?[^\s/|,;]{2,32}(?:\s?[/|,]\s{0,2}|\s(?=key|code))"
            r"(?:(?:key|code)\s?[:=]?\s?)?",
            values.beside,
        ),
    ),
    Rule(
        "login-pair",
        rf"(?i)(?:{words.LOGIN})",
        link(rf"(?:{words.LOGIN_LINK})[A-Za-z0-9_.@-]{{2,40}}\s?[:/|]\s?", values.beside),
    ),
    Rule(
        "user-and-password",
        r"(?i)\b(?:user(?:name)?|benutzer|usuario|account)\s?[:=]\s?",
        link(r"[A-Za-z0-9_.@-]{2,40}\s?[/|,]\s?", values.beside),
    ),
    Rule(
        "password-option",
        r"(?i)\s--?(?:password|passwd|pass|pw|passphrase)[= ]",
        rest(values.beside),
    ),
    Rule(
        "mysql-password",
        r"(?:mysql|mariadb)[a-z-]{0,8}\s",
        link(r"[^\n]{0,80}?(?<=\s)-p(?=\S)", values.beside),
    ),
    Rule(
        "command-password",
        r"(?:sshpass|redis-cli|docker|podman|smbclient|net use)\s",
        link(
            r"[^\n]{0,80}?(?<=\s)(?:-p\s?(?!\d{1,5}(?::\d|\s|$))|-a\s|-U\s?[^\s%]{1,40}%|/user:\S{1,40}\s)",
            values.beside,
        ),
    ),
    Rule(
        "request-password",
        r"(?:curl|wget|https?)\s",
        link(
            r"[^\n]{0,160}?(?<=\s)(?:-u|-a|--user|--auth)[ =]?['\"]?[^\s:'\"]{1,60}:", values.beside
        ),
    ),
    Rule(
        "netrc",
        r"(?i)\bmachine\s",
        link(r"\s{0,3}\S{1,80}\s{1,4}login\s{1,4}\S{1,80}\s{1,4}password\s{1,4}", values.assigned),
    ),
    Rule(
        "pgpass",
        r":(?:[0-9]{4,5}|\*):",
        link(r"[A-Za-z0-9_*-]{1,60}:[A-Za-z0-9_.-]{1,60}:", values.beside),
    ),
    Rule(
        "nickserv",
        r"(?i)nickserv\s",
        link(
            r"\s?(?:identify|id|register|ghost|recover|release|regain)\s{1,2}"
            r"(?:\S{1,30}[ \t](?=\S))?",
            values.beside,
        ),
    ),
    Rule("channel-key", r"(?i)/join\s", link(r"\s?[#&]\S{1,50}\s", values.beside)),
)

KEYS = (
    Rule("key", rf"(?i)(?:{words.API_KEY})", families.key, needs="[0-9]"),
    Rule("short-key", rf"(?i){_LEFT}(?:{words.BARE_TOKEN})", families.key, needs="[0-9]"),
    Rule("service-key", rf"(?i)\b(?:{words.SERVICE})[: ]", rest(values.long_opaque)),
    Rule("bearer-header", r"(?i)\bbearer[: ]\s?[\"']?", rest(values.opaque)),
    Rule(
        "authorization-header",
        r"(?i)\bauthorization[\"']?\s?[:=]\s?[\"']?(?:(?:basic|bearer|bot|token|digest|apikey)\s)?",
        rest(values.opaque),
    ),
    Rule("basic-header", r"(?i)\bbasic\s([A-Za-z0-9+/]{8,}={0,2})", codes.name_and_password),
    Rule("docker-auth", r"\"auth\"\s?:\s?\"([A-Za-z0-9+/]{8,}={0,2})\"", codes.name_and_password),
    Rule(
        "session-cookie",
        r"(?i)\b(?:session_?id|session|sess|connect\.sid|phpsessid|jsessionid|auth|auth_token|remember_token|jwt|csrftoken"
        r"|xsrf-token)=",
        rest(values.opaque),
    ),
    Rule(
        "secret-in-a-url",
        r"(?i)[?&#;](?:[a-z_]{0,12}(?:access_?token|api_?key|secret|token|auth|passw(?:or)?d|pwd|signature)|key|pass|pw|sig)=",
        rest(values.opaque),
    ),
    Rule("otpauth-url", r"(?i)otpauth://[^\s]{0,120}?secret=([A-Z2-7]{16,})", plain),
    Rule(
        "secret-option",
        r"(?i)\s--?(?:token|api-?key|secret|auth-?token|access-?token)[= ]",
        rest(values.opaque),
    ),
)

CODES = (
    Rule("code", rf"(?i){_LEFT}(?:{words.CODE})", families.code, needs="[0-9]{3}"),
    Rule(
        "one-time-code",
        rf"(?i){_LEFT}(?:2fa|mfa|otp|totp|cvv2?|cvc2?|authenticator|验证码|認証コード)",
        families.one_time,
        needs="[0-9]",
    ),
    Rule("some-code", r"(?i)\bcode\b", families.some_code, needs="[0-9]{3}"),
    Rule(
        "spare-codes",
        r"(?i)(?:backup|recovery|rescue|emergency|wiederherstellungs|scratch)[- ]?codes?",
        families.spare_codes,
    ),
    Rule("seed-phrase-named", rf"(?i)(?:{words.SEED})", families.seed),
    Rule(
        "seed-phrase",
        SHORT_WORDS.replace("[^a-z])", "[^a-z])(", 1) + ")",
        codes.seed_alone,
        SHORT_WORDS,
    ),
)
