"""What recurs each evening, the captain who is somebody else, and what the threads are about."""

CLOSING = """
# closing
A: @T closing up, say it? | @T last one out, will you say it
T: Gun, pot, Bertram, window, latch. Lamp log for {today}: {rack} on the rack, {few} drying.
  The river keeps its light, and so do we.
A: and so do we. night all | good night Tilly
B: night! | night, see you {weekday}

# closing late
A: all off here @T | lights out @T, I'm the last
T: Thank you, {A}. Gun, pot, Bertram, window, latch. {today}: {rack} lanterns, nobody hurt.
  The river keeps its light, and so do we.
?B: and so do we | good night
A: latched!

# closing in rain
A: @T closing early, it's pouring | @T we give up for tonight, roof is dripping
T: Gun, pot, Bertram, window, latch, and a bucket under the {place}. {today}: {rack} on the rack.
T: The river keeps its light, and so do we.
B: it keeps rather a lot of water too
A: night, all | and so do we!
"""

OPENING = """
# opening
A: I'm in, lamps on | door's open, come in
?B: {minutes} minutes, bring nothing
T: Good evening, {A}. {rack} on the rack, the glue is warm, and somebody left {trash} on the bench.
A: not mine | that's {B}'s
B: I have never seen that in my life

# opening cold
A: brr. open, and the stove is on | open, stove on, bring a jumper
B: how warm is it
A: {low} by the feel of it. no, fifteen
T: Fifteen by the wall. Good evening, both. {few} lanterns dried overnight and one changed its mind.
?B: which one | changed its mind how
T: The {frame}. It prefers to be flat.

# opening with news
A: open! and the {fruit} are from {street}, help yourselves
T: Good evening, {A}. {rack} on the rack. It is {today}, so {B} will ask for the {tool}.
B: has anyone seen the {tool} | I was NOT going to ask for the {tool}
T: Second hook.

# opening alone
A: first one here | nobody yet? I'll make tea then
T: Bertram is filled. Good evening, {A}. The {paper} from {weekday} came out straight.
A: it did! | oh good, I was worried
B: on the way, {minutes} minutes

# opening short
A: open! | evening everyone, open
T: Evening, {A}. Where we stopped: the {seam} of the {frame}.
A: ah yes. joy | I had hoped it mended itself
"""

CAPTAIN = """
# captain on tides
W: Ahoy below! What does the river say tonight, log-keeper? | Captain on deck. How stands the water?
T: Good evening, Captain. {gauge} at the weir, and the coots have the right of way.
A: captain! how's the crew | ah, the captain is in
W: The crew is {few} biscuits and a cat, and the cat has mutinied.
B: sounds like last week
W>B: Last week it was {few2} biscuits. I see where this is going.
T: I enter: cat, mutiny, {hour}. Shall I inform the harbour?
W: Inform the fishmonger. | Tell them to send cream.

# captain lost
W: I seem to have mislaid a rowing boat. Green. Answers to nothing. | Has anyone seen my green boat?
A: it's where you tied it up, captain
W: That is never where things are.
T: It is tied to the second post, with {few} knots, of which one would have been enough.
W>T: The others are for company.
B: fair | can't argue with that

# captain and soup
W: The soup today had thoughts of its own. | Who salted the soup? I salute them. I weep.
A: that was {B}
B: it was a team effort
T: In the log: soup, {weekday}, "memorable".
W: That is the word they will put on my boat.

# captain's advice
A: captain, which way does one hold a {frame} in wind?
W: With the mouth to the lee and the mind on supper. | Low, and as if it were asleep.
B: that's actually right | huh. correct
T: It is right. In the log of May there is a {frame} that somebody held the other way.
W: I remember it well. It was a good flyer.
A: it went over the brewery
W: Magnificently.

# old wick
W: In my day we had no wire. We had willow, and opinions. | Back then one lamp lit a whole street.
A: good evening old wick
W: Is it? I have not been told.
T: It is {weather}, if that helps you to decide.
W>T: It does not, but you are polite. They were not so polite before you.
B: hey
W: I named no names. | I looked at nobody.
"""

