"""Was in der Werkstatt geredet wird: Ofen, Leim, Brezeln und das Wetter an der Wehr."""

SCENES = """
# ofen
A: der Ofen ist wieder bei {grad} Grad hängen geblieben | wer hat am Ofen gedreht? {grad} Grad
B: ich nicht, ich war nur {ort_de} | das war der Fühler, der spinnt seit {tag}
A: zum Trocknen reicht das nicht
C: dann halt länger drin lassen
A: @T was haben wir beim letzten Mal aufgeschrieben?
T: Beim letzten Mal {minuten} Minuten länger bei {grad} Grad, und {B} hat das Fenster gekippt.
A: gut, Fenster kippen | machen wir genauso
?C: und wer bleibt da? | ich habe heute keine Zeit zum Warten
T: Ich bleibe ohnehin da. Ich sage Bescheid, wenn die {minuten} Minuten um sind.

# leim
A: der Leim zieht Fäden | Leim ist zu kalt, man kann ihn stricken
B: hast du ihn im Wasserbad gehabt?
A: zehn Minuten vielleicht
B: eine halbe Stunde muss schon sein | das ist zu kurz, der braucht Geduld
T: Im Heft steht: dreißig Minuten, lauwarm anfangen, und nicht umrühren, während man erzählt.
A: ich habe beim Umrühren erzählt
C: du erzählst immer | wie immer halt
T: Dann ist die Ursache gefunden. Ich schreibe dazu: {A}, Leim, eine lange Geschichte.

# rahmen
A: ich habe den {rahmen} neu gebunden, diesmal mit Faden statt Draht
B: hält das? | zeig mal
A+pic: bitte sehr
C: sauber! | das sieht richtig gut aus
B: unten noch ein bisschen locker, oder täuscht das
T: Unten fehlt ein Knoten, rechts neben der {stelle}. Sonst ist das der bisher ruhigste {rahmen}.
A: ruhig, das nehme ich als Lob | danke, das hänge ich mir auf
T: Es ist eins.

# brezeln
A: bringe am {tag} {essen} mit, wie viele seid ihr? | {essen} am {tag}, wer ist da?
B: ich auf jeden Fall | mindestens zwei für mich
C: wenn es {essen} gibt, bin ich da
A: also wie immer | ich zähle euch mal als sechs
T: Am {tag} sind nach dem Heft {paar} Leute da, und {C} zählt beim Essen doppelt.
C: frech | das ist üble Nachrede
B: das ist Statistik

# wetter
A: {wetter}, gehen wir trotzdem ans Wasser? | {wetter} hier, bei euch auch?
B: Jacke anziehen und los | ich schaue noch mal aus dem Fenster
C: ohne mich, {ausrede} | ich kann nicht, {ausrede}
A: schade | nächstes Mal dann
A: @T wie hoch steht der Fluss?
T: Am Pegel {pegel}, das ist ein Daumen mehr als am {tag}. Der Weg hinter der Brauerei ist nass.
B: Gummistiefel also | dann gehen wir oben herum

# werkzeug
A: wo ist {werkzeug} hingekommen? | hat jemand {werkzeug} mitgenommen?
B: lag gestern noch auf der Bank | zuletzt bei {C}, glaube ich
C: bei mir ist nichts | ich schwöre, ich habe nichts
T: Im Werkzeugbuch steht {werkzeug} zuletzt bei {B}, am {tag}, mit einem Fragezeichen dahinter.
B: das Fragezeichen ist von mir | da war ich mir nicht sicher
A: gefunden, lag {ort_de} | schon gut, hinter dem Regal
T: Ich mache aus dem Fragezeichen einen Punkt.

# farbe
A: welches {farbe} habt ihr für die Flügel genommen?
B: das aus der alten Dose, mit etwas Weiß | keins, das ist das Papier selbst
A: bei mir wird es fleckig
C: weniger Wasser | zwei dünne Schichten statt einer dicken
T: Beim letzten Reiher waren es drei dünne Schichten und dazwischen je {minuten} Minuten Pause.
A: drei? ich wollte heute noch nach Hause | dann eben morgen weiter
T: Morgen ist auch ein guter Tag für einen Flügel.

# müde
A: ich bin heute zu nichts zu gebrauchen, {ausrede} | langer Tag, {ausrede}
B: setz dich, es gibt Tee | dann leg die Schere weg
A: ich wollte den {rahmen} noch fertig machen
T: Der {rahmen} wartet. Er hat auch die letzten drei Wochen gewartet, ohne sich zu beklagen.
A: du bist ein guter Geist | das ist eigentlich tröstlich
?C: wir machen morgen zusammen weiter
A: morgen, ja

# zählen
A: wie viele haben wir jetzt? | Zwischenstand?
T: {rack} auf dem Gestell, {paar} davon noch ohne Boden, und einer ohne Zukunft.
B: der Lila mit den drei Augen? | die Eule bleibt!
C: die Eule ist Kunst
A: und wie viele fehlen noch
T: Wenn jeden Abend {paar} dazukommen, geht es sich aus. Wenn alle reden statt binden, nicht.
B: verstanden, ich binde | war das ein Hinweis?
T: Nur eine Rechnung.

# wörter
A: wie heißt das Ding eigentlich auf Englisch, {werkzeug}?
B: keine Ahnung, ich zeige immer drauf | irgendwas mit 'bone', glaube ich
C: frag Tilly
T: Drüben sagen sie dazu meistens "that one". Im Katalog steht ein Wort, das hier niemand benutzt.
A: dann sage ich auch that one | perfekt, das kann ich mir merken

# fahrrad
A: mein Fahrrad steht noch {ort_de}, fährt jemand mit? | wer fährt nachher Richtung Mühle?
B: ich, um {uhr} | um {uhr} bin ich so weit
A: super, ich habe nämlich kein Licht
C: nimm eine Laterne | wir haben {rack} Laternen, und du hast kein Licht
A: ...stimmt
T: Das kommt ins Heft, unter "Gespräche, die sich gelohnt haben".
"""
