"""The words that fill the slots of a scene; a name with a digit draws another of the same kind."""

from random import Random

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")

WORDS: dict[str, tuple[str, ...]] = {
    "weekday": WEEKDAYS,
    "paper": (
        "mulberry paper", "thin kozo", "rice paper", "baking parchment", "blue tissue",
        "oiled paper", "old map paper", "glassine", "wallpaper lining", "tea-stained paper",
    ),
    "frame": (
        "heron frame", "boat frame", "star frame", "fish frame", "pumpkin frame", "moon frame",
        "owl frame", "tulip frame", "snail frame", "kite frame", "bell frame", "pear frame",
    ),
    "seam": (
        "lower seam", "third rib", "top ring", "left wing", "tail", "bottom hoop", "long fold",
        "collar", "inner ring", "back edge",
    ),
    "tool": (
        "bone folder", "flush cutter", "long-nose pliers", "awl", "spray bottle", "small clamp",
        "hog-hair brush", "heat gun", "tape measure", "splitting knife", "spirit level",
    ),
    "spot": (
        "the shelf above the sink", "the drawer with the string", "the biscuit tin",
        "the hook behind the door", "the window sill", "the red crate", "the top of the fridge",
    ),
    "trash": (
        "a dried pea", "three bus tickets", "somebody's reading glasses", "half a candle",
        "a very old plaster", "a note that says 'NOT HERE'", "one glove",
    ),
    "place": (
        "stove", "long table", "coat hooks", "ladder", "north window", "doorway", "piano stool",
    ),
    "vessel": (
        "soup pan", "blue basin", "watering can", "salad bowl", "enamel jug", "foot bath",
    ),
    "colour": ("ochre", "river green", "brick red", "indigo", "bone white", "plum", "rust"),
    "snack": (
        "plum cake", "cheese scones", "salted liquorice", "apricot buns", "cold pancakes",
        "walnut bread", "ginger biscuits", "lentil pasties", "cherry slice", "oat bars",
    ),
    "weather": (
        "drizzle since noon", "a dry west wind", "fog on the water", "sticky, still air",
        "bright but gusty skies", "thunder over the fields", "a pale sun", "proper rain",
    ),
    "street": (
        "Ferry Lane", "Cooper's Row", "the weir bridge", "Mill Street", "the towpath",
        "Saddler's Yard", "Chandler's Steps", "the allotments",
    ),
    "animal": (
        "the grey heron", "two otters", "a family of coots", "the lame swan", "a kingfisher",
        "a very wet dog", "an eel as long as my arm", "the brewery cat", "a bat in daylight",
    ),
    "excuse": (
        "the bus never came", "the cat is asleep on my coat", "I have the landlord on the phone",
        "my sister is visiting", "I promised to fix a tap", "I have dough rising",
        "the little one has a fever", "I worked the early shift", "my knee says no",
    ),
    "song": (
        "The Weir Road", "Nine Lamps", "Low Water", "The Brewer's Daughter", "Paper Moon Rising",
        "Hauling Day", "The Ferryman's Cat",
    ),
    "book": (
        "The Salt Ferry", "A House on Stilts", "Winter Weights", "The Lock-Keeper's Year",
        "Small Harbours", "The Second Oar",
    ),
    "film": (
        "The Night Barge", "Two Kettles", "A Bridge for Ada", "The Long Reed", "Goose Summer",
    ),
    "ailment": (
        "stiff neck", "sore wrist", "a headache behind one eye", "hay fever", "a bad shoulder",
        "a thumb full of splinters",
    ),
    "bus": ("41", "late bus", "number nine", "ferry bus", "school bus"),
    "fruit": ("cherries", "red currants", "apricots", "early plums", "gooseberries", "peas"),
    "chore": (
        "painting the fence", "my tax papers", "moving a wardrobe", "clearing the cellar",
        "the dentist", "my cousin's move", "mowing what used to be a lawn",
    ),
    "nth": ("third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"),
    "hour": (
        "seven", "half past seven", "eight", "quarter to nine", "half past six", "ten past eight",
        "a quarter past seven",
    ),
    "gauge": ("1.12 m", "1.18 m", "1.24 m", "1.31 m", "1.07 m", "1.40 m", "1.36 m"),
    "farbe": ("Blau", "Ocker", "Grün", "Rostrot", "Pflaumenblau", "Weiß"),
    "tag": ("Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag"),
    "ort_de": (
        "hinter dem Regal", "im Garten", "auf der Fensterbank", "am Steg", "unter der Treppe",
        "im Vorraum", "neben dem Waschbecken",
    ),
    "rahmen": ("Reiher", "Stern", "Kahn", "Mond", "Fisch", "Kürbis", "Glocken-Rahmen", "Igel"),
    "stelle": ("Naht", "Rippe", "Schwanzfeder", "Kante", "Biegung"),
    "essen": ("Brezeln", "Zwetschgenkuchen", "Käsestangen", "Apfeltaschen", "Kartoffelsalat"),
    "wetter": ("Nieselregen", "Windig und hell", "Nebel", "Gewitter im Anzug", "Schwül"),
    "ausrede": (
        "der Zug ist ausgefallen", "die Kleine hat Fieber", "ich habe Spätschicht",
        "mein Rücken streikt", "ich warte auf den Handwerker", "die Katze liegt auf der Jacke",
    ),
    "werkzeug": (
        "das Falzbein", "der Seitenschneider", "die kleine Zange", "die Ahle", "der Leimpinsel",
        "die Wasserwaage", "das Spaltmesser",
    ),
    "uhr": ("sieben", "halb acht", "acht", "Viertel vor neun", "neun"),
    "pegel": ("1,12 m", "1,19 m", "1,25 m", "1,33 m", "1,08 m"),
    "kami": ("楮の薄紙", "和紙", "油紙", "古い地図の紙", "白い紙"),
    "hone": ("鷺の骨組み", "月", "魚", "舟", "星", "ふくろう", "南瓜"),
    "dougu": ("竹割りナイフ", "へら", "小さいはさみ", "糊の刷毛", "霧吹き", "目打ち"),
    "tenki": ("小雨", "いい風", "霧", "蒸し暑い", "薄曇り", "夕立"),
    "youbi": ("月曜日", "火曜日", "水曜日", "木曜日", "金曜日", "土曜日", "日曜日"),
    "jikan": ("七時", "七時半", "八時", "六時半"),
    "okashi": ("大福", "クッキー", "水ようかん", "どら焼き", "レモンケーキ"),
    "suii": ("1.12メートル", "1.20メートル", "1.28メートル", "1.35メートル"),
}  # fmt: skip

RANGES = {
    "minutes": (6, 55), "count": (61, 239), "count2": (24, 59), "few": (3, 9), "low": (38, 54),
    "deg": (16, 21), "grad": (64, 96), "minuten": (10, 45), "paar": (3, 9), "zahl": (61, 239),
    "kazu": (61, 239), "sukoshi": (3, 9), "fun": (10, 40),
}  # fmt: skip


def draw(slot: str, rng: Random, taken: set[str]) -> str:
    """Draw a word for a slot, none that the scene has already; KeyError for an unknown one."""
    kind = slot.rstrip("0123456789")
    if slot in RANGES or kind in RANGES:
        low, high = RANGES.get(slot) or RANGES[kind]
        choices = [str(n) for n in range(low, high + 1)]
    else:
        choices = list(WORDS[kind])
    free = [choice for choice in choices if choice not in taken]
    return rng.choice(free or choices)
