"""Rules that know how people give secrets away: a word, a small word between, and then the value."""

from pipeline.chat.redact import codes, values, words
from pipeline.chat.redact.rule import Rule, plain

_QUOTE = r"[\"'`*_)\]|]{0,3}"
_ASSIGN = rf"{_QUOTE}[ \t]{{0,3}}(?:=>|:=|={{1,2}}|:|：|->|→)\s{{0,2}}"
_FOR = rf"(?:\s(?:{words.FOR})\s[^\s.,;:!?=]{{1,24}}(?:\s[^\s.,;:!?=]{{1,24}}){{0,4}}?)?"
_IS = (
    rf"{_QUOTE}(?:\s(?:has been |was |is |wurde )?(?:changed to|set to|reset to|auf)|\s(?:{words.IS})|\s?[–—]|\s-)"
    rf"(?:\s(?:{words.NOW}))?\s?:?\s{{1,2}}"
)
_LEFT = "(?:^|[^A-Za-z])"
_SUFFIX = "[A-Za-z0-9_]{0,16}"
_PASSWORDS = rf"(?:{words.PASSWORD}|{words.NETWORK_KEY})"
_SHORT = rf"{_LEFT}(?:{words.SHORT_PASSWORD})"


def _opaque_unless_open(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Take a drawn value, unless the word before "key" says that it is public or no key at all."""
    at = start if start == 0 or text[start : start + 1].isalpha() else start + 1
    return None if codes.is_open(text, at) else values.opaque(text, start, end)


PASSWORDS = (
    Rule("password-assigned", rf"(?i){_PASSWORDS}s?{_SUFFIX}{_FOR}{_ASSIGN}", values.assigned),
    Rule("short-password-assigned", rf"(?i){_SHORT}(?:_[A-Z0-9_]{{1,12}})?{_FOR}{_ASSIGN}", values.assigned),
    Rule("password-told", rf"(?i){_PASSWORDS}{_FOR}{_IS}", values.told),
    Rule("short-password-told", rf"(?i){_SHORT}{_FOR}{_IS}", values.told),
    Rule("password-beside", rf"(?i){_PASSWORDS}{_FOR}\s{{1,2}}", values.beside),
    Rule("short-password-beside", rf"(?i){_SHORT}{_FOR}\s{{1,2}}", values.beside),
    Rule(
        "password-told-cjk",
        rf"(?:{words.PASSWORD}|パス|暗号)(?:[ぁ-ヿ一-鿿가-힣]{{1,6}}?)??\s?(?:{words.CJK_IS})\s?",
        values.told,
    ),
    Rule("password-beside-cjk", r"(?:密码|密碼|口令|パスワード|비밀번호|비번)\s?", values.beside),
    Rule("passphrase", rf"(?i)(?:pass[- ]?phrase|passwor[dt]|kennwort|mot de passe|frase){_FOR}(?:{_ASSIGN}|{_IS})", values.words_told),
    Rule(
        "password-told-backwards",
        r"(?i)\s(?:is|ist|est|es|é|è|это|—)\s(?:the|my|our|your|das|mein|unser|dein|le|mon|notre|la|mi|a|minha|il|мой)\s(?:[^\s.]{1,20}\s){0,3}?"
        rf"(?:{words.PASSWORD}|pw|pwd|pass|mdp|clave|api key|token)",
        codes.value_before,
    ),
    Rule("password-used-as", r"(?i)\s(?:as|als|comme|como)\s(?:the |a |your |my |das )?(?:password|passwort|pw|pass|mdp|contraseña|senha)", codes.value_before),
    Rule("password-told-backwards-cjk", r"\s?(?:是|が|は)(?:我的|我们的|私の)?(?:密码|密碼|パスワード)", codes.value_before),
    Rule("wifi-code", r"WIFI:[^\n]{0,100}?P:([^;\n]{3,80})", plain),
    Rule("wifi-line", r"(?i)\b(?:wi-?fi|wlan|ssid|hotspot)[: ]{1,2}[^\s/|,;]{2,32}\s?[/|,]\s{0,2}", values.beside),
    Rule(
        "login-pair",
        r"(?i)(?:creds?|credentials|log-?ins?|logindaten|zugangsdaten|identifiants|credenciale?s|credenciais|credenziali|учётка|доступ|账号)"
        rf"{_FOR}(?:\s(?:{words.IS})|\s?[:=：])?\s{{1,2}}[A-Za-z0-9_.@-]{{2,40}}\s?[:/|]\s?",
        values.beside,
    ),
    Rule("user-and-p", r"(?i)(?:^|[^A-Za-z])(?:u|un|user|usr|login)\s?[:=]\s?[^\s:]{2,40}[\s,/|]{1,3}p\s?[:=]\s?", values.assigned),
    Rule("password-option", r"(?i)\s--?(?:password|passwd|pass|pw|passphrase)[= ]", values.beside),
    Rule(
        "password-on-a-command-line",
        r"(?:mysql[a-z]{0,8}|mariadb[a-z-]{0,6})\s[^\n]{0,80}?-p|sshpass\s-p\s?|redis-cli\s[^\n]{0,80}?-a\s"
        r"|(?:docker|podman|az|helm)\s[^\n]{0,80}?\s-p\s|(?:curl|wget|http)\s[^\n]{0,160}?(?:-u|--user)[ =]?['\"]?[^\s:'\"]{1,60}:"
        r"|smbclient\s[^\n]{0,80}?-U\s?[^\s%]{1,40}%|net use\s[^\n]{0,80}?/user:[^\s]{1,40}\s",
        values.beside,
    ),
    Rule("netrc", r"(?i)\bmachine\s{1,4}[^\s]{1,80}\s{1,4}login\s{1,4}[^\s]{1,80}\s{1,4}password\s{1,4}", values.assigned),
    Rule("pgpass", r"[A-Za-z0-9_.*-]{1,80}:(?:[0-9]{4,5}|\*):[A-Za-z0-9_*-]{1,60}:[A-Za-z0-9_.-]{1,60}:", values.beside),
    Rule("nickserv", r"(?i)(?:nickserv|ns)\s{1,2}(?:identify|id|register|ghost|recover|release|regain)\s{1,2}(?:[^\s]{1,30}\s)??", values.beside),
    Rule("channel-key", r"(?i)/join\s[#&][^\s]{1,50}\s", values.beside),
)

KEYS = (
    Rule(
        "key-told",
        rf"(?i)(?:{words.API_KEY})s?{_SUFFIX}{_FOR}(?:{_ASSIGN}|{_IS}|{_QUOTE}\s{{1,2}}|(?:{words.CJK_IS})\s?)",
        _opaque_unless_open,
    ),
    Rule(
        "bare-key-told",
        rf"(?i){_LEFT}(?:{words.BARE_TOKEN}){_SUFFIX}{_FOR}(?:{_ASSIGN}|{_IS}|{_QUOTE}\s{{1,2}})",
        _opaque_unless_open,
    ),
    Rule("bearer-header", r"(?i)\bbearer[: ]\s?[\"']?", values.opaque),
    Rule(
        "authorization-header",
        r"(?i)\b(?:proxy-)?authorization[\"']?\s?[:=]\s?[\"']?(?:(?:basic|bearer|bot|token|digest|apikey)\s)?",
        values.opaque,
    ),
    Rule("basic-header", r"(?i)\bbasic\s([A-Za-z0-9+/]{8,}={0,2})", codes.name_and_password),
    Rule("docker-auth", r"\"auth\"\s?:\s?\"([A-Za-z0-9+/]{8,}={0,2})\"", codes.name_and_password),
    Rule(
        "session-cookie",
        r"(?i)\b(?:sessionid|session_id|session|sess|sid|connect\.sid|phpsessid|jsessionid|auth|auth_token|remember_token|jwt|csrftoken|xsrf-token)=",
        values.opaque,
    ),
    Rule(
        "secret-in-a-url",
        r"(?i)[?&#;](?:[a-z_]{0,12}(?:access_?token|api_?key|secret|token|auth|passw(?:or)?d|pwd|sig|signature)|key|k|pass|pw)=",
        values.opaque,
    ),
    Rule("password-in-a-url", r"(?i)[?&](?:passw(?:or)?d|pwd|pass|pw)=", values.assigned),
    Rule("otpauth-url", r"(?i)otpauth://[^\s]{0,120}?secret=([A-Z2-7]{16,})", plain),
    Rule("secret-option", r"(?i)\s--?(?:token|api-?key|secret|auth-?token|access-?token)[= ]", values.opaque),
)

CODES = (
    Rule("one-time-seed", rf"(?i)(?:2fa|mfa|totp|otp|authenticator)[- _]?(?:secret|seed|key|code|setup key)?(?:{_ASSIGN}|{_IS}|\s)", codes.shared_seed),
    Rule("app-password", rf"(?i)(?:app(?:lication)?[- ](?:specific )?passwor[dt]|passwor[dt]){_FOR}(?:{_ASSIGN}|{_IS}|\s)", codes.four_blocks),
    Rule("code-told", rf"(?i){_LEFT}(?:{words.CODE}){_FOR}(?:{_ASSIGN}|{_IS}|\s?(?:{words.CJK_IS})\s?)", codes.code_told),
    Rule("code-beside", rf"(?i){_LEFT}(?:2fa|mfa|otp|totp|cvv2?|cvc2?|验证码|認証コード)(?:\scode)?\s", codes.code_beside),
    Rule("code-told-backwards", r"(?i)\s(?:is|ist|est|es|—)\s(?:the|your|my|dein|ihr|votre|tu|su)\s(?:[^\s.]{1,20}\s){0,3}?[^\s.]{0,20}(?:code|código|pin)", codes.code_before),
    Rule("spare-codes", rf"(?i)(?:backup|recovery|rescue|emergency|wiederherstellungs|scratch)[- ]?codes?{_FOR}(?:{_ASSIGN}|{_IS}|\s)", codes.spare_codes),
    Rule("seed-phrase-named", rf"(?i)(?:{words.SEED})[^\n:=]{{0,24}}(?:{_ASSIGN}|{_IS}|\s{{1,2}})", codes.seed_named),
    Rule(
        "seed-phrase",
        r"(?:^|[^a-z])((?:(?:[0-9]{1,2}[.):]?\s{0,2})?[a-z]{3,8}\s{1,2}){11}(?:[0-9]{1,2}[.):]?\s{0,2})?[a-z]{3,8})(?:[^a-z]|$)",
        codes.seed_alone,
    ),
)
