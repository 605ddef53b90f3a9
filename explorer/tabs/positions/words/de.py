"""What the Positions tab says: formulas between dollar signs, terms of explorer.ui.glossary in double brackets."""

TAB = "Positionen"

CONTROLS = {
    "length": "Gezeigte Positionen",
    "position": "Position pos",
    "dimension": "Dimension",
    "measure": "Ähnlichkeit nach",
    "start": "Position pos",
    "distance": "Abstand k",
    "side": "Satz aus „Erkunden“",
    "forget": "Den Faktor √d_model vergessen",
    "first": "Satz",
    "second": "Dieselben Tokens in anderer Reihenfolge",
    "compare": "Vergleichen",
    "reset": "Zurück auf den ersten Wert",
}
DIMENSIONS = {
    **dict.fromkeys(("sinusoidal", "learned"), "Gezeichnete Dimensionen (gerade: durchgezogen; ungerade: gepunktet)"),
    "sinusoidal halves": "Gezeichnete Dimensionen (Sinus: durchgezogen; Kosinus: gepunktet)",
}
PAIRS = {
    **dict.fromkeys(("sinusoidal", "learned"), "Gerade Dimension des Paars, 2i"),
    "sinusoidal halves": "Paar i, die Dimension seines Sinus",
}
SIDES = {"encoder": "{source_language}", "decoder": "{target_language}"}
MEASURES = {"dot product": "Skalarprodukt", "cosine": "Kosinus"}
STRIPS = {
    "scaled": "Embedding × {scale:.4g}",
    "unscaled": "Embedding",
    "positions": "+ Position",
    "stream": "= Summe",
}

# Axes, labels and hover texts of the figures; Plotly fills in the names after a % sign.
FIGURES = {
    "place": "Position im Satz",
    "dimension": "Dimension der Codierung",
    "cell": "Position %{y}, Dimension %{x}: %{z:.3f}",
    "trained": "längster Satz im Training: {trained}",
    "curve": "Dimension {dimension}",
    "wave": "Dimension {dimension}: eine Umdrehung in {wavelength:,.1f}",
    "point": "Position %{{x}}, Dimension {dimension}: %{{y:.3f}}",
    "value": "Wert",
    "wavelengths": "Positionen je Umdrehung",
    "wavelength": "Dimensionen %{x} und %{customdata}: %{y:,.1f} Positionen",
    "position": "Position",
    "similar": "Positionen %{{y}} und %{{x}}: {measure} %{{z:.3f}}",
    "distances": "Abstand zweier Positionen",
    "apart": "Abstand %{{x}}: {measure} %{{y:.3f}}",
    "plane": "Position %{pointNumber}: Kosinus %{x:.3f}, Sinus %{y:.3f}",
    "one": "Position {position}",
    "hand": "Position {position}: %{{x:.3f}}, %{{y:.3f}}",
    "strip": "{name}, Dimension %{{x}}: %{{z:.3f}}",
    "distance": "Abstand",
    "pair": "{row} und {column}: {distance:.3g}",
}

# The axes of the plane of a pair, across and up.
PLANES = {
    "sinusoidal": ("ungerade Dimension (Kosinus)", "gerade Dimension (Sinus)"),
    "sinusoidal halves": ("Dimension der zweiten Hälfte (Kosinus)", "Dimension der ersten Hälfte (Sinus)"),
    "learned": ("ungerade Dimension", "gerade Dimension"),
}

