"""Named rules for clouds, payments, mail, telephony, wallets, and keys in standard containers."""

import base64
import binascii
import re

from pipeline.chat.redact.judge import entropy, is_placeholder, is_random, kinds, passes_luhn
from pipeline.chat.redact.rule import LONG_RUN, Rule, plain, token, when, whole

_URLSAFE = "[A-Za-z0-9_-]"
_UUID = "[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"


def _aws_secret(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Take forty characters of base64, all kinds among them: no path, no picture, no site key."""
    value = text[start:end]
    word = re.split(r"\s", text[max(0, start - 200) : start])[-1]
    if re.match(r"[+/=%]|[-_.][A-Za-z0-9]", text[end : end + 2]) or word.endswith(tuple("+/-%.")):
        return None
    if value.startswith("6L") or not _is_mixed(value) or "://" in word:
        return None
    if entropy(value) < 4.3 or re.search(r"[a-z]{7}|[A-Z]{8}|[0-9]{8}|//", value):
        return None
    return whole(text, start, end)


def _is_mixed(value: str) -> bool:
    """Ask for upper and lower case and digits."""
    return kinds(re.sub(r"[^A-Za-z0-9]", "", value)) == 3


def _is_drawn_tail(value: str) -> bool:
    """Tell a drawn value after its speaking prefix; what begins `pk` or `price` may be shown."""
    head, last = re.split(r"[_-]", value, maxsplit=1)[0], re.split(r"[_-]", value)[-1]
    return head not in {"pk", "pub", "public", "price", "publishable"} and is_random(last)


def _is_jwt(value: str) -> bool:
    """Check that the first part really is a header: a JSON object in base64url."""
    head = value.split(".", 1)[0]
    try:
        return base64.urlsafe_b64decode(head + "=" * (-len(head) % 4)).lstrip().startswith(b"{")
    except (binascii.Error, ValueError):
        return False


def _card(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Take digits that pass the check sum and are no part of a longer row of blocks."""
    digits = re.sub(r"[ -]", "", text[start:end])
    if len(set(digits)) <= 3 or not passes_luhn(digits):
        return None
    if re.search(r"[0-9A-Za-z.,/]$|[0-9][ -]$", text[max(start - 2, 0) : start]):
        return None
    return (
        None
        if re.match(r"[0-9A-Za-z]|[ -][0-9]{4}|[.,][0-9]", text[end : end + 5])
        else (start, end)
    )


def _url_password(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Take an address's password, up to the last @ before its path; mere stand-ins are none."""
    end = start + text[start:end].rindex("@")
    rest = re.match(r"[^\s@/.:]*/[^\s@<>\"'`]*(?=@[a-z0-9-]+\.)", text[end + 1 : end + 200])
    end += rest.end() + 1 if rest else 0
    value = text[start:end].lower()
    stand_ins = {
        "pass",
        "password",
        "passwd",
        "pwd",
        "pw",
        "secret",
        "token",
        "pass123",
        "passwort",
    }
    is_port = re.match(r"[0-9]{1,5}/", value)
    return None if is_port or value in stand_ins or is_placeholder(value) else (start, end)


CLOUDS = (
    token("aws-access-key-id", r"(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z2-7]{16}"),
    token("aws-secret-key", r"[A-Za-z0-9+/]{40}", _aws_secret, LONG_RUN),
    token("bedrock-key", r"ABSK[A-Za-z0-9+/=]{100,}"),
    token("google-api-key", rf"AIza{_URLSAFE}{{35}}"),
    token("google-client-secret", rf"GOCSPX-{_URLSAFE}{{24,32}}"),
    token("google-access-token", r"ya29\.[A-Za-z0-9_.-]{20,}"),
    token("google-refresh-token", rf"1//0[a-z0-9A-Z]{_URLSAFE}{{40,}}"),
    token("google-messaging-key", rf"AAAA[A-Za-z0-9_-]{{7}}:APA91b{_URLSAFE}{{100,}}"),
    Rule(
        "azure-account-key",
        r"(?i)(?:AccountKey|SharedAccessKey|AccessKey|SharedSecretValue)=([A-Za-z0-9+/]{40,}={0,2})",
        plain,
    ),
    token("azure-client-secret", r"[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,36}", hint="Q~"),
    token(
        "azure-devops-token",
        r"[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{6,20}AZDO[A-Za-z0-9]{4}",
        hint="JQQJ99",
    ),
    token("azure-key", r"[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{16,30}", hint="JQQJ99"),
    Rule(
        "signed-url",
        r"(?i)[?&;](?:sig|X-Amz-Signature|X-Amz-Security-Token|X-Goog-Signature)=([A-Za-z0-9%+/=_-]{20,})",
        plain,
    ),
    token("digitalocean-token", r"do[opr]_v1_[0-9a-f]{64}"),
    token("heroku-key", rf"HRKU-(?:{_UUID}|AA{_URLSAFE}{{50,70}})"),
    token("netlify-token", r"nfp_[A-Za-z0-9]{30,50}"),
    token("render-key", r"rnd_[A-Za-z0-9]{24,40}"),
    token("fly-token", r"(?:fo1_[A-Za-z0-9_-]{40,60}|fm[12][ar]?_[A-Za-z0-9+/=]{60,})"),
    token("vercel-token", r"vc[pkira]_[A-Za-z0-9]{24,80}"),
    token("cloudflare-ca-key", r"v1\.0-[0-9a-f]{24}-[0-9a-f]{100,}"),
    token("tailscale-key", r"tskey-[a-z]{2,10}-[A-Za-z0-9]{8,20}-[A-Za-z0-9]{16,40}"),
    token("alibaba-key-id", r"LTAI[A-Za-z0-9]{12,24}", when(_is_mixed)),
    token("tencent-secret-id", r"AKID[A-Za-z0-9]{32}"),
    token(
        "yandex-token",
        rf"(?:AQVN{_URLSAFE}{{35,40}}|t1\.[A-Z0-9a-z_-]{{10,}}\.[A-Z0-9a-z_-]{{86}}|y[0-3]_{_URLSAFE}{{50,70}})",
    ),
    token("vault-token", rf"(?:hv[sbr]\.{_URLSAFE}{{24,}}|s\.[A-Za-z0-9]{{24}})", when(_is_mixed)),
    token(
        "terraform-token", r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,70}", hint=r"\.atlasv1\."
    ),
    token("pulumi-token", r"pul-[0-9a-f]{40}"),
    token(
        "doppler-token",
        r"dp\.(?:ct|pt|st|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}",
    ),
    token("databricks-token", r"dapi[0-9a-f]{32}(?:-[0-9]{1,2})?"),
    token("grafana-token", r"(?:glsa_[A-Za-z0-9]{32}_[0-9a-fA-F]{8}|glc_[A-Za-z0-9+/=]{32,})"),
    token("new-relic-key", r"NR(?:AK|II|BR|RA)-[A-Za-z0-9-]{24,40}"),
    token("dynatrace-token", r"dt0[a-z][0-9]{2}\.[A-Z0-9]{24}\.[A-Z0-9]{64}"),
    token("planetscale-secret", r"pscale_(?:tkn|pw|oauth|app_secret)_[A-Za-z0-9=_.-]{32,64}"),
    token("supabase-token", r"sbp_(?:v0_)?[0-9a-f]{40}"),
    token("supabase-secret-key", rf"sb_secret_{_URLSAFE}{{20,60}}"),
    token("contentful-token", rf"CFPAT-{_URLSAFE}{{40,50}}"),
    token("launchdarkly-key", rf"(?:sdk|api|mob)-{_UUID}"),
    token("openshift-token", rf"sha256~{_URLSAFE}{{43}}"),
    token("mapbox-secret-token", rf"sk\.eyJ{_URLSAFE}{{40,}}\.{_URLSAFE}{{20,30}}"),
    token("dropbox-token", rf"sl\.(?:u\.)?{_URLSAFE}{{100,}}"),
)

MONEY_AND_MAIL = (
    token("stripe-key", r"(?:sk|rk)_(?:live|test|prod)_[A-Za-z0-9]{10,}"),
    token("stripe-webhook-secret", r"whsec_[A-Za-z0-9+/=]{24,80}"),
    token("square-token", rf"(?:sq0[a-z]{{3}}-{_URLSAFE}{{22,43}}|EAAA{_URLSAFE}{{22,64}})"),
    token("shopify-token", r"shp(?:at|ca|pa|ss|ua|tka)_[0-9a-fA-F]{32,40}"),
    token(
        "paypal-braintree-token",
        r"access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}",
    ),
    token("razorpay-key", r"rzp_(?:live|test)_[A-Za-z0-9]{14,24}"),
    token("plaid-token", rf"access-(?:sandbox|development|production)-{_UUID}"),
    token("flutterwave-key", r"FLWSECK(?:_TEST)?-[A-Za-z0-9]{12,40}(?:-X)?"),
    token("easypost-key", r"EZ[AT]K[A-Za-z0-9]{54}"),
    token("twilio-id-or-key", r"(?:SK|AC)[0-9a-fA-F]{32}"),
    token(
        "sendgrid-key",
        r"SG\.[A-Za-z0-9_=-]{16,32}\.[A-Za-z0-9_=-]{32,64}|SG\.[A-Za-z0-9_=.-]{60,70}",
    ),
    token(
        "mailgun-key",
        r"(?:key-[0-9a-f]{32}|[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8})",
        hint="key-[0-9a-f]{32}|-[0-9a-f]{8}-[0-9a-f]{8}",
    ),
    token("mailchimp-key", r"[0-9a-f]{32}-us[0-9]{1,2}", hint="[0-9a-f]{4}-us[0-9]"),
    token("mailersend-token", r"mlsn\.[0-9a-f]{64}"),
    token("brevo-key", r"xkeysib-[0-9a-f]{64}-[A-Za-z0-9]{16}"),
    token("resend-key", r"re_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,30}"),
    token("shippo-token", r"shippo_(?:live|test)_[0-9a-f]{40}"),
    token("pushbullet-token", r"o\.[A-Za-z0-9]{32}", when(_is_mixed)),
)

CONTAINERS = (
    token(
        "json-web-token",
        rf"ey[A-Za-z0-9]{_URLSAFE}{{8,}}\.ey{_URLSAFE}{{8,}}\.{_URLSAFE}{{0,}}",
        when(_is_jwt),
        hint=rf"\.ey{_URLSAFE}{{8}}",
    ),
    Rule(
        "private-key",
        r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?s:.)*?"
        r"-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----",
        plain,
    ),
    # A key cut off, or pasted over two messages: the header and what follows it.
    Rule(
        "private-key-begun",
        r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?:[\sA-Za-z0-9+/=:,.()\\-])+",
        plain,
    ),
    Rule(
        "putty-private-key",
        r"PuTTY-User-Key-File-[23]: (?s:.)*?Private-(?:Hash|MAC): [0-9a-f]{40,64}",
        plain,
    ),
    token("age-secret-key", r"AGE-SECRET-KEY-1[0-9A-Z]{58}"),
    Rule(
        "url-password",
        r"(?i)\b[a-z][a-z0-9+.-]{1,30}://[^\s:/?#@<>\"'`]{0,80}:([^\s@<>\"'`]{1,}@[^\s/?#<>\"'`]{1,})",
        _url_password,
        hint=r"://[^\s:/?#@<>\"'`]{0,80}:[^\s@<>\"'`]{1,}@",
    ),
    token(
        "named-secret",
        r"(?:[a-z][a-z0-9]{0,15}[_-]){0,3}(?:sk|pat|secret|token|apikey|api_key|priv|private|auth|key)[_-]"
        r"(?:(?:live|test|prod|api|v[0-9])[_-])?[A-Za-z0-9]{24,}",
        when(_is_drawn_tail),
        hint=r"(?:sk|pat|secret|token|apikey|api_key|priv|private|auth|key)[_-](?:[a-z0-9]{2,4}[_-])?[A-Za-z0-9]{24}",
    ),
    token(
        "named-live-key",
        r"[a-z][a-z0-9]{1,15}_(?:live|test|prod|sandbox)_[A-Za-z0-9]{20,}",
        when(_is_drawn_tail),
        hint=r"_(?:live|test|prod|sandbox)_[A-Za-z0-9]{20}",
    ),
    Rule("url-token", r"(?i)\bhttps?://([a-z0-9_-]{30,})@(?:github|gitlab|bitbucket)\.", plain),
)

