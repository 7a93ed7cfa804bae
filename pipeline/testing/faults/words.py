"""The words of the invented pyramids: people, things, and what may be said of them."""

from dataclasses import dataclass

PEOPLE = ("Odile", "Bram", "Sunniva", "Teodor", "Wanda", "Kasimir", "Pilar", "Joris")
SYLLABLES = """
bar del fin gol hus jem kor lum mav nib ost pel rud sif tov ulm vex wik yar zon
""".split()  # noqa: SIM905 - a list of words is read more easily so


@dataclass(frozen=True, slots=True)
class Tongue:
    """How one language tells a fact: as talk, as somebody's deed, as one's own."""

    name: str
    talk: tuple[str, ...]  # {x}, {y}: things; {n}: a number
    memory: tuple[str, ...]  # {who} beside them
    own: tuple[str, ...]
    joint: str
    chatter: tuple[str, ...]  # what is said beside the facts


ENGLISH = Tongue(
    "english",
    (
        "the {x} is leaking again, somebody should wrap a {y} round it",
        "guess what, my {x} finally arrived and it came with {n} of those {y} screws",
        "has anyone seen the {x}? it was lying beside the {y} yesterday morning",
        "I sold the {x} for {n} crowns at the {y} fair, can you believe that",
        "we could paint the {x} in {y} green before the guests turn up",
        "my cousin says a {x} never fits a {y} unless you soak it first",
        "the {x} club moved to {n} Harbour Row, right above the {y} shop",
        "no way, they closed the {x} museum because of the {y} in the cellar",
    ),
    (
        "{who} complained that the {x} leaked and wanted a {y} wrapped round it.",
        "A parcel came for {who}: the {x}, with {n} of the {y} screws.",
        "{who} looked everywhere for the {x}, last seen beside the {y}.",
        "At the {y} fair {who} got {n} crowns for the {x}.",
        "{who} suggested painting the {x} in {y} green before guests came.",
        "According to a cousin of {who}, soaking comes first if a {x} should fit a {y}.",
        "{who} told us of the new rooms of the {x} club, {n} Harbour Row above the {y} shop.",
        "It upset {who} that the {x} museum closed over the {y} in the cellar.",
    ),
    (
        "I offered to look after the {x} and the {y}.",
        "I explained to them how a {x} and a {y} belong together.",
        "I was glad about the {x}, and less so about the {y}.",
    ),
    " ",
    (
        "ha, that is so typical of this place, tell me more when you are back",
        "sounds like a plan, count everybody in for that, with cake if possible",
        "wait, really? nobody ever tells anybody anything in here, as usual",
    ),
)
GERMAN = Tongue(
    "german",
    (
        "die {x} tropft schon wieder, da muss jemand eine {y} drumwickeln",
        "stellt euch vor, meine {x} ist endlich da, mit {n} von diesen {y}-Schrauben",
        "hat jemand die {x} gesehen? sie lag gestern noch neben der {y}",
        "ich habe die {x} auf dem {y}-Markt für {n} Kronen verkauft",
    ),
    (
        "{who} klagte, dass die {x} tropft, und wollte eine {y} darum haben.",
        "Bei {who} kam die {x} an, mit {n} der {y}-Schrauben.",
        "{who} suchte überall nach der {x}, die neben der {y} gelegen hatte.",
        "Auf dem {y}-Markt bekam {who} für die {x} genau {n} Kronen.",
    ),
    (
        "Ich bot an, auf die {x} und die {y} aufzupassen.",
        "Ich freute mich über die {x}, weniger über die {y}.",
        "Ich erklärte ihnen, wie {x} und {y} zusammengehören.",
    ),
    " ",
    (
        "na das ist ja mal wieder typisch, erzähl uns mehr davon, wenn du zurück bist",
        "klingt gut, da sind wir alle gerne dabei, am liebsten natürlich mit Kuchen",
    ),
)
JAPANESE = Tongue(
    "japanese",
    (
        "{x}がまた漏れているから、誰か{y}を巻いておいてよ",
        "やっと{x}が届いたよ、{y}のねじが{n}本ついてきた",
        "{x}を見なかった？昨日は{y}のとなりに置いてあったのに",
    ),
    (
        "{who}は{x}が漏れていると言い、{y}を巻いてほしがった。",
        "{who}のところに{x}が届き、{y}のねじが{n}本ついていた。",
        "{who}は{y}のとなりにあった{x}をずっと探していた。",
    ),
    ("私は{x}と{y}の番をすると言った。", "私は{x}がうれしく、{y}は少し苦手だった。"),
    "",
    (
        "それはまたいつもの話だね、帰ってきたらもっとくわしく聞かせてくださいね、みんな待っているから",
        "いいね、みんなで行こうよ、できればおいしいケーキもいっしょに持っていきたいな",
    ),
)
TONGUES = (ENGLISH, GERMAN, JAPANESE)
KANA = "あいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまみむめもやゆよらりるれろ"
# Every few stretches the same thing truly happens and is told: no litany.
RITUAL_TALK = "market breakfast at the ferry steps again, Wanda pours the cider and Joris plays"
RITUAL_MEMORY = "We had market breakfast at the ferry steps, Wanda poured cider and Joris played."
SONG = "row me over, row me under, seven herons in the thunder"
SONG_TALK = "everyone now: row me over, row me under, seven herons in the thunder!"
SONG_MEMORY = "They all sang “row me over, row me under, seven herons in the thunder”."
FORMAL = ("This is what I remember of that time.", "So much for that day, as I remember it.")
