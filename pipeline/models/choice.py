"""Which model answers: from settings to a model that retries, paces itself and learns to wait."""

import contextlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from pipeline.errors import UsageError
from pipeline.models import anthropic, keys, openai
from pipeline.models.extractive import Extractive
from pipeline.models.pacing import Clock, Pacer, Sleep
from pipeline.models.retrying import Patience, Retrying
from pipeline.models.seam import Model

KINDS = ("extractive", "openai", "anthropic")


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """Who is asked; `kind` is the protocol, `model` the name by which the server knows it."""

    kind: str = "extractive"  # extractive (no network), openai (any compatible) or anthropic
    model: str = ""  # the model's name at the server; blank only for extractive
    base_url: str | None = None  # the server's address; null: the provider's own
    key_variable: str | None = None  # environment variable with the key; null: the usual one
    requests_per_minute: float | None = None  # null: as fast as answers come
    attempts: int = 7  # how often a request is tried when the failure may pass
    total_wait_seconds: float = 900.0  # longest waiting for one request, all attempts together

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise UsageError(f"model kind is {self.kind!r}; it is one of {', '.join(KINDS)}")
        if self.kind != "extractive" and not self.model:
            raise UsageError(f"model kind {self.kind} needs the name of a model")
        if self.attempts < 1:
            raise UsageError(f"attempts is {self.attempts}; at least one is needed")


def connect(
    settings: ModelSettings,
    env: Mapping[str, str],
    clock: Clock,
    sleep: Sleep,
    random: Callable[[], float],
    note: Callable[[str], None] | None = None,
) -> Model:
    """
    Make the model that the settings name; keys come from `env` alone.

    Raises WrongKeyError where a key is missing, UsageError where a client is not installed.
    """
    if settings.kind == "extractive":
        return Extractive()
    client = _client(settings, env, clock)
    pacer = Pacer(clock, sleep, settings.requests_per_minute)
    patience = Patience(settings.attempts, total_wait_seconds=settings.total_wait_seconds)
    return Retrying(client, pacer, sleep, random, patience, note)


@contextlib.contextmanager
def lent(model: Model) -> Iterator[None]:
    """Close a model's connection at the end, where it has one."""
    try:
        yield
    finally:
        if isinstance(model, Retrying):
            model.close()


def _client(settings: ModelSettings, env: Mapping[str, str], clock: Clock) -> Model:
    base_url, variable = settings.base_url, settings.key_variable
    if settings.kind == "openai":
        return openai.connect(settings.model, env, clock, base_url, variable or "OPENAI_API_KEY")
    return anthropic.connect(settings.model, env, clock, base_url, variable or "ANTHROPIC_API_KEY")


def who_reads(settings: ModelSettings) -> str | None:
    """Name the host that will read the talk; null where it stays on this machine."""
    if settings.kind == "extractive":
        return None
    usual = openai.BASE_URL if settings.kind == "openai" else anthropic.BASE_URL
    url = settings.base_url or usual
    return None if keys.is_local(url) else keys.host(url)
