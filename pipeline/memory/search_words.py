"""
Words as the search index holds them, in any script.

SQLite's own tokenizer takes a whole Chinese, Japanese or Thai sentence for one word. So runs of
scripts that put no blanks between words become overlapping pairs of characters (and single
characters, for a question of one), and Russian words lose their endings; the porter stemmer of
SQLite does the rest for Latin script.
"""

import re
import unicodedata
from collections.abc import Iterator

# Han, kana, Thai, Lao, Myanmar, Khmer: no blanks between words.
UNSPACED = (
    "々〇\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
)
RUNS = re.compile(rf"[{UNSPACED}]+|(?:(?![{UNSPACED}])[^\W_])+")
IS_UNSPACED = re.compile(rf"[{UNSPACED}]")
HIRAGANA = re.compile(r"[\u3040-\u309f]+")
LONE_KANJI = re.compile(r"(?:(?<=[\u3040-\u309f])|^)[\u4e00-\u9fff](?=[\u3040-\u309f])")
# Compiled where a Russian word comes: a question in another script need not wait for it.
RUSSIAN = "[а-яё]{4,}"
RUSSIAN_ENDING = (
    r"(?:иями|ями|ами|ого|его|ому|ему|ыми|ими|ешь|ишь|ете|ите|ует|уют|ила|ыла|ала|или|али|ить|ать|"
    r"еть|ся|ия|ию|ии|ая|яя|ое|ее|ые|ие|ый|ий|ой|ей|ом|ем|ам|ям|ах|ях|ов|ев|ую|юю|ет|ит|ут|ют|ат|"
    r"ят|ил|ал|ел|[аеёиоуыэюяйь])$"
)
# Words of a question that say nothing about its answer.
STOPWORD_LINES = """
    a an the and or but of to in on at by for from with as is are was were be been being am do does
    did doing done has have had having will would could should can may might must i you he she it
    we they me him them my your his its our their this that these those there here what which who
    whom whose when where why how s t re ve d ll not no so if then than too very just about into
    el la los las un una unos unas de del y o en con por para que qué quien quién cuando cuándo
    donde dónde como cómo cual cuál es son fue era se su sus lo le al mi tu
    der die das ein eine einen dem den des und oder in im am zu mit von auf für ist sind war hat
    was wer wann wo wie warum welche welcher ich du er sie es wir
    le les des du et ou à au aux est sont qui quoi quand où comment pourquoi il elle
    и в во не на я что с со он как а то все она так его но ты к у же вы за бы по ее мне было
    от меня о из ему когда где кто какой какая какие почему это был была были
"""
STOPWORDS = frozenset(STOPWORD_LINES.split())


def words(text: str) -> Iterator[str]:
    """Give the words of a text in order: folded, without accents that SQLite would drop."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    for run in RUNS.findall(folded):
        if IS_UNSPACED.match(run):
            yield from run
            yield from (run[at : at + 2] for at in range(len(run) - 1))
        elif "а" <= run[0] <= "ё" and re.fullmatch(RUSSIAN, run):
            yield stem_russian(run)
        else:
            yield run


def question_words(text: str) -> list[str]:
    """Give the words of a question that are worth looking for, each once."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    found: dict[str, None] = {}
    for run in RUNS.findall(folded):
        if run in STOPWORDS:
            continue
        if not IS_UNSPACED.match(run):
            found.update(dict.fromkeys(words(run)))
        elif len(run) == 1:
            found[run] = None
        else:
            pairs = [run[at : at + 2] for at in range(len(run) - 1)]
            telling = [pair for pair in pairs if not HIRAGANA.fullmatch(pair)]
            telling += LONE_KANJI.findall(run)
            found.update(dict.fromkeys(telling or pairs))
    return list(found)


def stem_russian(word: str) -> str:
    """Cut one ending off a word, and leave at least three letters of it."""
    stem = re.sub(RUSSIAN_ENDING, "", word)
    return stem if len(stem) >= 3 else word


def indexed(text: str) -> str:
    """Give a text as the index takes it: its words with blanks between."""
    return " ".join(words(text))
