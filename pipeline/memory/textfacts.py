"""
Rules for what one text claims: names, numbers and dates that no source has; whose deeds; language.

What a source has counts as had: other spellings, the local days of the messages, and the days
that their relative words mean.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta

from pipeline.chat.sentences import Sentence, sentences_of
from pipeline.memory.findings import Finding, View, is_written, prose
from pipeline.memory.records import FoldedChunk, FoldedItem, Memory
from pipeline.memory.sources import sources_of, stems
from pipeline.models.dates import resolve

SMALLEST = 13  # a smaller number may be counted, not told
NUMBER = re.compile(r"\d+(?:[.,'’ \u202f]\d{3})*(?!\d)")
GROUPED = re.compile(r"(?<=\d)[.,'’ \u202f](?=\d{3}(?!\d))")
CAPITALISED = re.compile(r"(?<=[\w,;] )([A-ZÀ-ÞА-ЯΑ-Ω][\w'’-]+)")
_NO_NAMES = """
monday tuesday wednesday thursday friday saturday sunday january february march april may june july
august september october november december english german french spanish italian dutch japanese
chinese russian american british european christian christmas easter halloween god internet discord
"""
NO_NAMES = frozenset(_NO_NAMES.split())
ALIKE = 75  # rapidfuzz ratio: another spelling
MINE = re.compile(
    r"(?:and |then |so |later |now )?(?:I|my|we|ich|mein\w*|wir|je|j'|mon|ma|yo|mi|ik|mijn|io|eu|я|"
    r"мой|ja)\b|(?:私|僕|俺|わたし|我)",
    re.IGNORECASE,
)
MINE_INSIDE = re.compile(
    r"\b(?:I|I'm|I've|my|ich|mein\w*|je|mon|ma|yo|ik|mijn|io|eu|я|мой|моя)\b|私|僕|俺|わたし|我",
    re.IGNORECASE,
)
TAKEN = 0.75  # share of a sentence's words that somebody else's message holds
LEAST_TAKEN = 4
MONTHS = (
    "jan feb mar apr may jun jul aug sep oct nov dec".split(),  # noqa: SIM905 - read more easily so
    "jan feb mär apr mai jun jul aug sep okt nov dez".split(),  # noqa: SIM905
)
MONTH_OF = {name: n for names in MONTHS for n, name in enumerate(names, start=1)}
_MONTH = (
    r"(?P<month{n}>jan(?:uary|uar)?|feb(?:ruary|ruar)?|mar(?:ch)?|märz|apr(?:il)?|may|mai|june?|juni|"
    r"july?|juli|aug(?:ust)?|sept?(?:ember)?|o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?)\.?"
)
DATE = re.compile(
    rf"\b(?P<day1>\d{{1,2}})(?:st|nd|rd|th|\.)? (?:of )?{_MONTH.format(n=1)}(?!\w)"
    rf"|\b{_MONTH.format(n=2)} {{1,2}}(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?(?![\d:])"
    r"|\b\d{4}-(?P<month3>\d{2})-(?P<day3>\d{2})\b|(?P<month4>\d{1,2})月(?P<day4>\d{1,2})日",
    re.IGNORECASE,
)
Day = tuple[int, int]  # month, day


def _at(rule: str, memory: Memory, span: tuple[int, int], message: str) -> Finding:
    return Finding(
        rule=rule,
        severity="warning",
        subject=memory.memory_id,
        message=message,
        level=memory.level,
        start=span[0],
        end=span[1],
        evidence=memory.text[span[0] : span[1]],
        action="remint",
    )


def invented_names(view: View) -> Iterator[Finding]:
    """Find names in no talk at all, in no other spelling; languages that write nouns big aside."""
    from rapidfuzz import fuzz, process

    talk = [item.text for chunk in view.chunks for item in chunk.items]
    talk += [item.text for item in view.items]
    words = {w.lower() for text in dict.fromkeys(talk) for w in re.findall(r"[^\W_]{2,}", text)}
    told = [view.persona, view.agent, *view.other_names, *(i.author_name or "" for i in view.items)]
    words |= {w.lower() for text in told for w in re.findall(r"[^\W_]{2,}", text)}
    listed = sorted(words)
    for memory in view.memories:
        seen: set[str] = set()
        for sentence in sentences_of(prose(memory)) if words else ():
            if language_of(sentence.text) == "de" or sentence.text.istitle():
                continue
            for hit in CAPITALISED.finditer(sentence.text):
                name = re.split(r"['’-]", hit[1].lower())[0]
                if len(name) < 3 or name in words or name in NO_NAMES or name in seen:
                    continue
                if "_" in name or hit[1].isupper():  # a setting or a shout
                    continue
                seen.add(name)
                if not process.extractOne(name, listed, scorer=fuzz.ratio, score_cutoff=ALIKE):
                    span = (sentence.start + hit.start(1), sentence.start + hit.end(1))
                    yield _at("name", memory, span, "names somebody or something no source names")


def invented_numbers(view: View) -> Iterator[Finding]:
    """Find numbers that neither the talk of the stretch nor the days of its messages have."""
    chunks = {chunk.chunk_id: chunk for chunk in view.chunks}
    sources = sources_of(view)
    of_chunk = {key: numbers_of(chunk, view) for key, chunk in chunks.items()}
    of_persona = set(map(plain, NUMBER.findall(view.persona)))
    for memory in view.memories:
        leaves = [leaf for leaf in sources.leaves(memory) if leaf in chunks]
        if not leaves:
            continue
        text = prose(memory)
        dated = [hit.span() for hit in DATE.finditer(text)]
        for hit in NUMBER.finditer(text):
            value = plain(hit[0])
            if int(value) < SMALLEST or value in of_persona:
                continue
            if any(start <= hit.start() < end for start, end in dated):
                continue
            if not any(value in of_chunk[leaf] for leaf in leaves):
                yield _at("number", memory, hit.span(), "tells a number that no source has")


def plain(number: str) -> str:
    """Give a number without its thousands' marks and leading zeros."""
    return GROUPED.sub("", number).lstrip("0") or "0"


