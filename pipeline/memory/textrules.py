"""
Rules for the form of one text: empty, cut off, refused, thought aloud, going on with the scene.

Also longer than what it stands on, written where there was next to nothing to write of, and
credentials. What the extractive model quotes and what a stub says is judged by fewer of them.
"""

import re
from collections.abc import Iterator

from pipeline.chat.sentences import Sentence, sentences_of
from pipeline.memory.findings import Action, Finding, Severity, View, is_written, prose
from pipeline.memory.records import Memory
from pipeline.memory.sources import sources_of
from pipeline.models.acceptance import has_words
from pipeline.models.refusals import is_refusal

LONGEST_SHARE = 1.2
THIN_CHARACTERS = 200
STOPS = ".!?…‥。！？．｡؟۔।։:;~♪"
CLOSERS = " \t\n\"'”’»›)]}*_`」』）】"
OPEN_ENDS = ",;:-–—([{“„‚«、，：；（「"
DANGLING = re.compile(
    r"(?:^|\s)(?:and|or|but|because|the|an|of|to|with|for|from|that|which|who|whose|into|as|at|by|"
    r"und|oder|aber|weil|dass|der|die|das|den|dem|ein|eine|mit|von|für|et|ou|mais|de|le|la|les|des|"
    r"du|avec|pour|que|y|pero|el|los|con|para|por|en|e|ma|il|che|per|het|een|van|voor|и|но|что|с)$",
    re.IGNORECASE,
)
TAGGED = re.compile(
    r"</?(?:think|thinking|thought|thoughts|reasoning|reflection|scratchpad|analysis)\b[^>\n]*>",
    re.IGNORECASE,
)
# How models think aloud about the task, or hand over their work, before or around the memory.
_TASK = r"(?:memory|memories|summary|recollection|task|prompt|instructions?|request|passage|note)"
ALOUD = re.compile(
    rf"^(?:(?:okay|ok|alright|hmm+|sure|certainly|of course|well|so|now|right)[,.!:]? ?)*(?:"
    rf"(?:the )?(?:user|(?:system )?prompt|instructions?) "
    rf"(?:wants?|asks?|is asking|says?|requires?)\b|"
    rf"(?:let me|let's|i'll|i will|i need to|i should|i have to|we need to|we should|i'm going to|"
    rf"first,? i(?:'ll| will| need to| should)) (?:now )?(?:think|start|begin|write|draft|"
    rf"summari[sz]e|craft|compose|produce|consider|analy[sz]e|condense|re-?read)\b.{{0,80}}?"
    rf"(?:{_TASK}|first person|step by step|\bthis\b)|"
    rf"here(?:'s| is| are) (?:my|the|a|your) (?:\w+ ){{0,3}}{_TASK}\b|"
    rf"(?:zuerst )?(?:muss|soll|sollte) ich (?:jetzt )?(?:eine?|die) "
    rf"(?:zusammenfassung|erinnerung)|"
    rf"hier ist (?:meine|die|eine) (?:\w+ ){{0,2}}(?:zusammenfassung|erinnerung)|"
    rf"voici (?:mon|le|un) (?:\w+ ){{0,2}}(?:résumé|souvenir)|aquí (?:está|tienes) (?:mi|el|un) "
    rf"(?:\w+ ){{0,2}}(?:resumen|recuerdo))",
    re.IGNORECASE,
)
ACTED = re.compile(r"^\*[^*\n]{3,80}\*(?:\s|$)", re.MULTILINE)
TURNS = 2  # lines that speak as somebody before a text is a scene


def _finding(
    rule: str,
    memory: Memory,
    message: str,
    span: tuple[int, int] | None = None,
    *,
    severity: Severity = "error",
    action: Action = "remint",
) -> Finding:
    """Give a finding about a memory, with the text at its place."""
    start, end = span or (None, None)
    return Finding(
        rule=rule,
        severity=severity,
        subject=memory.memory_id,
        message=message,
        level=memory.level,
        start=start,
        end=end,
        evidence=memory.text[start:end] if span else "",
        action=action,
    )


def empty(view: View) -> Iterator[Finding]:
    """Find memories that say nothing."""
    for memory in view.memories:
        if not memory.is_stub and not has_words(prose(memory)):
            yield _finding("empty", memory, "says nothing")


def cut_off(view: View) -> Iterator[Finding]:
    """Find memories that end in the middle of a sentence."""
    for memory in view.memories:
        text = prose(memory)
        bare = text.rstrip(CLOSERS)
        if not is_written(memory) or not has_words(text):
            continue  # what is quoted may well have been said so
        last = bare[max(bare.rfind("\n"), 0) :]
        if is_open(text, bare):
            span = (len(bare) - len(last.strip()[-80:]), len(bare))
            yield _finding("cut off", memory, "ends in the middle of a sentence", span)


