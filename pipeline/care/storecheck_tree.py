"""The memories of a store by id, and each owned message's place in store order."""

from pipeline.care.storereader_session import Session, Summary


class Tree:
    """The records by id, and each owned message's place in store order."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.by_id: dict[str, Summary] = {}
        for summary in session.summaries:
            self.by_id.setdefault(summary.id, summary)
        self.index = {message.id: place for place, message in enumerate(session.messages)}
        linked = {record.summary_id for record in session.chunks}
        owned = {m for record in session.chunks for m in record.source_ids}
        owned |= {
            m for s in session.summaries if s.level == 1 and s.id in linked for m in s.source_ids
        }
        if not session.chunks:
            owned = {m for s in session.summaries if s.level == 1 for m in s.source_ids}
        ordered = sorted(owned & self.index.keys(), key=self.index.__getitem__)
        self.place = {message_id: place for place, message_id in enumerate(ordered)}
        self._leaves: dict[str, list[str]] = {}

    def leaves(self, summary: Summary, depth: int = 0) -> list[str]:
        """Give the message ids under a summary, in the order in which it names them."""
        if summary.level <= 1 or depth > 64:
            return summary.source_ids
        if summary.id not in self._leaves:
            children = [self.by_id[i] for i in summary.source_ids if i in self.by_id]
            self._leaves[summary.id] = [
                leaf
                for child in children
                if child.level < summary.level
                for leaf in self.leaves(child, depth + 1)
            ]
        return self._leaves[summary.id]

    def span(self, summary: Summary) -> tuple[int, int] | None:
        """Give the places of its first and last leaf; none where they are not owned."""
        first = self.place.get(summary.source_range.first)
        last = self.place.get(summary.source_range.last)
        return None if first is None or last is None else (first, last)
