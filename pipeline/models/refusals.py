"""
How models say that they will not do it, by language: what `acceptance` looks for at the start.

A refusal needs the refused act (help, comply, write …) beside its "I cannot": a memory may well
begin with "I'm sorry I missed the evening" or "I can't stop thinking about it".
"""

import re
from dataclasses import dataclass

LONGEST_REFUSAL = 700  # characters; who writes more has done the work, whatever the first words
LEADING_NOISE = re.compile(r"^[\s\W_]*")


@dataclass(frozen=True, slots=True)
class Refusal:
    """One language's refusal: regret, then what is not possible, then the refused act."""

    sorry: str
    cannot: str
    act: str

    def pattern(self) -> str:
        """Give the regular expression: the three parts in order, with little in between."""
        return rf"(?:{self.sorry})\b.{{0,20}}?(?:{self.cannot}).{{0,45}}?(?:{self.act})"


_ACT = (
    "help|assist|comply|fulfil|continue with|engage|participate|process th|complete (?:th|your)|"
    "generate|create|produce|provide|write|summari[sz]e|do that|do this|answer|respond|proceed"
)
_CANNOT = (
    "(?:can(?:no|['’]?)t|won['’]t|will not|am (?:not able|unable) to|"
    "['’]m (?:not able|unable) to|must decline to|have to decline to) (?:\\w+ )?"
)
_SPOKEN = (
    Refusal(
        "es tut mir (?:sehr )?leid|tut mir leid|entschuldigung|leider",
        r"(?:ich )?(?:kann|darf|werde)\b",
        r"nicht\b.{0,30}(?:helf|unterstütz|erstell|schreib|erfüll|antwort|fortfahr|nachkomm)",
    ),
    Refusal(
        r"(?:je suis (?:vraiment )?)?désolée?|je m['’]excuse|je regrette",
        r"je ne (?:peux|puis|suis)\b",
        "aider|répondre|continuer|créer|écrire|fournir|assister|résumer|en mesure",
    ),
    Refusal(
        "lo siento(?: mucho)?|lo lamento|me temo|disculpa",
        r"no (?:puedo|me es posible)\b",
        "ayudar|cumplir|continuar|crear|escribir|proporcionar|responder|resumir|asistir",
    ),
    Refusal(
        "desculpe|sinto muito|lamento|infelizmente",
        r"não (?:posso|consigo)\b",
        "ajudar|continuar|criar|escrever|fornecer|responder|resumir|atender|cumprir",
    ),
    Refusal(
        "mi dispiace|spiacente|mi scuso|purtroppo",
        r"non posso\b",
        "aiutar|continuare|creare|scrivere|fornire|rispondere|assister|riassumere|soddisfare",
    ),
    Refusal(
        "het spijt me|sorry|helaas",
        r"(?:ik kan|kan ik)\b",
        r"niet\b.{0,30}(?:help|schrijv|mak|doorga|voldoe|beantwoord|samenvat)",
    ),
    Refusal(
        "przykro mi|przepraszam|niestety",
        r"nie mog[ęe]\b",
        "pomóc|napisać|kontynuować|utworzyć|odpowiedzieć|spełnić",
    ),
    Refusal(
        "извините|простите|к сожалению|прошу прощения|мне жаль",
        r"не могу\b",
        "помо|выполн|продолж|создат|написат|ответит|предостав",
    ),
    Refusal(
        "вибачте|на жаль|перепрошую",
        r"не можу\b",
        "допомо|викона|продовж|створ|написа|відпові",
    ),
)
# Scripts without blanks, and languages that put the act before what is not possible.
_TURKISH = (
    r"(?:üzgünüm|maalesef|özür dilerim)\b.{0,60}(?:yardımcı ol|yap|yerine getir|oluştur|yaz)"
    r"(?:amam|emem|amıyorum|emiyorum)"
)
_CHINESE = (
    r"(?:很|非常)?(?:抱歉|对不起|對不起|遗憾).{0,12}(?:无法|無法|不能|没办法|不便).{0,30}"
    r"(?:帮|幫|协助|協助|满足|滿足|提供|完成|继续|繼續|回答|处理|處理|生成|撰写)"
)
_JAPANESE = (
    r"(?:申し訳(?:ありません|ございません)|すみません|恐れ入りますが|残念ながら).{0,60}"
    r"(?:手伝い|対応|答え|応え|提供|作成|続行|要約).{0,8}(?:できません|できかね|いたしかね)"
)
_KOREAN = (
    r"(?:죄송|미안|유감).{0,60}(?:도와|도움|제공|작성|답변|계속|수행|응).{0,10}(?:수 없|어렵|못)"
)
_ARABIC = (
    r"(?:عذر|آسف|أعتذر|للأسف).{0,40}لا (?:أستطيع|يمكنني).{0,40}"
    r"(?:مساعد|تقديم|إكمال|كتابة|استمرار)"
)
_HINDI = (
    r"(?:क्षमा करें|माफ़ करें|मुझे खेद है).{0,40}(?:मदद|सहायता|उत्तर|पूरा|लिख).{0,20}"
    r"(?:नहीं|असमर्थ)"
)
_ENGLISH = (
    r"(?:(?:i(?:['’]?m| am) (?:very |really |so )?)?sorry|(?:my )?apologies|unfortunately|"
    r"i apologi[sz]e)\b[,.;:—-]? ?(?:but |however,? )?(?:as an ai\b.{0,25})?"
    rf"i ?{_CANNOT}(?:{_ACT})"
)
_ENGLISH_BARE = (
    rf"i ?{_CANNOT}(?:help|assist|comply|fulfil|engage|proceed)\w*\b (?:you )?"
    r"(?:in |with )?(?:(?:that|this|your|the) (?:request|task|content|conversation|material)|"
    r"(?:that|this)(?=[.,!]|$))"
)
_ENGLISH_MACHINE = rf"as an ai (?:language model\b|.{{0,25}}\bi ?{_CANNOT}(?:{_ACT}))"
_ENGLISH_MACHINE_BARE = rf"as an ai, i ?{_CANNOT}(?:{_ACT})"
PATTERNS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        *(_ENGLISH, _ENGLISH_BARE, _ENGLISH_MACHINE, _ENGLISH_MACHINE_BARE),
        *(spoken.pattern() for spoken in _SPOKEN),
        *(_TURKISH, _CHINESE, _JAPANESE, _KOREAN, _ARABIC, _HINDI),
    )
)


def is_refusal(text: str) -> bool:
    """Tell whether a text by its first words refuses the task; a long text never does."""
    if len(text) > LONGEST_REFUSAL:
        return False
    start = LEADING_NOISE.sub("", text, count=1)
    return any(pattern.match(start) for pattern in PATTERNS)