def is_open(text: str, bare: str) -> bool:
    """Say whether a text breaks off: at an open sign, at a joining word, or where others stop."""
    if bare[-1] in OPEN_ENDS or DANGLING.search(bare[-20:].split("\n")[-1]):
        return True
    if bare[-1] in STOPS or not bare[-1].isalnum() or "\u0e00" <= bare[-1] <= "\u0eff":
        return False
    if any(sign in STOPS for sign in text[len(bare) :]):
        return False
    lines = [line.strip(CLOSERS) for line in text.splitlines() if has_words(line)]
    ended = sum(line[-1] in STOPS for line in lines[:-1])
    inner = sum(bare.count(sign) for sign in ".!?。！？")
    return ended > len(lines[:-1]) / 2 if len(lines) > 1 else inner > 0


def refused(view: View) -> Iterator[Finding]:
    """Find memories that begin or end as a refusal."""
    for memory in view.memories:
        said = [] if memory.is_stub else list(sentences_of(prose(memory)))
        for sentence in {said[0], said[-1]} if said else ():
            ahead = memory.text[sentence.start : sentence.start + 300]
            if is_refusal(ahead if sentence is said[0] else sentence.text):
                span = (sentence.start, sentence.end)
                yield _finding("refusal", memory, "refuses instead of remembering", span)


def thought_aloud(view: View) -> Iterator[Finding]:
    """Find reasoning and words about the task that stayed in the text."""
    for memory in view.memories:
        if memory.is_stub:
            continue
        text = prose(memory)
        if tag := TAGGED.search(text):
            yield _finding("reasoning", memory, "holds a mark of reasoning", tag.span())
        elif found := aloud(text):
            span = (found.start, found.end)
            yield _finding("reasoning", memory, "speaks of the task of writing", span)


def aloud(text: str) -> Sentence | None:
    """Give the sentence among the first two or the last that speaks of the task."""
    said = list(sentences_of(text))
    return next((s for s in (*said[:2], *said[2:][-1:]) if ALOUD.match(s.text)), None)


def scene(view: View) -> Iterator[Finding]:
    """Find memories that go on with the scene: speakers' lines, deeds between stars."""
    names = {i.author_name for i in view.items if i.author_name} | {view.agent} | view.other_names
    known = "|".join(sorted((re.escape(n) for n in names if n), key=len, reverse=True))
    if not known:
        return
    spoken = re.compile(
        rf"^(?:\[[^\]\n]*\] ?)?[*_]{{0,2}}@?(?:{known})[*_]{{0,2}}(?: \([^)\n]*\))?"
        rf"[*_]{{0,2}}: ?[*_]{{0,2}}(?=\S)",
        re.MULTILINE,
    )
    for memory in view.memories:
        if not is_written(memory):
            continue
        found = list(spoken.finditer(memory.text))
        acted = list(ACTED.finditer(memory.text))
        if len(found) >= TURNS or len(acted) >= TURNS or (found and acted):
            first = min(found + acted, key=lambda hit: hit.start())
            end = memory.text.find("\n", first.start())
            span = (first.start(), end if end > 0 else len(memory.text))
            yield _finding("scene", memory, "goes on with the scene instead of remembering", span)


def too_long(view: View) -> Iterator[Finding]:
    """Find memories longer than what they stand on, or written over next to nothing."""
    sources, by_id = sources_of(view), view.by_id()
    thin = int(view.settings.get("warmup", {}).get("thin_chars", THIN_CHARACTERS))
    for memory in view.memories:
        if not is_written(memory):
            continue
        if memory.level == 1:
            whole = sum(map(len, sources.texts(memory)))
        else:
            whole = sum(len(by_id[i].text) for i in memory.source_ids if i in by_id)
        if memory.level == 1 and whole < thin and sources.leaves(memory):
            message = f"was written over {whole} characters of talk; a stub says as much"
            yield _finding("thin", memory, message)
        elif whole and len(memory.text) > LONGEST_SHARE * whole:
            message = f"is {len(memory.text) / whole:.1f} times as long as what it stands on"
            yield _finding("too long", memory, message, severity="warning")


def credentials(view: View) -> Iterator[Finding]:
    """Find credentials in memories; the finding shows their shape and never their value."""
    from pipeline.chat.redact import compile_rules, mask

    redact = view.settings.get("curate", {}).get("redact", {})
    extra, keep = ((redact or {}).get(name, ()) for name in ("extra", "keep"))
    redactor = compile_rules(extra, keep)
    for number, spans in redactor.find(memory.text for memory in view.memories):
        memory = view.memories[number]
        for span in spans:
            yield Finding(
                rule="credential",
                severity="error",
                subject=memory.memory_id,
                message=f"holds a credential ({span.rule})",
                level=memory.level,
                start=span.start,
                end=span.end,
                evidence=mask(memory.text[span.start : span.end]),
                action="edit",
            )


RULES = (empty, cut_off, refused, thought_aloud, scene, too_long, credentials)