THREADS = """
# who brings what
A: list for the boat: who brings what
B: rope and {snack}
C: the long lamp, and socks
A: and the {vessel}?
T: Rope, {snack}, long lamp, socks, {vessel}. {A} brings the boat, I take it.
A: I bring the boat

# programme
A: order of the evening, first draft: walk, song, lighting, boats, soup
B: soup earlier, people get cold | could soup come before the boats?
A: if soup comes first nobody walks
T: In the last three years soup came fourth. Complaints: {few}. Soup eaten: all of it.
B: fourth then | fine. fourth

# pattern step
A: step {few}: how do you fold the {seam} without a crease
B: over a pencil | over a round stick, then pull it out
A+pic: like so?
T: Like so. The pencil makes the difference between a fold and a scar.
A: putting that in the instructions | stolen for the instructions

# what went wrong
A: mine leaks at the {seam}, what did I miss
B: wax on both sides? only outside? | did you turn it while it dried
A: only outside
T: The one of last year leaked {minutes} minutes in, and had wax outside only. I would do both.
B: both, and thin
A: waxing again then | back to the stove

# Faden
A: ich sage: Faden. Klebeband löst sich im Nebel | Klebeband hält innen, das sieht keiner
B: der Fluss sieht es | Faden, immer Faden
T: Von {paar} offenen Ringen im Herbst waren alle {paar} geklebt. Ich sage nur, was im Heft steht.
C: das Heft ist parteiisch
T: Das Heft ist aus Papier und hält zu niemandem.

# 舟の提灯
A: 舟にのせる提灯は、底を重くしたほうがいいですか
B: 少しだけ。石を一つ入れます | 平たい石がいいです
A+pic: こんな感じです
T: 去年の舟は石が二つで、少し沈みました。一つがよさそうです。
A: では一つで

# Bram
A: he mustn't see the cake, who has a big fridge
B: me, bottom shelf
C: and the lantern in the shape of his hat?
T: It stands behind the ladder under a sheet marked "glue".
A: nobody looks behind the ladder
C: that's why
"""
SWAPS = """
# giving away
A: giving away: a {vessel}, hardly loved | free to a good home: one {vessel}
B: what's wrong with it
A: nothing. it just looks at me
C: I'll take it if {B} doesn't
B: take it | all yours
A: on the shelf from {hour}

# looking for
A: looking for a {tool} to borrow till {weekday} | anyone got a spare {tool}? just till {weekday}
B: mine's lent out
C: I have one with a wobbly handle
A: wobbly is fine | perfect, I wobble too
C: shelf, {hour}

# seedlings
A: {count2} tomato seedlings, please, they're taking over | seedlings! too many! help!
B: four for me
C: is it too late to plant them
A: it's never too late for hope
B: it is a bit late
A: for tomatoes yes. for hope no

# books
A: box of books on the shelf, {book} is in there twice
B: why twice | who buys it twice
A: bought it, lost it, bought it, found it
C: the circle of life
B: I'll have the less read one

# bicycle
A: does this belong to anyone: blue child's bike, bell like a duck
B: yes!! that's from next door | oh that's the bakery's
A: it's by the shelf, I pumped the tyres
B: you're a star
A: the bell really sounds like a duck

# chairs
A: who needs chairs, I have {few} folding ones | {few} chairs, only one bites
B: which one
A: the one you'll sit on
C: two for the boathouse please
A: leaving them by the shelf before {hour}
"""

UNHEARD = """
# committee
A: item one, the roof | shall we begin, item one: {chore}
B: we said {weekday}
A: we always say {weekday}
B: minutes please, {C}
C: writing

# archive
A: moved from the old forum: notes of {weekday}, {count} pages
B: thanks for saving these

# keys
A: I hand the key to you on {weekday}, {hour}
B: fine, by {place}? | ok. don't forget the back door
A: I won't
"""
