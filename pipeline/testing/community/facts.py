"""
What can be asked later: scenes that tell something once, and the question that asks for it.

A fact is told in a line tagged `+fact`; a changed one is told twice, and the newest counts.
Days count from the first Monday, hours are local.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Told:
    """A scene that is had once: when, where, by whom (roles A, B, … in order), and its lines."""

    day: int
    clock: str
    room: str  # a room's or thread's name, or "dm:PERSON"
    cast: tuple[str, ...]
    text: str
    fact: str | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """A question about what was told, and the answer that counts."""

    key: str
    kind: str  # fact | date | number | changed
    question: str
    answer: str
    is_private: bool = False


ASKED = (
    Asked("founder", "fact", "Who founded the lantern club?", "Aldous Penn, a ferryman"),
    Asked("kettle", "fact", "What is the kettle in the workshop called, and why?",
          "Bertram, after the harbour master who whistled"),
    Asked("wire", "fact", "Where did the copper wire come from?",
          "from Sorrel's uncle at the tram depot"),
    Asked("kakishibu", "fact", "What did Yuki brush on paper so that it holds in the rain?",
          "persimmon tannin (kakishibu, 柿渋)"),
    Asked("paste", "number", "How many parts of water go with one part of rice flour in the paste?",
          "7"),
    Asked("gauge", "number", "Above which reading of the weir gauge does nothing go on the water?",
          "1.85 metres"),
    Asked("ofen", "number", "Bei wie viel Grad trocknet Otto die großen Rahmen?", "82 Grad"),
    Asked("ribs", "number", "How many ribs does the large heron have?", "16"),
    Asked("banner", "fact", "Who sewed the heron banner?", "Tamsin and Dov"),
    Asked("wren", "date", "When did Wren finish her first lantern?", "2 July 2026"),
    Asked("scorch", "date", "On which day did a tea light scorch the star lantern?",
          "11 July 2026"),
    Asked("goal", "changed", "How many lanterns shall hang on Lantern Night?", "312"),
    Asked("meeting", "changed", "Where does everybody meet before Lantern Night?", "the old mill"),
    Asked("song", "changed", "Which song opens Lantern Night?", "Low Water"),
    Asked("lights", "changed", "What burns inside the lanterns on the water?",
          "warm white LEDs, 2700 kelvin"),
    Asked("rehearsal", "date", "When is the rehearsal on the river?", "22 August 2026"),
    Asked("spare key", "fact", "Where is the spare key of the boathouse kept?",
          "in the otter's mouth above the rain barrel", is_private=True),
    Asked("cash", "number", "How much money was in the club's box in July?", "1384",
          is_private=True),
    Asked("surprise", "date", "When was the surprise for Bram?", "17 July 2026",
          is_private=True),
    Asked("operation", "date", "On which day is Hanneke's mother operated on?",
          "3 August 2026", is_private=True),
    Asked("band", "fact", "What was the name of Moss's old band?", "The Tin Herons",
          is_private=True),
    Asked("kanazawa", "date", "When does Yuki move to Kanazawa?", "April 2027", is_private=True),
)  # fmt: skip


TOLD = (
    Told(0, "19:20", "workbench", ("hanneke", "pell"), """
# founding
A: everybody, this is Tilly, she'll keep the lamp log from tonight on
B: hello Tilly! do you know where you have landed?
T: In a boathouse with a kettle and a purple owl, as far as I can tell. Good evening.
A+fact: for your log: the club was founded in 1987 by Aldous Penn, a ferryman, with six jam jars
T: Aldous Penn, ferryman, 1987, six jam jars. It is the first line now.
B: and what do you promise us
T: I keep the lamp log until the last boat is in.
A: good. I'll hold you to that
""", "founder"),
    Told(1, "20:05", "workbench", ("bram", "quill"), """
# kettle
A: Tilly should know about the kettle before she meets it
B+fact: it's called Bertram, after the harbour master who whistled at everybody
T: Bertram, harbour master, whistles. Does he have any faults?
A: slow and proud
T: Noted: slow, proud, called Bertram.
""", "kettle"),
    Told(3, "19:40", "workbench", ("wren", "ines"), """