def numbers_of(chunk: FoldedChunk, view: View) -> set[str]:
    """Give the numbers in a chunk's talk, whole and in parts, and what its days and words mean."""
    found: set[str] = set()
    for item in chunk.items:
        at = item.sent_at.astimezone(view.zone)
        for hit in NUMBER.findall(resolve(item.text, at.date())):
            found.add(plain(hit))
            found.update(plain(part) for part in re.findall(r"\d+", hit))
        found.update(map(str, (at.year, at.year - 1, at.year + 1, at.day, at.hour, at.minute)))
    return found


def invented_dates(view: View) -> Iterator[Finding]:
    """Find dates that no message bears, names or means."""
    chunks = {chunk.chunk_id: chunk for chunk in view.chunks}
    sources = sources_of(view)
    had: dict[str, set[Day]] = {}
    for memory in view.memories:
        hits = list(DATE.finditer(prose(memory)))
        leaves = [leaf for leaf in sources.leaves(memory) if leaf in chunks] if hits else []
        for leaf in leaves:
            if leaf not in had:
                had[leaf] = days_of(chunks[leaf], view)
        for hit in hits if leaves else ():
            day = day_of(hit)
            if day and not any(day in had[leaf] for leaf in leaves):
                yield _at("date", memory, hit.span(), "tells a date that no source has")


def day_of(hit: re.Match[str]) -> Day | None:
    """Give month and day of a date in a text; null where that is no day."""
    for n in "1234":
        if hit[f"day{n}"]:
            said = hit[f"month{n}"]
            month = int(said) if said.isdigit() else MONTH_OF.get(said[:3].lower(), 0)
            day = int(hit[f"day{n}"])
            return (month, day) if 1 <= month <= 12 and 1 <= day <= 31 else None
    return None


def days_of(chunk: FoldedChunk, view: View) -> set[Day]:
    """Give the days on which its messages were sent, that they name, and that they mean."""
    found: set[Day] = set()
    for item in chunk.items:
        at = item.sent_at.astimezone(view.zone).date()
        for step in (-1, 0, 1, 2, -2):
            found.add(_near(at, step))
        text = resolve(item.text, at)
        found.update(day for hit in DATE.finditer(text) if (day := day_of(hit)))
        if re.search(r"\b(?:week|weekend|monday|tuesday|wednesday|thursday|friday|saturday|sunday|"
                     r"woche|\w+tag)\b", text, re.IGNORECASE):  # fmt: skip
            found.update(_near(at, step) for step in range(-9, 15))
    return found


def _near(at: date, step: int) -> Day:
    moved = at + timedelta(days=step)
    return moved.month, moved.day