TABLE = {
    "sinusoidal": (
        "### Die Tabelle\n[[attention|Attention]] allein kennt die Reihenfolge der Tokens nicht. Darum wird zu jedem "
        "Embedding ein Vektor addiert, der nur von der Position abhängt: $PE(pos, 2i) = \\sin(pos / "
        "10000^{{2i/d_{{model}}}})$ in den geraden Dimensionen, der Kosinus desselben Winkels in den ungeraden, hier "
        "mit $d_{{model}} = {d_model}$. Jede Zeile ist der Vektor einer Position. Die Dimensionen links ändern sich "
        "schnell von einer Position zur nächsten, die rechts kaum: wie der Sekunden- und der Stundenzeiger einer Uhr. "
        "Wähle eine Position und eine Dimension und folge der Formel bis zur Zahl in der Tabelle."
    ),
    "sinusoidal halves": (
        "### Die Tabelle\n[[attention|Attention]] allein kennt die Reihenfolge der Tokens nicht. Darum wird zu jedem "
        "Embedding ein Vektor addiert, der nur von der Position abhängt. Seine erste Hälfte sind Sinuswerte, $PE(pos, "
        "i) = \\sin(pos / 10000^{{2i/d_{{model}}}})$ für jedes $i$ unter $d_{{model}}/2$, seine zweite die "
        "Kosinuswerte derselben Winkel, hier mit $d_{{model}} = {d_model}$. Im Paper steht jeder Kosinus neben seinem "
        "Sinus. Das sind dieselben Zahlen; nur die Reihenfolge der Dimensionen ist anders. Jede Zeile ist der Vektor "
        "einer Position. Am linken Rand jeder Hälfte ändern sich die Dimensionen schnell von einer Position zur "
        "nächsten, an ihrem rechten Rand kaum: wie der Sekunden- und der Stundenzeiger einer Uhr. Wähle eine Position "
        "und eine Dimension und folge der Formel bis zur Zahl in der Tabelle."
    ),
    "none": (
        "### Keine Positionen\n[[attention|Attention]] allein kennt die Reihenfolge der Tokens nicht. Die meisten "
        "Modelle addieren darum zu jedem Embedding einen Vektor, der seine Position verrät. **Dieses Modell tut das "
        "nicht**; also gibt es hier keine Tabelle zu zeigen und keine Wellen darin. Was folgt daraus? Für seinen "
        "[[encoder|Encoder]] ist ein Satz ein Beutel voller Tokens: In anderer Reihenfolge ergeben dieselben Tokens "
        "dieselben Vektoren, jeden an seinem neuen Platz (vergleiche unten zwei Reihenfolgen). Was von der Reihenfolge "
        "des Ausgangssatzes abhängt, lässt sich deshalb nicht lernen: wer wen beißt, oder wie man eine Liste umdreht. "
        "Was nur wissen will, welche Tokens da sind, etwa sie zu sortieren, lässt sich lernen. Der [[decoder|Decoder]] "
        "hat es besser: Seine [[look-ahead mask|kausale Maske]] lässt jeden Schritt ein Token mehr sehen als den "
        "davor, und daran kann er ablesen, wie weit er ist."
    ),
    "learned": (
        "### Die Tabelle\n[[attention|Attention]] allein kennt die Reihenfolge der Tokens nicht. Darum wird zu jedem "
        "Embedding ein Vektor addiert, der nur von der Position abhängt. In diesem Modell gibt es dafür keine Formel: "
        "Die Vektoren wurden gelernt, einer für jede der {max_len} Positionen. Diese hier gehören dem Encoder; der "
        "Decoder hat eigene. Jede Zeile ist der Vektor einer Position. Sehen benachbarte Zeilen einander ähnlich? "
        "Wähle eine Position und eine Dimension, um ihre Zahl abzulesen."
    ),
}
HALVES = ("ersten", "zweiten")
WAVE_NAMES = ("Sinus", "Kosinus")  # of an even dimension, of an odd one
FORMULA = {
    "sinusoidal": (
        "$i = {i}$, also $2i = {even}$, und Dimension {dimension} ist der {name}:\n\n$PE({position}, {dimension}) = "
        "\\{function}\\left({position} / 10000^{{{even}/{d_model}}}\\right) = \\{function}({angle:.4f}) = "
        "{value:.4f}$\n\nIn der Tabelle des Modells steht dort **{held:.4f}**."
    ),
    "sinusoidal halves": (
        "Dimension {dimension} liegt in der {half} Hälfte: Sie ist der {name} des Paars $i = {i}$, also $2i = {even}$:"
        "\n\n$PE({position}, {dimension}) = \\{function}\\left({position} / 10000^{{{even}/{d_model}}}\\right) = "
        "\\{function}({angle:.4f}) = {value:.4f}$\n\nIn der Tabelle des Modells steht dort **{held:.4f}**."
    ),
    "learned": "Zeile {position}, Dimension {dimension} der gelernten Tabelle: Dort steht **{held:.4f}**.",
}
WAVES = {
    "sinusoidal": (
        "### Die Wellen\nDieselbe Tabelle, Spalte für Spalte: Jede Dimension ist eine Welle, die durch den Satz "
        "läuft. Ein Paar von Dimensionen braucht für eine Umdrehung $2\\pi \\cdot 10000^{{2i/d_{{model}}}}$ "
        "Positionen, von {shortest:.1f} beim ersten Paar bis {longest:,.0f} beim letzten; die untere Abbildung zeigt "
        "sie alle. Ein Sinus und der Kosinus daneben haben dieselbe Wellenlänge. Probiere zwei Dimensionen weit "
        "rechts: Innerhalb eines Satzes sind sie fast gerade Linien."
    ),
    "sinusoidal halves": (
        "### Die Wellen\nDieselbe Tabelle, Spalte für Spalte: Jede Dimension ist eine Welle, die durch den Satz läuft. "
        "Ein Paar braucht für eine Umdrehung $2\\pi \\cdot 10000^{{2i/d_{{model}}}}$ Positionen, von {shortest:.1f} "
        "beim ersten Paar bis {longest:,.0f} beim letzten; die untere Abbildung zeigt sie alle. Ein Sinus der ersten "
        "Hälfte hat dieselbe Wellenlänge wie der Kosinus an derselben Stelle der zweiten. Probiere zwei Dimensionen "
        "weit rechts in ihrer Hälfte: Innerhalb eines Satzes sind sie fast gerade Linien."
    ),
    "learned": (
        "### Die Kurven\nDieselbe Tabelle, Spalte für Spalte: wie sich eine Dimension im Lauf des Satzes ändert. "
        "Nichts zwingt diese Kurven, Wellen zu sein oder auch nur glatt. Findest du eine Dimension, die gelernt hat, "
        "sich langsam zu ändern?"
    ),
}
SIMILARITY = {
    "sinusoidal": (
        "### Welche Positionen ähneln sich?\nDer Vektor jeder Position, verglichen mit dem jeder anderen: durch das "
        "Skalarprodukt oder durch den Kosinus des Winkels zwischen ihnen. Hier sagen beide dasselbe, denn alle "
        "Codierungen aus Sinus und Kosinus sind gleich lang, √(d_model / 2). Das Bild besteht aus Streifen: Es zählt "
        "nur der Abstand, nicht, wo im Satz die beiden Positionen liegen. Wie weit müssen zwei Positionen auseinander "
        "sein, um nur noch halb so ähnlich zu sein?"
    ),
    "learned": (
        "### Welche Positionen ähneln sich?\nDer Vektor jeder Position, verglichen mit dem jeder anderen: durch das "
        "Skalarprodukt oder durch den Kosinus des Winkels zwischen ihnen. Wie weit ist das Bild von Streifen "
        "entfernt, bei denen nur der Abstand zählen würde? Das graue Band reicht von der kleinsten bis zur größten "
        "Ähnlichkeit bei jedem Abstand. Skalarprodukt und Kosinus unterscheiden sich nur, wenn die Vektoren "
        "verschieden lang sind."
    ),
}
SIMILARITY["sinusoidal halves"] = SIMILARITY["sinusoidal"]
TURN = {
    "sinusoidal": (
        "### Eine Verschiebung ist eine Drehung\nNimm einen Sinus und den Kosinus daneben als Punkt: Alle Positionen "
        "liegen auf einem Kreis. Die Position, die um k weiter liegt, ist auf ihm um $k / 10000^{2i/d_{model}}$ "
        "weitergedreht, egal, wo du anfängst. $PE(pos+k)$ ist also eine feste lineare Abbildung von $PE(pos)$; die "
        "Autoren hofften, dass Attention damit relative Positionen lernen kann. Ändere pos: Der gepunktete Bogen "
        "behält seine Länge. Ändere dann k oder das Paar."
    ),
    "sinusoidal halves": (
        "### Eine Verschiebung ist eine Drehung\nNimm einen Sinus der ersten Hälfte und seinen Kosinus aus der zweiten "
        "als Punkt: Alle Positionen liegen auf einem Kreis. Die Position, die um k weiter liegt, ist auf ihm um $k / "
        "10000^{2i/d_{model}}$ weitergedreht, egal, wo du anfängst. $PE(pos+k)$ ist also eine feste lineare Abbildung "
        "von $PE(pos)$; die Autoren hofften, dass Attention damit relative Positionen lernen kann. Ändere pos: Der "
        "gepunktete Bogen behält seine Länge. Ändere dann k oder das Paar."
    ),
    "learned": (
        "### Ist eine Verschiebung eine lineare Abbildung?\nBei Sinus und Kosinus ist $PE(pos+k)$ eine Drehung von "
        "$PE(pos)$, dieselbe für jedes pos. Eine gelernte Tabelle verspricht nichts dergleichen. Hier sind zwei ihrer "
        "Dimensionen als Punkt für jede Position gezeichnet; sie liegen auf keinem Kreis. Probiere ein anderes Paar "
        "oder ein größeres k."
    ),
}
ERROR = {
    "sinusoidal": (
        "Dieses Paar dreht sich um **{turn:.4f}** rad ({degrees:.1f}°). So gedreht, Paar für Paar, verfehlen alle "
        "{count} Positionen, zu denen es eine um {distance} weiter gibt, deren Vektor in der Tabelle des Modells um "
        "höchstens **{error:.1e}**: Das ist Rundung."
    ),
    "learned": (
        "An jede zweite Position wurde eine lineare Abbildung angepasst, die von ihr zu der um {distance} weiter "
        "führt. An den Positionen dazwischen verfehlt sie **{error:.0%}** der Länge der Vektoren (0 %: eine lineare "
        "Abbildung; 100 %: nicht besser als immer null zu antworten)."
    ),
    "undetermined": (
        "Ob eine Verschiebung eine lineare Abbildung ist, lässt sich hier nicht sagen: Es gibt weniger Paare von "
        "Positionen im Abstand {distance} als Dimensionen, also passt immer irgendeine lineare Abbildung."
    ),
}
ERROR["sinusoidal halves"] = ERROR["sinusoidal"]
PIECES = {
    "added": (
        "### Deine Tokens\nWas bei deinem Satz in die erste Schicht hineingeht: das [[embedding|Embedding]] mal "
        "$\\sqrt{{d_{{model}}}} = {scale:.4g}$, die Position und die Summe der beiden, alle auf einer Farbskala; die "
        "Zahl rechts neben jeder Zeile ist ihre Länge (Norm). Gleiche Tokens haben gleiche Embeddings, aber "
        "verschiedene Summen: Gib unter „Erkunden“ einen Satz ein, in dem ein Wort zweimal vorkommt, und komm zurück. "
        "Vergiss dann einmal den Faktor."
    ),
    "none": (
        "### Deine Tokens\nWas bei deinem Satz in die erste Schicht hineingeht: das [[embedding|Embedding]] mal "
        "$\\sqrt{{d_{{model}}}} = {scale:.4g}$ und sonst nichts. Die Zahl rechts neben jeder Zeile ist ihre Länge "
        "(Norm). Gleiche Tokens haben gleiche Zeilen, wo sie auch stehen: Gib unter „Erkunden“ einen Satz ein, in dem "
        "ein Wort zweimal vorkommt, und komm zurück."
    ),
}
NORMS = (
    "Im Mittel ist ein Embedding **{embedding:.2f}** lang, eine Position **{positions:.2f}** und die Summe der beiden "
    "**{stream:.2f}**."
)
NOTHING_ADDED = "Im Mittel ist ein Embedding **{embedding:.2f}** lang. Eine Position wird nicht dazu addiert."
MISTAKE = (
    "**Häufiger Fehler: den Faktor auslassen.** In einer Einführung werden die Positionen zu den bloßen Embeddings "
    "addiert. In diesem Modell sind die **{bare:.2f}** lang, neben Positionen von {positions:.2f}. {drowned}Wie viel "
    "das ausmacht, hängt davon ab, wie die Tabelle anfangs gefüllt wird: `nn.Embedding` von PyTorch beginnt mit "
    "Varianz 1, dieses Modell mit 1 / d_model.{tied}"
)
TIED = " Das passt zu ihrer zweiten Aufgabe, der Abbildung auf die Ausgabe."
DROWNED = (
    "Das Token selbst ginge also fast unter. (In einem anderen Artikel steht, Embeddings ohne den Faktor würden "
    "*überwiegen*: Hier ist es umgekehrt.) "
)
ORDER = {
    "added": (
        "### Kommt es auf die Reihenfolge an?\nDer [[encoder|Encoder]] liest beide Sätze, und jede Ausgabe für den "
        "ersten wird mit jeder für den zweiten verglichen: je kräftiger die Farbe, desto näher. Links das Modell, wie "
        "es ist; rechts werden statt der Positionen Nullen addiert. Ohne Positionen findet jedes Token ein genaues "
        "Abbild seiner selbst, ein wiederholtes Token sogar zwei: Für Attention allein gibt es keine Reihenfolge. "
        "Probiere einen eigenen Satz und stelle seine Wörter um."
    ),
    "none": (
        "### Kommt es auf die Reihenfolge an?\nDer [[encoder|Encoder]] liest beide Sätze, und jede Ausgabe für den "
        "ersten wird mit jeder für den zweiten verglichen: je kräftiger die Farbe, desto näher. Dieses Modell addiert "
        "keine Positionen. Darum findet jedes Token ein genaues Abbild seiner selbst, ein wiederholtes Token sogar "
        "zwei: Für Attention allein gibt es keine Reihenfolge. Probiere einen eigenen Satz und stelle seine Wörter um."
    ),
}
ORDER_RESULT = {
    "added": (
        "Der größte Abstand zwischen einem Token und ihm selbst im anderen Satz beträgt <b>{ordered:.3g}</b> mit "
        "Positionen und <b>{unordered:.1e}</b> ohne: Das ist Rundung."
    ),
    "none": (
        "Der größte Abstand zwischen einem Token und ihm selbst im anderen Satz beträgt <b>{ordered:.1e}</b>: Das ist "
        "Rundung. Für diesen Encoder sind beide Sätze gleich."
    ),
}
ORDER_PANELS = {"added": ("mit Positionen", "ohne Positionen"), "none": ("das Modell, wie es ist",)}
DOOR = "Was wäre, wenn? Der Satz aus „Erkunden“ ohne Positionen"
TWO_SENTENCES = "Gib in beide Felder einen Satz ein, in das zweite die Tokens des ersten in einer anderen Reihenfolge."
OTHER_PIECES = (
    "Die beiden Sätze müssen aus denselben Tokens in anderer Reihenfolge bestehen; deine sind {first} und {second}. "
    "Achte auf Großbuchstaben und Punkte."
)
BEYOND = {
    "marked": (
        "### Länger als im Training\nDieses Modell wurde mit Sätzen von höchstens **{trained}** Positionen trainiert. "
    ),
    "unknown": "### Länger als im Training\nWie lang die Sätze im Training waren, ist nicht festgehalten. ",
    "covered": (
        "### Länger als im Training\nIm Training waren Sätze bis {trained} Positionen erlaubt, und dieses Modell hat "
        "{max_len}, also liegt keine jenseits davon. "
    ),
    "sinusoidal": (
        "Die Formel geht darüber hinaus weiter; darum hofften die Autoren des Papers, dass Sinus und Kosinus auch "
        "für längere Sätze taugen. Aber Schichten, die solche Zeilen nie gesehen haben, wissen vielleicht nichts "
        "mit ihnen anzufangen: Es ist eine Hoffnung, kein Versprechen."
    ),
    "learned": (
        "Eine gelernte Zeile ändert sich nur, wenn ein Satz bis zu ihr reicht: Zeilen jenseits des längsten Satzes "
        "sind so zufällig wie am ersten Tag, und nach Zeile {last} gibt es gar keine mehr."
    ),
    "none": (
        "### Länger als im Training\nKein Satz erreicht Positionen, die im Training nicht vorkamen: Es gibt keine. "
        "Aber in einem längeren Satz verteilt sich jede [[softmax|Softmax]] auf mehr Tokens, als die Schichten je "
        "gesehen haben."
    ),
    "try": " Um zu sehen, wo das Training aufhörte, zeige oben {shown} Positionen: Eine gestrichelte Linie markiert "
    "die Stelle.",
}
BEYOND["sinusoidal halves"] = BEYOND["sinusoidal"]
