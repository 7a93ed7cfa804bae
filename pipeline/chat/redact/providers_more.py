"""Named rules for services that turn up now and then: monitoring, build, deployment, data."""

from pipeline.chat.redact.judge import is_random
from pipeline.chat.redact.rule import Rule, plain, token, when

_URLSAFE = "[A-Za-z0-9_-]"

SERVICES = (
    token("adobe-client-secret", r"p8e-[A-Za-z0-9]{32}"),
    token("artifactory-reference-token", r"cmVmdGtu[A-Za-z0-9]{50,60}"),
    token(
        "authress-key",
        r"(?:sc|ext|scauth|authress)_[a-z0-9]{5,30}\.[a-z0-9]{4,6}\.acc[_-][a-z0-9-]{10,32}\.[a-z0-9+/_=-]{30,120}",
        hint=r"\.acc[_-][a-z0-9-]{10}",
    ),
    token("clickhouse-key", r"4b1d[A-Za-z0-9]{38}"),
    token("duffel-token", r"duffel_(?:live|test)_[A-Za-z0-9_=-]{43}"),
    token(
        "facebook-app-token",
        rf"[0-9]{{15,16}}(?:\||%7C){_URLSAFE}{{27,40}}",
        hint=rf"[0-9]{{6}}(?:\||%7C){_URLSAFE}{{27}}",
    ),
    token("frameio-token", r"fio-u-[A-Za-z0-9_=-]{64}"),
    token("gitlab-session", r"_gitlab_session=[0-9a-z]{32}"),
    token("grafana-key", r"eyJrIjoi[A-Za-z0-9+/=]{40,}"),
    token("harness-key", r"(?:pat|sat)\.[A-Za-z0-9_-]{22}\.[0-9A-Za-z]{24}\.[0-9A-Za-z]{20}"),
    token("infracost-key", r"ico-[A-Za-z0-9]{32}"),
    token("intra42-secret", r"s-s4t2(?:ud|af)-[0-9a-f]{64}"),
    token("json-web-token-base64", r"ZXlK[A-Za-z0-9+/_-]{60,}={0,2}"),
    token("maxmind-key", r"[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk", hint="_mmk"),
    token("octopus-key", r"API-[A-Z0-9]{26,32}", when(is_random)),
    token("prefect-key", r"pnu_[A-Za-z0-9]{36}"),
    token("scalingo-token", rf"tk-us-{_URLSAFE}{{48}}"),
    token("settlemint-token", r"sm_[aps]at_[A-Za-z0-9]{16}"),
    token("buildkite-token", r"bk(?:ua|at|ct)_[0-9a-f]{40}"),
    token("circleci-token", r"CCI(?:PAT|PRJ)_[A-Za-z0-9]{18,24}_[0-9a-f]{40}"),
    token("snyk-token", r"snyk_(?:uat|sat)\.[0-9a-f]{8}\.[A-Za-z0-9_-]{40,}"),
    token("neon-key", r"napi_[a-z0-9]{60,70}"),
    token("convex-key", r"(?:prod|dev|preview):[a-z0-9-]{3,40}\|[A-Za-z0-9+/=]{40,}"),
    token(
        "ngrok-token",
        r"[12][A-Za-z0-9]{26}_[A-Za-z0-9]{16,24}",
        hint="[A-Za-z0-9]{4}_[A-Za-z0-9]{16}",
    ),
    token("uptimerobot-key", r"[um][0-9]{6,10}-[0-9a-f]{32}"),
    token("posthog-key", r"phx_[A-Za-z0-9]{40,50}"),
    token("trello-token", r"ATTA[0-9a-f]{64}[0-9A-F]{8}"),
    Rule(
        "private-calendar",
        r"calendar\.google\.com/calendar/ical/[^\s/]{3,120}/private-([0-9a-f]{32})",
        plain,
    ),
)