def taken_deeds(view: View) -> Iterator[Finding]:
    """Find deeds told in the first person that somebody else told of themselves."""
    own_items = {item.item_id for item in view.items if item.is_self}
    told = {chunk.chunk_id: chunk.items for chunk in view.chunks}
    if not view.items:
        return
    for memory in view.memories:
        items = told.get(memory.chunk_id or "", ()) if is_written(memory) else ()
        others = [(stems(i.text), i) for i in items if i.item_id not in own_items]
        others = [(words, item) for words, item in others if MINE_INSIDE.search(item.text)]
        mine: set[str] = set().union(*(stems(i.text) for i in items if i.item_id in own_items))
        for sentence in sentences_of(prose(memory)) if others else ():
            if source := taken(sentence, others, mine):
                message = "tells as its own what somebody else told of themselves"
                found = _at("deed", memory, (sentence.start, sentence.end), message)
                yield replace(found, source_ids=(source,))


def taken(
    sentence: Sentence, others: list[tuple[set[str], FoldedItem]], mine: set[str]
) -> str | None:
    """Give the item that a sentence in the first person was taken from; null where none."""
    if not MINE.match(sentence.text):
        return None
    words = {word for word in stems(sentence.text) if len(word) > 2 or word >= "\u0e00"}
    if len(words) < LEAST_TAKEN or len(words & mine) > len(words) / 2:
        return None
    for held, item in others:
        if len(words & held) >= max(LEAST_TAKEN, TAKEN * len(words)):
            return item.item_id
    return None


# A few words of each language that no other of these has, or seldom.
SIGNS = {
    "en": "the and was that with they from were this have which their would about when",
    "de": "und der die das nicht ich mit ist auf dass eine einen war wir sich auch von dem",
    "fr": "les des est que dans pour une nous avec qui sur elle pas était c'est au",
    "es": "los las que por con una para está como pero muy del ella fue más",
    "it": "che della sono con una gli nel anche perché più questo era molto di",
    "nl": "het een van dat niet zijn met ook voor maar hij wij was naar",
    "pt": "que não uma com para ela foi mais muito mas dos das você era",
    "pl": "nie się jest na że był była jak ale dla przez czy tego",
}
SIGN_OF = {language: frozenset(words.split()) for language, words in SIGNS.items()}
SCRIPTS = (
    ("ja", re.compile(r"[\u3040-\u30ff]")),
    ("ko", re.compile(r"[\uac00-\ud7af]")),
    ("zh", re.compile(r"[\u4e00-\u9fff]")),
    ("cyrillic", re.compile(r"[\u0400-\u04ff]")),
    ("greek", re.compile(r"[\u0370-\u03ff]")),
    ("arabic", re.compile(r"[\u0600-\u06ff]")),
    ("hebrew", re.compile(r"[\u0590-\u05ff]")),
    ("devanagari", re.compile(r"[\u0900-\u097f]")),
    ("thai", re.compile(r"[\u0e00-\u0e7f]")),
)


def language_of(text: str) -> str | None:
    """Guess the language or script of a text; null where its words do not tell."""
    letters = sum(map(str.isalpha, text)) or 1
    for name, pattern in SCRIPTS:
        if len(pattern.findall(text)) > (0.1 if name == "ja" else 0.4) * letters:
            return name
    words = Counter(re.findall(r"[^\W\d_]+(?:'[a-z])?", text.lower()))
    scores = {name: sum(words[w] for w in signs) for name, signs in SIGN_OF.items()}
    best = max(scores, key=lambda name: scores[name])
    rest = max(score for name, score in scores.items() if name != best)
    return best if scores[best] >= 2 and scores[best] >= 1.5 * rest else None


def speaks(texts: list[str], language: str) -> bool:
    """Say whether a fair part of what was said is in this language."""
    talk = Counter(found for text in texts if (found := language_of(text)))
    return talk[language] > 0.15 * sum(talk.values())


def other_language(view: View) -> Iterator[Finding]:
    """Find memories in a language that their talk is not in; none where that is the agent's way."""
    if view.settings.get("warmup", {}).get("language", "auto") != "auto":
        return
    sources = sources_of(view)
    strange: list[tuple[Memory, str]] = []
    kept = Counter[str]()  # memories that follow their talk, by its language
    for memory in view.memories:
        if memory.level > 1 or not is_written(memory):
            continue
        texts = sources.texts(memory)
        whole = language_of("\n".join(texts))
        written = language_of(prose(memory))
        if not written or not whole:
            continue
        if written == whole or speaks(texts, written):
            kept[whole] += 1
        else:
            strange.append((memory, whole))
    many = Counter(whole for _, whole in strange)
    for memory, whole in strange:
        if many[whole] > max(2, kept[whole]):
            continue
        message = f"is written in {language_of(prose(memory))} over talk in {whole}"
        yield Finding("language", "warning", memory.memory_id, message, 1, action="remint")


RULES = (
    invented_names,
    invented_numbers,
    invented_dates,
    taken_deeds,
    other_language,
)
