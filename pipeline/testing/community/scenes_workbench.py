"""
What is said at the workbench: torn paper, cold glue, lost tools, and Tilly who wrote it down.

The notation is that of `script`: `A:` a person of the scene, `T:` the agent, `A>T:` a reply,
`+pic` and the like what hangs on it, `?` a line that may be left out, ` | ` another wording.
"""

SCENES = """
# torn paper
A: the {paper} on the {frame} tore again, right along the {seam} | well. the {frame} split at
  the {seam} while I was looking straight at it
B: did you wet it before you stretched it? | how wet was it when it went on
A: damp, not dripping. like the card says | I misted it twice and waited, I swear
?C: mine did that when I hung it near the stove | the stove side of the room dries too fast
A: @T what did we write down last time about {paper}?
T>A: Last time it held when you misted it, counted to forty, and pulled from the middle outwards.
  | My note says: {paper} first damp, then patient. It tore for everyone who began at a corner.
A: from the middle. of course. I went corner to corner | I always start at the corner, that's why
B: everybody starts at the corner once | corners are where the hope is
T: I will put it down as one more {frame} and one more lesson. That makes {rack} on the rack.
?A: put it down as the fault of the {paper} please
T: I have written "the {paper} says it was {A}".

# cold glue
A: glue pot is at {low} degrees again and it sets like old porridge
  | the glue has gone to string again, who turned the pot down
B: it was fine at {hour} | not me, I only came in for the {tool}
A: it wants sixty. it had {low}
T: Sixty to sixty-five, the label says, and below fifty-five it strings. I have it from Ines.
D: I may have unplugged it for the radio | ...the plug was in the way of the kettle
A: {D}!! | I knew it | every single week
D: in my defence the radio was playing {song}
B: that is no defence | weak. but I respect it
T>D: The pot and the radio can share the block by the window. The kettle cannot, Bertram trips it.
?A: long live Bertram
D: plugged back in. give it {minutes} minutes | back on, I'm watching it like milk

# lost tool
A: has anyone seen the {tool} | who walked off with the {tool} this time
B: not since {weekday} | I had it on {weekday} and I put it back. I did
C: look on {spot} | it lives on {spot} now apparently
A: not there, only {trash}
A: @T you keep the tool book, who signed the {tool} out?
T: Nobody signed it out. The last name beside it is {B}, on {weekday}, returned at {hour}.
  | The book says {C} had it {weekday} and drew a small fish instead of a signature.
C: that is my signature | the fish is legally binding
A: found it. it was in the sleeve of my coat. please say nothing
  | oh. it's in my apron pocket. it has been there all along
T: I say nothing. I write it down: {tool}, found, pocket.
B: every time

# counting the rack
A: how many are we at | where do we stand, roughly
T: {rack} on the rack tonight, {few} still without a bottom, {few2} drying by the window.
  | Rack: {rack}. Drying: {few}. Waiting for a bottom hoop: {few2}. Hopeless: one, the purple owl.
B: the purple owl is not hopeless | leave the owl alone
C: it has three eyes | it has no beak {B}
B: it has character
A: so if we do {few} an evening we get there with days to spare
T: With {few} an evening and nobody ill, yes. I would plan for somebody being ill.
?C: cheerful as ever | Tilly the optimist
T>C: I am an optimist with a pencil.

# bamboo day
A: new bamboo came, {count2} rods, half of them green | the bamboo is here and it is not what
  we ordered
B: green splits easier but it shrinks | green is fine for rings, bad for ribs
A: I'd use the green for hoops and keep the dry for anything long
C: can someone show me how to split without losing a thumb
B: knife still, rod moving. never the other way round | you push the rod, not the knife
T: Two splinters and one plaster since June, all from doing it the other way round.
C: who was the plaster | was it {A}
A: it was a very small plaster
T: It was {A}, and the plaster had ducks on it.
?B: the ducks stay in the log

# the sample
A+pic: first try with {paper} on the {frame}, thoughts? | ok here is the {frame}, be kind
B: oh that glows nicely at the {seam} | the light goes right through, lovely
C: bottom looks a bit loose though | is it leaning or is that the photo
A: both | it's the table that leans
A>B: thanks! took me {minutes} minutes just for the {seam}
T: It leans four degrees if the shelf behind it is straight. The shelf is not straight.
  | I like the {seam}. If you turn the hoop a finger's width to the left, the lean is gone.
A: I will turn the hoop and blame the shelf

# who can open
A: anyone around at {hour} {weekday}? I want to finish the {frame}
B: I can open up but I have to go at nine | I have the key till nine
A: nine is enough | perfect
D: I'd come too if someone brings {snack}
A: bribery | every time with the {snack}
A: @T put us down for {weekday} please
T: {weekday}, {hour}: {A}, {B}, and {D} if there is {snack}. Noted in pencil.
D: in pencil? | pencil, how dare you
T>D: You have been ink twice and came neither time.
B: ouch | the log remembers

# wire talk
A: is the copper wire for everyone or is it set aside | can I use the copper
B: it's for the big ones, use the steel for the small ones
C: steel rusts on the water | steel after one night outside looks a hundred years old
B: then wax it. {minutes} seconds over a candle and rub
T: We have {count2} metres of steel and about {few} of copper. I would spend the copper on handles.
A: handles it is | ok, copper handles, steel ribs
?C: and a candle for the wax

# rain on the roof
A: it's coming through above the {place} again | drip drip drip. the {place} again
B: bucket | where's the bucket
A: bucket has paste in it
C: who makes paste in the bucket | WHO | not the bucket
B: use the {vessel} then | take the {vessel}, nobody loves the {vessel}
T: The roof drips at the {place} when the wind is west and it rains longer than {minutes} minutes.
  That is the {nth} time this summer.
A: somebody should tell the council | has anyone written to the council
B: I wrote to the council in May
T: And in March, says the folder. They answered that the matter was in good hands.
?C: whose
T: They did not say.

# ribs and rings
A: how far apart did you set the ribs on yours, {B}?
B: a hand and a bit | about eleven centimetres, less at the {seam}
A: mine are a hand and it sags at the {seam}
C: then the ring's too soft, not the ribs
A: hm | could be
C: double it and bind with thread, not tape | tape lets go as soon as it's damp
A: @T is that right about the tape?
T: {few} lanterns came back with open rings last autumn and all {few} had tape. So yes.
A: thread then | fine, thread, my fingers thank you
T: There is waxed thread on {spot}, the good one.

# colours
A: which {colour} is this supposed to be, it says {colour2} on the tin
B: that tin has been lying since before I joined | never trust that tin
C: mix it with a bit of {colour2} and nobody will know | add white, then water, then hope
A: on the {frame}? it'll look like a bruise
T: The last {colour} dried two shades darker. A strip on the window first would tell you.
A: right, strip on the window. back in {minutes} minutes
A: ok it's nice actually | update: it dried well, I apologise to the tin
T: The tin has heard it.

# small disaster
A: so I may have sat on the {frame} | nobody panic. the {frame} met the {place}
B: how bad | photo or it didn't happen
A+pic: this bad
C: that's flat | ...that's a kite now
B: kite is good. we have no kites
T: Two ribs, maybe three. {minutes} minutes with thread, I would guess, and a cup of tea first.
A: can it be saved though
T>A: Everything on that rack has been something else before. Yes.
?C: put that on a mug | that's going on the wall

# somebody new
A: hi! is this where one asks about joining an evening? | hello, I was told to ask here first
B: welcome! yes, come by any {weekday} | hey, welcome. just turn up, really
A: do I have to be good with my hands
C: no | nobody here is | you should see the owl
T: Welcome. Bring nothing but sleeves that may get paste on them. We begin at half past seven.
A: and there's tea?
B: there's Bertram | define tea
T: Bertram is the kettle. He is slow and proud. Ask for him by name.
A: I like this place already | ok I'm coming

# paste recipe talk
A: paste is lumpy, did I stir too late | my paste has islands in it
B: cold water first, then heat, never the other way | you poured it hot, didn't you
A: I poured it hot
T: Cold, slowly, and stir until your arm complains. Then once more.
C: a sieve fixes all sins | push it through the tea strainer
B: not the tea strainer!! | {C} that strainer is for tea
C: it was for tea
?T: That explains {weekday}.

# light test
A: lights off for a second please, testing the {frame} | can I have the dark for {minutes} seconds
B: done | dark!
A+pic: look at that
C: ohh | oh that is good | ok wow
B: the {seam} shows a shadow, is that the knot?
A: yes, I'll move it to the back
T: I count that as finished then. Number {rack}, {A}, {frame}, knot to the back.
A: number {rack}! | it has a number, it's real
T: It has been real since the second rib.

# order list
A: I'm at the shop, what do we need | going past the hardware shop at {hour}, list?
B: thread, and the thin {paper}
C: and {snack} | {snack}!!
A: that is not hardware
T: Thread, {count2} metres of it. Two of the soft brushes. Bulbs for the corridor. No more glue.
A: no more glue? | we always need glue
T>A: There are {few} tins behind the ladder. Everybody buys glue because nobody looks there.
B: behind the ladder?? since when
T: Since spring.
A: got it all. and {snack}, because I'm weak | done, {few2} bags, someone open the door

# quiet evening
A: anyone else in? very quiet here | just me and the {frame} tonight
T: I am here. The rack makes a small noise when the paper dries, if you listen.
A: oh it does | like someone folding a letter
T: {rack} of them and each a little different. I cannot hear it, but people tell me every year.
A: I'm stuck at the {seam} anyway | not much happening with the {seam}
T: Leave it wet and go home, I would say. It will be a better seam at {hour} tomorrow.
A: you always say that
T: And it always is.

# argument about tape
A: I still say double-sided tape is fine for the inside
B: no | never | absolutely not
A: on the inside nobody sees it
B: the damp sees it | water sees it {A}
C: can we not do the tape thing again | not the tape thing please
T: For the record: this is the {nth} tape discussion. Three were won by thread, none by tape.
A: history is written by the thread people
B: and it holds
?T: That is a good line, I am keeping it.

# safety
A: who left the heat gun on | heat gun was still warm when I came in, at {hour}
B: I was last but I didn't use it
C: me. sorry. I thought I'd flicked it off | that was me, I'm so sorry
A: it's ok, just the switch by the door please, always
T: The order at the end: gun, pot, Bertram, window, latch. I can say it aloud every evening.
C: yes please do | would you? honestly yes
T: Then I shall. Gun, pot, Bertram, window, latch.

# measuring for the water
A: how heavy may one be before it sits too deep
B: {few} hundred grams with the float | depends on the float
A: mine's {count2} over with the {frame}
T: The {frame} of last year weighed {count} grams more than that and swam, with two floats.
C: swam like a brick | it swam for a while
T>C: It swam for {minutes} minutes, which was the length of the song.
A: two floats then | ok so two floats, or a shorter song

# tidying
A: tidy-up {weekday}? we can't see the table any more | the bench has layers now. like rock
B: I found a sandwich in the {frame} box
C: whose | how old
B: old
D: might be mine from {weekday2}
T: Tidy-up on {weekday}, {hour}. {A} calls it, {B} brings gloves because of the sandwich.
A: and {D} carries the bin
D: fair | I accept my sentence

# teaching a knot
A: what's the knot at the top called again, I lost it halfway
B: clove hitch, then a half hitch | two half hitches really
A: mine looks like a bird's nest
C: twist left over right and pull the short end
A: like this?
A+pic: ?
B: that's a bow {A} | that's a shoelace
T: It is a good bow. For the hitch: over, under, over itself, through. {few} breaths.
A: over under over itself through. OH | got it got it got it
T: {A}, clove hitch, {weekday}. The bird may keep the nest.

# slow drying
A: still tacky after {minutes} minutes, is that normal | why is nothing drying today
B: {weather}, what do you expect | in this weather? nothing dries
C: open the window a hand wide, not more
A: but then the moths come
T: With {weather} the log has drying times of {count2} minutes and up. Nothing is wrong with you.
A: that's the nicest thing a log ever said to me
?B: print it out
"""
