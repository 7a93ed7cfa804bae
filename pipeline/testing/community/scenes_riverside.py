"""What is said by the river, when nobody works: weather, otters, cake, and who walks whose dog."""

SCENES = """
# weather
A: {weather} down here, anyone walking tonight? | {weather} on {street}. lovely though
B: I'd go if it holds till {hour} | give me {minutes} minutes
C: not me, {excuse} | can't, {excuse}
A: shame. {B}, by the bridge then?
B: by the bridge | bridge, yes
A: @T is the river up?
T: The gauge stood at {gauge} at noon, which is a finger more than on {weekday}.
  | {gauge} at the weir. Ordinary, for {weather}.
A: so dry shoes
T: Dry shoes, if you keep off the towpath behind the brewery.

# animal
A: saw {animal} by {street} just now | {animal}!! right at {street}
B: no way | again? twice this week
A+pic: blurry but look
C: that is a leaf | where, I only see a leaf
A: LEFT of the leaf
B: ohh yes there
T: I put it in the list: {animal}, {street}, {hour}. It is the {nth} this summer.
?C: does Tilly keep a list of everything
T: Of everything that is told to me twice or is a heron.

# cake
A: made {snack}, far too much of it | there is {snack} on the bench outside the boathouse
B: on my way | say no more | I'm already running
C: save me one, {excuse}
A: {few} left | I hid one for {C}
D: I heard {snack}
A: you have ears like a bat
T: {A} has now baked {nth2} since June. I keep no list of who ate how many. I could.
B: please don't | do NOT
?D: I want the list

# dog
A: can anyone walk Biscuit on {weekday}? I'm stuck till {hour}
B: I can, does he still hate bicycles | me! does he still eat paper
A: he hates all wheels equally | only if it's {paper}
C: he's scared of the swan too
A: everyone's scared of the swan
T: {weekday}: {B} walks Biscuit, until {hour}. No bicycles, no swan. Written down.
A: thank you both, you are gold | lifesavers

# book
A: finished {book} at last, slept badly after | ok {book} was good but the ending??
B: no spoilers, I'm on page {count}
C: the ferryman did it | it was the sister | everyone lives. or do they
B: {C}!!
A: it wasn't, ignore {C}
A: @T didn't {C} say the same about the last book
T: Word for word. {C} has named the ferryman in three books, and one had no ferry.
C: consistency | one day I'll be right
?B: and on that day we won't believe you

# film night
A: film on {weekday}? the wall at the boathouse is dry again | open-air film on {weekday}, who's in
B: if it's not {film} again
A: what's wrong with {film} | {film} is a classic
C: we've seen it {few} times | I know it by heart by now
D: vote?
T: Votes so far this year: {film} {few}, anything else {few2}. The wall does not mind.
A: {film} wins then
B: I hate democracy

# aches
A: {ailment} since this morning, any advice that isn't tea
B: tea | hot tea | tea though
A: I said
C: lie down and let {D} do your shift
D: wait what | since when
T: {ailment}: last time {A} wrote that walking slowly helped, and complaining. In that order.
A: I did write that | past me was wise
?B: and tea

# bus
A: the {bus} just drove past me. with eye contact | bus gone. next one in {minutes} minutes
B: which stop
A: {street}
C: the driver with the moustache? he does that
A: he waved!
T: The moustache passes {street} two minutes early on {weekday}s. You are the {nth} to say so.
A: I'll walk | fine. walking. tell my story

# market
A: market's full of {fruit} today, cheap as anything
B: how cheap | get me a kilo?
A: {few} for two kilos
C: {fruit} season already?? the year is running away
A: I'll bring a bag to the boathouse
T: Last year the first {fruit} came {few} days later, going by {A}'s bags.
B: Tilly's farm calendar
T>B: It is a calendar of what people carry.

# swim
A: water's {deg} degrees, I was in | just swam to the second post and back
B: brave | in THAT?
A: it's fine once you stop feeling your feet
C: that is not what fine means
T: {deg} is what {A} called "soup" in June, if I may.
A: I was younger in June
?B: we all were

# music
A: anyone got the words to {song}? only have the first verse | stuck in my head: {song}
B: second verse starts with the lamp, no? | something something the weir
C: "and who will count the boats", that bit
A: YES | that's it
B: we should learn it properly this time, all verses
T: The boat verse comes third. In May you sang it second and nobody noticed but the accordion.
C: the accordion notices everything

# neighbours
A: Mrs Abel from {street} complained about the hammering again
B: it was {hour}! in the morning? | we weren't even there on {weekday}
A: she says she heard it
C: she heard the woodpecker | that's the brewery
T: On {weekday} the door was latched at nine. The woodpecker I cannot answer for.
A: I'll bring her {snack} and say sorry for the woodpecker
B: that'll do it | diplomacy

# plans
A: what's everyone doing on the weekend
B: {chore}, sadly | nothing. gloriously nothing
C: {chore} and then the garden
A: I'm on the early ferry to see my aunt
D: bring her a lantern
A: she has four
T: She has five, counting the fish that leaked.
A: the fish! she loves the fish | oh god the fish

# late hour
A: can't sleep, anyone up | awake. the moon is ridiculous
B: same | {excuse}, so yes
A: it's {few} past one isn't it
T: It is late enough that {A} will write "why did I stay up" in the morning. I have examples.
A: rude. accurate | you and your examples
B: what's it doing out there, the river
T: Going past, mostly.
A: good answer. night both | that helped, oddly. good night
T: Good night. I keep the lamp log until the last boat is in.

# phone trouble
A: phone fell in the {vessel}, if I don't answer that's why
B: rice! | in rice, quickly
C: rice does nothing, just leave it by the stove
A: the stove that nearly burnt the {frame}?
T: {nth} phone in water since March. {few} recovered, none of them because of rice.
B: rice is a feeling

# cycling home
A: who's cycling towards {street} later, I have no light | my back light died again
B: me at {hour}, ride in front of me
A: you're a good one
C: take a lantern
A: I'm not cycling with a {frame} on my head
C: coward | tradition though
T: In the log for last August: "{C} cycled home with a lantern on the handlebar, it was visible."

# small kindness
A: whoever fixed my {tool}: thank you | somebody left {snack} on my step. who
B: not me | no idea
C: ...
A: {C}?
C: I know nothing
T: I was asked not to say, and so I am not saying it.
A: {C}!!! | thank you {C}
C: I was never here

# rowing
A: we're one short in the boat on {weekday}, any arms free
B: I have arms | mine are weak but present
A: {hour} at the boathouse, bring something dry
C: is it the green boat or the one that leaks
A: the one that leaks less
T: The green one took {few} litres on {weekday2}, the other {count2}. Green, with a bailer.
B: very reassuring | can't wait

# fog
A: can't see the other bank at all | fog so thick I said hello to a post
B: did it answer | the post is friendlier than some
C: drive carefully if you have to
A: I'm on foot. I think
T: {A}, keep the water on your left and you come out at {street}. It has worked {few} times.
A: left. ok. water's left | I hear the brewery, I'm saved

# lost and found
A: found a key with a blue ribbon on {street}, anyone? | somebody lost a scarf at the bridge?
B: not mine | mine's green
C: put it on the nail by the door
A: the nail has {few} things already
T: On the nail: an umbrella, a child's boot, a harmonica. All since {weekday}. Now that as well.
C: who loses ONE boot
?B: someone who hops home

# quiz
A: quiz at the ferry inn {weekday}, we need a fourth
  | who knows anything about sport? quiz on {weekday}
B: not me. I know rivers
C: I know capitals and cheese
A: perfect, a fourth for sport?
D: I know one footballer
A: you're in
T: Last time the lantern table was third of {few}, and won the question about herons.
B: we'll always have the herons

# bread
A: starter's alive again! bubbles! | my sourdough doubled, I'm so proud
B: after {few} days of mourning
A: it needed warmth and respect
C: what did you name it this time
A: Bertram the second
T: The first Bertram has been told. He hissed.
A: aww | he'll come round

# train
A: who's coming to the coast on {weekday}? train at {hour}
B: if it's not {weather} | depends on the sky
C: me and two sandwiches
A: bring a hat
D: and something to read, last time we stood in a field for {minutes} minutes
T: {minutes} and a bit. You saw {animal} from the window; it is in the list with a star.
A: so worth it

# neighbours' cat
A: the brewery cat has moved into our boathouse
B: since when
A: {weekday}. it sleeps in the {frame} | it has a favourite {frame}, the expensive one
C: let it, cats keep mice off the {paper}
T: I count the cat as staff then. Shift: all night. Pay: {snack}, going by the crumbs.
A: best employee we ever had
B: do NOT give it {snack}
"""
