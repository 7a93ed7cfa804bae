"""All rules of the house in one table."""

from pipeline.chat.redact import addresses, context, providers_cloud, providers_more, providers_talk
from pipeline.chat.redact.rule import Rule

RULES: tuple[Rule, ...] = (
    *providers_talk.CHAT,
    *providers_talk.CODE,
    *providers_talk.MODELS,
    *providers_cloud.CLOUDS,
    *providers_cloud.MONEY_AND_MAIL,
    *providers_cloud.CONTAINERS,
    *providers_cloud.WALLETS,
    *providers_more.SERVICES,
    *context.PASSWORDS,
    *context.KEYS,
    *context.CODES,
)

ADDRESSES = addresses.RULES
