"""Everybody who spoke, numbered as they come."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pipeline.rawlines import Author

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]


class Authors:
    """Everybody who spoke, numbered as they come: one entry an author id and name."""

    def __init__(self) -> None:
        self.numbers: dict[tuple[str, str], int] = {}
        self.bot_numbers: set[int] = set()
        self.self_numbers: set[int] = set()
        self.known = _Known(self._enter)

    def number(self, authors: "list[Author | None]", is_webhook: "Array") -> "Array":
        """Give the number of each author."""
        import numpy as np

        found = np.fromiter(map(self.known.__getitem__, authors), np.int32, len(authors))
        if is_webhook.any():
            self.bot_numbers.update(np.unique(found[is_webhook]).tolist())
        return found

    def is_bot(self, number: int) -> bool:
        """Say whether an author is a bot or a webhook."""
        return number in self.bot_numbers

    def is_self(self, number: int) -> bool:
        """Say whether an author is the agent."""
        return number in self.self_numbers

    def _enter(self, author: "Author | None") -> int:
        author_id = "" if author is None or author.id is None else str(author.id)
        name = "" if author is None or author.username is None else author.username
        number = self.numbers.setdefault((author_id, name), len(self.numbers))
        if author is not None and author.bot:
            self.bot_numbers.add(number)
        return number


class _Known(dict["Author | None", int]):
    """Numbers of authors met before; a new one is entered."""

    def __init__(self, enter: "Callable[[Author | None], int]") -> None:
        self.enter = enter

    def __missing__(self, author: "Author | None") -> int:
        number = self[author] = self.enter(author)
        return number
