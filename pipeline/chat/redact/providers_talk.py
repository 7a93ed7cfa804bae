"""Named rules for what communities paste most: chat, code and package hosts, model providers."""

from pipeline.chat.redact.judge import entropy, has_digit_and_letter, is_random, kinds
from pipeline.chat.redact.rule import Rule, plain, token, when

_URLSAFE = "[A-Za-z0-9_-]"


def _is_model_key(value: str) -> bool:
    """Tell a drawn `sk-` key from a hyphenated name that happens to begin so."""
    return is_random(value[3:]) and len(value.rsplit("-", 1)[-1]) >= 12


def _is_mixed(value: str) -> bool:
    """Ask for two kinds of characters, so that a run of one letter is no token."""
    return kinds(value) >= 3 and entropy(value) >= 3


CHAT = (
    # The first part is the base64 of a decimal id, so it begins with M, N or O; what is glued
    # to its left (a name that was cut) goes with it.
    Rule(
        "discord-bot-token",
        rf"({_URLSAFE}{{0,24}}[MNO]{_URLSAFE}{{22,29}}\.{_URLSAFE}{{6,7}}\.{_URLSAFE}{{24,45}})",
        when(_is_mixed),
        hint=rf"\.{_URLSAFE}{{6,7}}\.{_URLSAFE}{{24}}",
    ),
    token("discord-mfa-token", rf"mfa\.{_URLSAFE}{{60,}}"),
    Rule(
        "discord-webhook",
        rf"(?i)discord(?:app)?\.com/api(?:/v[0-9]{{1,2}})?/webhooks/[0-9]{{15,21}}/({_URLSAFE}{{30,}})",
        plain,
    ),
    token("discord-interaction-token", r"aW50ZXJhY3Rpb246[A-Za-z0-9+/=_-]{60,}"),
    token(
        "telegram-bot-token",
        rf"[0-9]{{6,12}}:A[A-Za-z]{_URLSAFE}{{32,34}}",
        when(_is_mixed),
        rf":A[A-Za-z]{_URLSAFE}{{32}}",
    ),
    Rule(
        "telegram-url",
        rf"api\.telegram\.org/(?:file/)?bot([0-9]{{6,12}}:{_URLSAFE}{{30,40}})",
        plain,
    ),
    token(
        "slack-token", r"xox[abeoprs](?:\.xox[bp])?-[0-9A-Za-z-]{10,}", when(has_digit_and_letter)
    ),
    token("slack-client-token", r"xox[cd]-[0-9A-Za-z%-]{40,}"),
    token("slack-app-token", r"xapp-[0-9]-[A-Z0-9]{8,14}-[0-9]{8,16}-[0-9a-fA-F]{40,80}"),
    Rule(
        "slack-webhook",
        r"hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9]{6,14}/[A-Za-z0-9]{6,20}/([A-Za-z0-9/]{16,80})",
        plain,
    ),
    Rule(
        "teams-webhook",
        r"webhook\.office\.com/webhookb2/[^\s/]{30,90}/IncomingWebhook/([0-9a-f]{32}/[0-9a-f-]{36})",
        plain,
    ),
    token("matrix-access-token", r"syt_[A-Za-z0-9+/=]{4,80}_[A-Za-z]{20}_[A-Za-z0-9]{6}"),
    token("twitch-chat-token", r"oauth:[a-z0-9]{30}"),
    token("twitter-bearer-token", r"A{20,22}[A-Za-z0-9%]{60,}", when(_is_mixed), "A{20}"),
    token("facebook-token", r"EAA[A-Z][A-Za-z0-9]{90,}"),
    token("instagram-token", rf"IGQV[A-Za-z0-9]{_URLSAFE}{{90,}}"),
    token("vk-token", rf"vk1\.a\.{_URLSAFE}{{60,}}"),
    token("riot-key", r"RGAPI-[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"),
    Rule("roblox-cookie", r"\|_([A-F0-9]{100,})", plain),
    token("nostr-private-key", r"nsec1[02-9ac-hj-np-z]{58}"),
)