WALLETS = (
    token(
        "bitcoin-private-key",
        r"(?:5[1-9A-HJ-NP-Za-km-z]{50}|[KLc][1-9A-HJ-NP-Za-km-z]{51})",
        when(_is_mixed),
        LONG_RUN,
    ),
    token("encrypted-bitcoin-key", r"6P[1-9A-HJ-NP-Za-km-z]{56}", when(_is_mixed), LONG_RUN),
    token("extended-private-key", r"[xyzt]prv[1-9A-HJ-NP-Za-km-z]{100,}"),
    token(
        "stellar-seed",
        r"S[A-Z2-7]{55}",
        when(lambda value: any(c.isdigit() for c in value)),
        LONG_RUN,
    ),
    Rule(
        "card-number",
        r"(?:\b|_)((?:[3-6][0-9]{3}|2[2-7][0-9]{2})(?:[ -]?[0-9]{4}){3}"
        r"|3[47][0-9]{2}[ -]?[0-9]{6}[ -]?[0-9]{5})(?:\b|_)",
        _card,
        hint=r"(?:\b|_)[2-6][0-9]{3}[ -]?[0-9]{4}[ -]?[0-9]{4}|(?:\b|_)3[47][0-9]{2}[ -]?[0-9]{6}",
    ),
)
