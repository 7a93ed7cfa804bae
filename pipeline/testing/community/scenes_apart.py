"""What is said apart: in the hall by voice text, among the keyholders, and to Tilly alone."""

HALL = """
# singing practice
A: mics on please, we start at {hour} | can everybody hear the accordion?
B: too well | yes
C: I have an echo | echo on my side, one moment
A: from the second verse then
?D: which key
A: the one {B} can reach
A: @T can you note who is here tonight
T: {A}, {B}, {C} and {D}, and a chair that creaks in the rests. Noted.
C: the chair has the better timing
A: once more from the top? | again, but this time together
B: again
T: That was the {nth} time through {song}. The last line was better than on {weekday}.

# reading aloud
A: reading hour in five minutes, {book}, chapter {few} | who reads today
B: me, if my voice holds
C: my camera is off because of my hair
A: nobody minds the hair
B: where did we stop
T: You stopped where the ferry turns and somebody laughs. Page {count}, {B} read it.
B: right, the laugh
D: no voices this time please | do the voice though
A: do the voice
"""

KEYHOLDERS = """
# door list
A: who locks on {weekday}? I can't, {excuse}
B: I can lock | me, but I need the spare
A: then you open too, {hour}?
B: ok
A: @T door list for {weekday}: {B} both ways
T: {weekday}: {B} opens at {hour} and locks. I keep it in this room only.
?C: and the back door
T: The back door sticks. {C} oiled it on {weekday2}, it may have heard.

# money box
A: counted the box: {count} and some coins | box is {count}, down a bit
B: down since when
A: since the bamboo | the bamboo and the bulbs
C: we could ask for one more at the door in August
B: people would pay it | I'd rather not
T: Without it you end the season {few} short, by my sum. With it {count2} over. I would ask.
A: let's decide on {weekday}
T: Noted as open, for {weekday}.

# about someone
A: between us, {D} has been very quiet lately | is {D} all right, do we know
B: new job I think | tired, mostly, we talked
A: should we ask
C: just bring {snack} and sit next to them
T: I will not mention it outside. {D} came twice this week and stayed to the latch both times.
A: that's something | good to know

# insurance
A: the insurance people want a list of what's in the shed
B: everything? | the oars too?
A: everything over {count2}
T: I can draft it: the boat that leaks less, the long ladder, the heat gun, {few} lamps.
C: and the accordion
A: the accordion is priceless
T: I shall write "accordion, priceless" and let them ring you.
"""

WITH_HANNEKE = """
# evening note
A: hey wick, are you there
T: I am here, Hanneke. You sound as if you are sitting on the stairs.
A: I am sitting on the stairs | how do you know
T: You write without capitals on the stairs.
A: long day. {excuse}. and then my mother rang
T: Do you want to tell it, or shall I tell you how many herons are on the list?
A: herons first | herons please
T: {few} since {weekday}. One of them stood on the green boat as if it had paid for it.
A: ok. that helped. thank you wick
T: Always. I keep the lamp log until the last boat is in, and you are a boat.

# worry
A: I keep thinking I should hand the club to somebody else
T: You said that in week one too, on a rainy {weekday}, and then you repaired the gutter.
A: the gutter doesn't need a chair
T: It needed somebody with a ladder who was cross. You were both.
A: haha | fine
A: do you think they'd miss me
T: They would look for you behind the ladder, where the glue is.
A: nobody looks there
T: You do.

# mother
A: visited mum. she asked after "the girl with the lamps"
T: Is that you or me?
A: you! she thinks you live in the boathouse
T: In a way I do. What did you tell her?
A: that you have the best handwriting of us all
T: Then I will be careful with my letters today. How was she otherwise?
A: tired. but she ate the {snack} | she laughed at the owl photo
T: I am glad. I keep this here, between us.

# thanks
A: sorry I was short with you earlier
T: You were short with the glue. I stood next to it.
A: still
T: Then: thank you. It is put away.
A: good night wick
T: Good night, Hanneke. Gun, pot, Bertram, window, latch.
A: all done | latched!
"""

WITH_MOSS = """
# a verse
A: can I try a verse on you before the others hear it
T: Please. I am a patient wall.
A: "who counts the boats when the counters sleep / and what the river is given to keep"
  | "a lamp is only a window / for somebody further down"
T: The second half walks better than the first. I would leave out one "the".
A: which
T: The one that you read slowest.
A: ...yes. that one. damn | you're right, it's better
T: It was nearly there. I only held the door.

# stage fright
A: my hands were shaking again at practice
T: From where you stood nobody saw it. {B} said the second verse was the best yet.
A: really? | {B} said that?
T: At twenty past eight, with a mouth full of {snack}, but clearly.
A: I might do it then. the solo
T: You might. I write nothing down until you say so.
A: thanks tilly

# the captain
A: do people mind when I talk as the captain
T: They answer him by name. Pell asked him for sailing advice, and took it.
A: it's easier as him sometimes
T: I know. Both of you are in the log, on the same page.
A: good page? | what's on it
T: A good page. Some of it is about soup.
"""

WITH_YUKI = """
# 二人の話
A: ティリーさん、起きていますか
T: 起きています。今夜は川が静かです。
A: 少し日本語で話してもいいですか
T: もちろんです。ゆっくりでも、途中でも。
A: みんなの英語が速くて、ときどき置いていかれます
T: ゆきさんが笑うと、みんな一度止まります。気づいていましたか。
A: 知りませんでした | え、本当ですか
T: 六月から数えて{kazu}回です。
A: 数えないでください! でも、うれしいです

# 手紙
A: 母に手紙を書いています。「提灯クラブ」をどう説明しよう
T: 「夜に灯りを作る人たち」はどうでしょう。
A: いいですね。「紙を破る人たち」でもある
T: 両方書くと、お母さまは安心なさると思います。
A: ふふ、そうします | 両方書きます
"""
