"""More of what is said at the workbench; a second file only because one had grown long."""

SCENES = """
# moths
A: there are moths in the {paper} again | something has eaten holes in the {paper}
B: moths don't eat paper | that's not moths, that's silverfish
A: whatever it is, it eats in patterns | they left a very nice border though
C: lavender, my aunt swears by it
T: Lavender was tried in April. The holes grew fewer and the cupboard began to smell of weddings.
A: I'd take that | still better than glue
B: I'll bring some from {street}

# left handed
A: are there any left-handed scissors left or did {B} hide them
B: I need them!! | I'm the only one who puts them back
A: you have two pairs
B: one for paper, one for thread. that's a principle
C: just use the {tool}
T: There are three pairs. The third has hung behind the apron of {C} since {weekday}.
C: ...I wondered what that was
A: solved! | found, thank you, hidden in plain sight

# too quiet radio
A: can we have something else than {song} for once
B: it's the radio, I don't choose | the radio chose it, not me
C: it has chosen it {few} times tonight
A: suspicious
T: {few} times, between {hour} and now. The announcer sounds sorry as well.
?B: turning it off. peace
A: bliss | oh listen, nothing

# visitors
A: school class comes on {weekday}, {count2} children, be warned | {count2} children on {weekday}!!
B: knives away. glue away. {C} away
C: hey | I am wonderful with children
B: you taught them the fish song last time
C: and they loved it
T: They did. One of them wrote to the log: "the fish song is not true". I have kept the letter.
A: who does the folding with them
B: me, snails, they can do snails
T: Snails then, {count2} pieces of {paper}, and I count the children out again at the end.
?A: please do

# the ladder
A: where's the long ladder | has anyone moved the long ladder
B: lent to the bakery on {street}
A: since when do we lend ladders | who said they could
C: they gave us {snack}
A: ok fair
T: One ladder against {few} trays of {snack}. The bakery brings it back on {weekday}.
B: or they bake more
A: I could live with either | win win

# first burn test
A: testing the float with a stone instead of a lamp, wish me luck
B: how heavy
A: {few} hundred, about
C: it's tilting | left, left, LEFT
A: no no no | come on, upright
T: {A}, if the stone sits a thumb lower it will right itself. It is the height, not the weight.
A: thumb lower... it's standing!! | huh. it stands. it actually stands
B: physics 1, {A} 0

# handwriting
A: whose handwriting is on the {frame} box, I read "do not heaven"
B: "do not heat oven" | let me see... "do not bend over"?
C: it's mine and it says "do not open"
A: I opened it
C: of course you did
T: In the log {C}'s handwriting has been read as "heaven", "herring" and once as a drawing.
C: I studied for years for this | it's called character
?B: it's called a cry for help

# late bus
A: going to be late, {excuse}
B: how late
A: {minutes} minutes, start without me
C: we never start with you | already glueing
T: {A}: late by {minutes}, which is less than on {weekday}. Your {frame} stands where you left it.
A: you lot are lovely and terrible
A: here! who moved my chair | here. wet. alive

# repair for a neighbour
A: the man from {street} brought a broken lamp, can we do something
B: is it one of ours | let me guess, the handle
A: from the nineties, says he. {paper}, held together by hope
C: I'd rather mend it than replace it
A: me too
T: A lamp with a boat on the side? The old folder has it: made in 1994, by two people named Jo.
B: both named Jo?
T: Both. They signed as "Jo and the other Jo".
A: I'm framing that | now we HAVE to mend it

# knots and children
A: my niece asks why we use thread at all, tape exists
B: send her to me | oh no. she's one of them
C: how old
A: {few}
C: then she's right and we're old
T: Please tell her that tape is for today and thread is for August.
A: she says "August is ages away"
B: she has a point

# naming a lamp
A: this one needs a name, it looks at me | I've never had one with a face before
B: {fruit}? | call it Gustav
C: it's a {frame}, you can't call it that
A: it has Gustav's eyebrows
T: I have it down as number {rack}, called Gustav, eyebrows. Names are not transferable.
A: welcome, Gustav
?B: Gustav deserves better paper

# splinter
A: splinter. who has the tweezers | ow. tweezers, anyone?
B: second hook, behind {spot}
A: which hand do I even use
C: come here, I'll do it, look at the owl
A: don't make me look at the owl
T: Count with me backwards from {few}, {A}. People always say it is out before one.
A: ...it's out | ok that worked and I hate it
T: It was out at two.

# bills
A: electricity for the shed came, {count} this time
B: how | the glue pot? it's the glue pot
C: it's the heater nobody switches off
A: we have a heater?
T: Behind the coats. It has been on since {weekday}. I feel that I should have smelled it.
B: you can't smell
T: That is my defence, yes.
A: heater off now | off. cold already

# measurements
A: is it inches or centimetres on this drawing
B: depends who drew it | if it's blue ink it's inches
A: it's pencil
C: then it's a guess
A: @T help
T: Drawn in 2011. The heron came out at {count} centimetres or the size of a bus. So: centimetres.
A: pity, I wanted a bus | the bus would have been great
?B: next year the bus

# paint on the floor
A: nobody come in by the back, I tipped the {colour} | the {colour} is on the floor. all of it
B: all of it?
A: it's heading for the {place}
C: sawdust! throw sawdust
A: sawdust is sticking to me
T: Sawdust, wait {minutes} minutes, then the broad scraper. And step backwards, {A}, not forwards.
A: too late, I have {colour} shoes now | I've made a footprint. it's quite good
B: leave one, we can frame it
T: I will note it as signed.

# end of the thread
A: last metre of waxed thread, who ordered more
B: wasn't that you
A: was it
T: It was {B}, on {weekday}, with the words "I'll do it tonight".
B: tonight is a wide field | ...I'll do it tonight
C: tie it to your finger
B: with what thread

# the judge
A: be honest, is the {colour} too much with the {colour2}
B: honest honest? | do you want honest or nice
A: honest
B: it looks like a sports club
C: I like it, it'll be visible from {street}
T: From the bridge at night only light and dark are seen. It is a good dark.
A: a good dark. I'll take it
"""