CODE = (
    token("github-token", r"gh[pousr]_[A-Za-z0-9]{36,}"),
    token("github-fine-grained-token", r"github_pat_[A-Za-z0-9]{20,24}_[A-Za-z0-9]{50,70}"),
    token(
        "gitlab-token",
        rf"gl(?:pat|oas|dt|rt|rtr|cbt|ptt|ft|imt|agent|soat|ffct|wt)-{_URLSAFE}{{20,}}(?:\.[0-9a-z.]{{5,30}})?",
    ),
    token("gitlab-runner-registration", rf"GR1348941{_URLSAFE}{{20,40}}"),
    token("bitbucket-app-password", rf"ATBB{_URLSAFE}{{28,60}}(?:=[0-9A-F]{{8}})?"),
    token("atlassian-token", rf"AT(?:ATT|CTT)3{_URLSAFE}{{60,}}(?:=[0-9A-F]{{8}})?"),
    token("npm-token", r"npm_[A-Za-z0-9]{36,60}"),
    token("pypi-token", rf"pypi-{_URLSAFE}{{40,}}"),
    token("rubygems-key", r"rubygems_[0-9a-f]{40,64}"),
    token("crates-token", r"cio[A-Za-z0-9]{32,40}", when(_is_mixed)),
    token("nuget-key", r"oy2[a-z0-9]{43}", when(is_random)),
    token("clojars-token", r"CLOJARS_[0-9a-z]{60}"),
    token("docker-hub-token", rf"dckr_(?:pat|oat)_{_URLSAFE}{{24,60}}"),
    token("artifactory-key", r"AKCp[0-9A-Za-z]{60,80}"),
    token("sonar-token", r"sq[pua]_[0-9a-f]{40}"),
    token("sourcegraph-token", r"sgp_(?:[0-9a-f]{16}_|local_)?[0-9a-f]{40}"),
    token("figma-token", rf"fig[dou]r?_{_URLSAFE}{{36,80}}"),
    token("postman-key", r"PMAK-[0-9a-f]{24}-[0-9a-f]{34}"),
    token("readme-key", r"rdme_[a-z0-9]{60,80}"),
    token("linear-key", r"lin_(?:api|oauth|wh)_[A-Za-z0-9]{32,64}"),
    token("notion-token", r"ntn_[A-Za-z0-9]{40,60}"),
    token("airtable-token", r"pat[A-Za-z0-9]{14}\.[0-9a-f]{64}"),
    token("asana-token", r"[12]/[0-9]{12,20}(?:/[0-9]{12,20})?:[0-9a-f]{32}"),
    token("sentry-token", r"sntry[su]_[A-Za-z0-9+/=_-]{40,}"),
    token("typeform-token", r"tfp_[A-Za-z0-9_.-]{40,80}"),
    token("hubspot-token", r"pat-(?:na|eu|ap)[0-9]-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"),
    token("apify-token", r"apify_api_[A-Za-z0-9]{30,50}"),
    token("adafruit-key", r"aio_[A-Za-z0-9]{28}"),
    token("onepassword-token", r"ops_eyJ[A-Za-z0-9+/=_-]{200,}"),
    token(
        "onepassword-secret-key",
        r"A3-[A-Z0-9]{6}-(?:[A-Z0-9]{6}-[A-Z0-9]{5}|[A-Z0-9]{11})(?:-[A-Z0-9]{5}){3}",
    ),
)

MODELS = (
    token("anthropic-key", rf"sk-ant-[a-z]{{2,6}}[0-9]{{2}}-{_URLSAFE}{{60,}}"),
    token("openrouter-key", r"sk-or-(?:v[0-9]-)?[0-9a-zA-Z]{40,80}"),
    token("openai-key", rf"sk-(?:proj|svcacct|admin|None)-{_URLSAFE}{{40,}}"),
    token("openai-legacy-key", r"sk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}"),
    token("openai-session", r"sess-[A-Za-z0-9]{40}"),
    token("langfuse-key", r"sk-lf-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"),
    # DeepSeek, Moonshot, Stability, DashScope, proxies: `sk-`, perhaps a name, and 20 or more.
    token("model-key", r"sk-(?:[a-z]{1,10}-){0,2}[A-Za-z0-9]{20,}", when(_is_model_key)),
    token("groq-key", r"gsk_[A-Za-z0-9]{48,60}"),
    token("xai-key", r"xai-[A-Za-z0-9]{60,}"),
    token("replicate-token", r"r8_[A-Za-z0-9]{36,42}"),
    token("elevenlabs-key", r"sk_[0-9a-f]{40,64}"),
    token("perplexity-key", r"pplx-[A-Za-z0-9]{40,64}"),
    token("hugging-face-token", r"hf_[A-Za-z0-9]{30,50}"),
    token("hugging-face-org-token", r"api_org_[A-Za-z0-9]{30,50}"),
    token("nvidia-key", rf"nvapi-{_URLSAFE}{{50,90}}"),
    token("cerebras-key", r"csk-[a-z0-9]{40,60}"),
    token("together-key", rf"tgp_v1_{_URLSAFE}{{36,60}}"),
    token("fireworks-key", r"fw_[A-Za-z0-9]{20,40}", when(is_random)),
    token("pinecone-key", r"pcsk_[A-Za-z0-9]{5,8}_[A-Za-z0-9]{40,80}"),
    token("langsmith-key", r"lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}"),
    token("wandb-key", r"wandb_v1_[A-Za-z0-9_]{40,}"),
    token("tavily-key", r"tvly-[A-Za-z0-9-]{20,60}", when(is_random)),
    token("firecrawl-key", r"fc-[0-9a-f]{32}"),
    token("jina-key", rf"jina_[A-Za-z0-9]{{32}}{_URLSAFE}{{20,50}}"),
    token("voyage-key", rf"pa-{_URLSAFE}{{40,50}}", when(is_random)),
    token("runpod-key", r"rpa_[A-Z0-9]{30,60}[a-z0-9]{0,12}"),
    token("modal-token", r"a[ks]-[A-Za-z0-9]{22}", when(is_random)),
)