# first lantern
A+pic+fact: it's done!! my very first one, today, a snail, it stands up by itself
B: look at it. it even has a smile
T: Wren, first lantern, a snail with a smile, Thursday the second of July. Welcome to the rack.
A: I'm going to cry on the glue
""", "wren"),
    Told(4, "20:15", "workbench", ("sorrel", "dov"), """
# copper
A+fact: the copper wire is here! two whole rolls, from my uncle at the tram depot, for nothing
B: tram wire, that will outlive us
T: Two rolls, from Sorrel's uncle at the tram depot. Please thank him in my name.
A: he wants a lantern in the shape of a number 4 tram
T: Then he shall have one.
""", "wire"),
    Told(8, "18:55", "workbench", ("ines", "wren"), """
# paste
A: before I forget again, the paste, Tilly please write it down properly this time
A+fact: one part rice flour, seven parts water, cold first, then slowly hot
T: One to seven, cold first. I have crossed out the three older versions.
B: there were three?
T: One of them said "until it looks sad".
""", "paste"),
    Told(9, "21:15", "提灯の間", ("yuki", "haruto"), """
# 柿渋
A+fact: 雨に強くするには、紙に柿渋を塗ります。二回、乾かしながら。
B: 柿渋、色もいいですよね
T: 雨の紙には柿渋を二回。ゆきさんの方法として記録します。
A: 少しにおいますけど
T: においのことも書いておきます。
""", "kakishibu"),
    Told(10, "19:15", "workbench", ("hanneke", "juniper"), """
# how many
A: we talked it over, the number for Lantern Night is fixed
A+fact: it's 240 lanterns this year, one for every house on the old map
B: 240. ok. breathe
T: 240 for Lantern Night on the twenty-ninth of August. I have drawn a line on the rack.
""", "goal"),
    Told(12, "20:40", "workbench", ("pell", "tamsin"), """
# scorch
A+fact: small alarm, a tea light just scorched the star lantern, it's out, nobody hurt
B: is the star still a star
A: three and a half points
T: Saturday, the eleventh of July, star lantern, tea light, nobody hurt. The window is open?
A: open. smells like toast
""", "scorch"),
    Told(13, "19:05", "workbench", ("pell", "hanneke"), """
# no more flames
A: after yesterday, can we please decide what burns in them
A+fact: I'd say beeswax candles in glass, nothing open any more
B: beeswax in glass, agreed for now
T: Inside the lanterns on the water: beeswax in glass. Agreed tonight, for now.
""", "lights"),
    Told(14, "18:10", "werkstatt", ("otto", "frieda"), """
# ofen genau
A: @T schreib das bitte auf, bevor es wieder jemand verstellt
A+fact: die großen Rahmen trocknen bei 82 Grad, vierzig Minuten, Tür einen Spalt offen
B: einen Spalt heißt ein Löffelstiel
T: 82 Grad, vierzig Minuten, Tür einen Löffelstiel offen. Steht jetzt auf der ersten Seite.
""", "ofen"),
    Told(15, "20:10", "riverside", ("quill", "hanneke"), """
# gauge rule
A: who decides when it's too high for the boats
B+fact: the rule is 1.85 metres at the weir gauge, above that nothing goes on the water, no boat
B: not even the good one
T: 1.85 at the weir, then nothing. I shall say so before anybody asks.
A: even if the captain begs
T: Especially then.
""", "gauge"),
    Told(15, "21:50", "keyholders", ("hanneke", "bram", "juniper"), """
# where the key is
A+fact: so that we all know: the spare key is in the otter's mouth above the rain barrel
B: the wooden otter?
A: the wooden one. the other one bites
T: Kept here and nowhere else.
C: good, I always forget
""", "spare key"),
    Told(16, "20:30", "workbench", ("tamsin", "dov"), """
# banner
A+pic+fact: the heron banner is ready, Dov and I sewed the last metre at lunch
B: my thumbs are dead
T: Heron banner, sewn by Tamsin and Dov, finished today. It is longer than the boat.
A: everything is longer than the boat
""", "banner"),
    Told(18, "14:10", "meeting for Bram", ("juniper", "hanneke", "moss"), """
# today
A+fact: so it's today, the seventeenth, seven o'clock, for Bram, and he thinks it's stocktaking
B: he has asked me twice whether to bring a pencil
C: I have the accordion under a coat
T: Friday, 17 July, seven. I know nothing of it in any other room.
""", "surprise"),
    Told(18, "22:05", "keyholders", ("bram", "hanneke"), """
