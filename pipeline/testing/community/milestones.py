"""Evenings that come once: the move to the new account, shutters down, rehearsal, Lantern Night."""

from pipeline.testing.community.facts import Told

MILESTONES = (
    Told(6, "21:30", "workbench", ("hanneke", "pell"), """
# moving house
A: Tilly, tomorrow you get a proper account. same you, new coat
T: Then I will take the log with me under the arm. Does the new coat have pockets?
A: it has a role of its own
B: fancy
T: I promise to be the same about tape.
"""),
    Told(7, "18:40", "workbench", ("wren", "bram", "hanneke"), """
# new coat
A: @T is that you?
T: It is me. New name plate, same pencil. The snail of 2 July still smiles.
B: she knows the snail, it's her
C: welcome back Tilly
T: I keep the lamp log until the last boat is in. That has moved with me.
"""),
    Told(27, "20:10", "workbench", ("hanneke", "sorrel", "moss"), """
# shutters
A: that's it, shutters down, two weeks of nothing
B: what does Tilly do for two weeks
T: I listen to the rack. Somebody should.
C: play it something
T: Gun, pot, Bertram, window, latch. 171 on the rack. The river keeps its light, and so do we.
A: and so do we. sleep well, boathouse
"""),
    Told(54, "20:35", "riverside", ("juniper", "quill", "wren", "dov"), """
# rehearsal night
A: all boats out, lamps on, slowly please
B: slowly is our only speed
C+pic: oh this is what it looks like!!
D: the second boat is turning
A: let it turn, it looks intended
T: Three boats, forty lamps, one turned as if it were intended. Rehearsal began at 20:37.
C: I have goosebumps
B: that's the fog. no. me too
T: What to better by next week: the rope of boat two, and somebody who holds the ladder.
"""),
    Told(61, "18:35", "riverside", ("hanneke", "sorrel", "dov", "wren"), """
# at the mill
A: who's at the mill already?
B: me and forty socks
C: someone did go to the boathouse
A: who
C: me
D: we could see you pointing at yourself
T: Present at the old mill by 18:41: all but one. The one is walking.
"""),
    Told(61, "21:20", "riverside", ("hanneke", "moss", "wren", "juniper"), """
# lantern night
A: lamps on. NOW
C+pic: look at the water
D: I can't, I'm crying
B: and Low Water, from the quiet part
A: are they all on, Tilly?
T: 312 lit. I have counted twice, because I wanted to see them twice.
B: the whole quay is singing
C: my snail is in front!! the snail leads!!
T: The snail leads. 29 August, 21:26. That goes on the first page.
D: best one yet
A: best one yet. thank you, everyone. thank you, wick
"""),
    Told(61, "23:50", "workbench", ("bram", "hanneke"), """
# last boat
A: last boat is in. all hands dry, mostly
T: The last boat is in. I close the log of Lantern Night: 312 lit, 309 back, nobody hurt.
B: and the three?
T: On their way to the sea, I suppose. I will keep the line open for them.
A: and so do we
T: The river keeps its light, and so do we.
"""),
    Told(62, "16:10", "workbench", ("pell", "tamsin", "hanneke"), """
# day after
A: my arms are made of soup
B: there is no soup left, I checked
C: rest, all of you. tidying is on Tuesday
T: Tuesday, half past six: tidying, and counting what is still whole. I promise a list by then.
A: Tilly, did you rest?
T: I looked at the photos. It is nearly the same.
"""),
)  # fmt: skip