# box in july
A+fact: counted twice, there are 1384 in the box, to be exact, and a button
B: whose button
T: 1384 and a button. Stays in here.
""", "cash"),
    Told(20, "23:20", "dm:hanneke", ("hanneke",), """
# date
A: they gave us a date for mum
A+fact: the operation is on the third of August, in the morning
T: Monday, the third of August. Shall I be the one who asks how she is, after the break?
A: yes. please. nobody else will dare
T: Then I will.
""", "operation"),
    Told(22, "19:55", "riverside", ("hanneke", "wren", "sorrel"), """
# where to meet
B: where do we actually meet on Lantern Night?
A+fact: at the boathouse, as every year, half past six
C: boathouse, half past six, warm socks
T: Lantern Night: meeting at the boathouse, half past six. Warm socks are Sorrel's addition.
""", "meeting"),
    Told(23, "22:40", "dm:moss", ("moss",), """
# band
A: did I ever tell you I used to play on real stages
A+fact: we were called The Tin Herons, four of us, until Ghent
T: The Tin Herons. What happened in Ghent?
A: I forgot every word of every song
T: You know a lot of words since. I will keep the name to myself.
""", "band"),
    Told(24, "20:20", "lantern-hall", ("moss", "ines", "pell"), """
# which song
A+fact: we open with The Weir Road on Lantern Night, everybody knows it
B: everybody knows the first verse
C: that's the verse we need
T: Opening song: The Weir Road. First verse, loudly.
""", "song"),
    Told(25, "21:00", "Heron, large", ("dov", "wren"), """
# ribs
B: how many ribs does this one need, the drawing is smudged
A+fact: sixteen, the large heron has sixteen ribs, eight a side
T: Sixteen ribs, eight a side. I shall write it on the drawing as well.
""", "ribs"),
    Told(42, "19:10", "workbench", ("hanneke", "pell", "quill"), """
# back from summer
A: good evening everybody! the shutters are up again
B: two weeks without glue, I have skin on my fingers again
C: I missed Bertram
T: Welcome back. It was very quiet; the rack creaked on the fifth day. I kept the log open.
A+fact: news: the council gives us the second quay. so it's 312 lanterns now, no longer 240
B: 312!!
T: The number for Lantern Night is 312 from today. I move the line on the rack.
C: move it gently
""", "goal"),
    Told(43, "19:30", "workbench", ("pell", "bram"), """
# leds
A: the fire brigade has written. no flames on the water at all
A+fact: so it's LEDs inside, warm white, 2700 kelvin, Bram has ordered a box. beeswax is out
B: four hundred of them, arriving Thursday
T: Inside the lanterns: LEDs, warm white, 2700 kelvin. Beeswax crossed out, with regret.
""", "lights"),
    Told(45, "20:35", "lantern-hall", ("moss", "tamsin"), """
# another song
A: the accordion and The Weir Road don't get on, I tried all summer
A+fact: let's open with Low Water instead, it starts quietly and everyone can join
B: Low Water it is
T: Opening song is now Low Water. The Weir Road moves to the walk home.
""", "song"),
    Told(47, "20:05", "riverside", ("hanneke", "dov", "ines"), """
# mill
A+fact: they're painting the boathouse, so on Lantern Night we all meet at the old mill
B: the old mill, same time?
A: half past six, same socks
T: Meeting point is now the old mill, half past six. The boathouse will be wet paint.
C: somebody will still go to the boathouse
T: I will ask somebody to stand there and point.
""", "meeting"),
    Told(48, "08:20", "dm:yuki", ("yuki",), """
# 引っ越し
A: まだ誰にも言っていないのですが
A+fact: 来年の四月に金沢へ引っ越します。2027年の四月です。
T: 2027年四月、金沢。話してくれてありがとうございます。
A: クラブのみんなには、自分で言いたいです
T: もちろんです。ここだけにしまっておきます。
""", "kanazawa"),
    Told(49, "19:20", "workbench", ("juniper", "hanneke"), """
# rehearsal
A+fact: the rehearsal on the river is on Saturday the 22nd of August, half past eight
B: with boats?
A: with boats, without soup
T: Rehearsal: Saturday, 22 August, half past eight, boats but no soup.
""", "rehearsal"),
)  # fmt: skip
