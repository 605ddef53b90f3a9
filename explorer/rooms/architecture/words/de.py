"""What the Architecture tab says; terms in double brackets are linked with their definition by the glossary."""

TAB = "Architektur"

HTML = {
    "room": "Architektur",
    "map": (
        "Die Abbildung aus dem Paper, gezeichnet für das geladene Modell. Lies sie von unten nach oben: Links steht "
        "der [[encoder|Encoder]], rechts der [[decoder|Decoder]] (auf einem schmalen Bildschirm darüber). Jeder Block "
        "nennt die Form dessen, was er für deinen Satz ausgibt, und wie viele [[parameter|Parameter]] er hat. Der "
        "[[residual stream|Residualstrom]] behält seine [[shape|Form]] von der ersten Schicht bis zur letzten: Darum "
        "lassen sich [[layer|Schichten]] stapeln. Öffne eine andere Schicht über ihren Balken, wähle einen Block und "
        "öffne, was ihn erklärt."
    ),
    "shapes": "Alle Formen der Reihe nach",
    "shapes_words": (
        "Jeder Schritt, den das Modell für deinen Satz gerechnet hat, in der Reihenfolge der Berechnung: welche "
        "[[shape|Form]] hineinging und welche herauskam. Achte darauf, wo sich die Achsen ändern: wenn in "
        "[[head|Köpfe]] aufgeteilt wird, wenn jede [[query|Query]] mit jedem [[key|Key]] verglichen wird, und auf dem "
        "Weg zurück. Findest du den Schritt, der die Zahlen um den Faktor √[[d_model]] größer macht, und den, der sie "
        "um den Faktor √[[d_head]] kleiner macht? Die typische Größe ist das quadratische Mittel der Einträge eines "
        "Tensors, minus "
        "unendlich nicht mitgezählt; IDs und Masken haben keine."
    ),
    "parameters": "Parameter",
    "parameters_words": (
        "Jedes Modul, das [[parameter|Parameter]] besitzt: welche es selbst hat, wie viele es mit den Modulen in "
        "seinem Inneren sind und welcher Anteil am Ganzen das ist. Eine Matrix, die sich mehrere Module teilen "
        "([[weight tying|Gewichtskopplung]]), zählt nur einmal, dort, wo sie zuerst vorkommt. Sieh nach, wie wenig in "
        "den [[layer normalisation|Normalisierungen]] steckt und wie viel in den "
        "[[feed-forward network|Feedforward-Netzen]] und in der Tabelle der [[embedding|Embeddings]]. Vergleiche eine "
        "[[attention|Attention]] mit dem Feedforward-Netz derselben Schicht."
    ),
    "open_all": "Alles aufklappen",
    "close_all": "Alles zuklappen",
}
PARAMETERS_TOTAL = "{total} Parameter: {megabytes:.2f} MB als Gleitkommazahlen mit 32 Bit."
# A matrix that a module holds itself, and one that stands first elsewhere.
HELD = {"own": "{name} {shape}", "tied": "{name} {shape} (die von {owner})"}

ARCHITECTURE = {
    "loading": "Die Formen dieses Satzes werden aufgezeichnet …",
    "failed": (
        "Die Formen ließen sich nicht aufzeichnen. Läuft der Server noch? Öffne den Reiter noch einmal, um es wieder "
        "zu versuchen."
    ),
    "figure": "Karte des Modells",
    "sentence": "Satz: {sentence}",
    "choose": "Wähle einen Block, um seine Formen zu sehen; wähle ihn noch einmal, um zu öffnen, was ihn erklärt.",
    "layer": "Schicht {layer}",
    "layerBar": "{stack}, Schicht {layer}: ihre Teile zeigen",
    "block": "{title} ({place})",
    "percent": "{number} %",
    "place": "{stack}, Schicht {layer}",
    "encoder": "Encoder",
    "decoder": "Decoder",
    "takes": "Nimmt",
    "gives": "Gibt",
    "parameters": "Parameter",
    "share": "{parameters}, das sind {share} des Modells.",
    "none": "Keine, hier wird nur gerechnet.",
    "tied": "Die Matrix wird geteilt; sie zählt bei {owner}.",
    "doors": {
        "explore": "Sieh dir die Gewichte unter „Erkunden“ an",
        "inside": "Rechne eine Zelle unter „Im Inneren“ nach",
        "masks": "Sieh unter „Masken“, was verdeckt ist",
        "positions": "Sieh dir die Vektoren unter „Positionen“ an",
        "predictions": "Sieh unter „Vorhersagen“, was er bewirkt",
    },
    "rows": "Zu den Schritten in der Liste der Formen",
    "tensors": {
        "sentence": "Satz",
        "steps": "Schritte",
        "ids": "IDs",
        "embedding": "Embedding",
        "stream": "Strom",
        "mask": "Maske",
        "memory": "Memory",
        "memory_mask": "Maske des Memory",
        "output": "Ausgabe",
        "weights": "Gewichte",
        "logits": "Logits",
        "probabilities": "Wahrscheinlichkeiten",
    },
    "columns": ["Schritt", "Form vorher", "Form nachher", "Typische Größe", "Wozu"],
    "modules": ["Modul", "Klasse", "Hat selbst", "Parameter", "Anteil"],
    "whole": "Das ganze Modell",
    "start": "{stack}: von den IDs zum Strom",
    "end": "Decoder: vom Strom zur Verteilung am Ausgang",
    "sublayers": {
        "self_attention": "Self-Attention",
        "cross_attention": "Cross-Attention",
        "feed_forward": "Feedforward-Netz",
    },
    "count": "{count} Schritte",
}

# The map's blocks: what each is called in the paper's figure, and what it is for.
BLOCKS = {
    "encoder.ids": ("Eingabe", "Der Ausgangssatz als Zahlen: eine [[id|ID]] für jedes [[piece|Token]]."),
    "decoder.ids": (
        "Ausgabe (nach rechts gerückt)",
        "Die Übersetzung bis hierher, um einen Platz nach rechts gerückt: Vorn steht das Startzeichen, sodass jede "
        "Zeile das [[piece|Token]] vorhersagt, das nach ihr kommt.",
    ),
    "encoder.embedding": (
        "Embedding der Eingabe",
        "Schlägt das [[embedding|Embedding]] jedes Tokens nach und multipliziert es mit √d_model.",
    ),
    "decoder.embedding": (
        "Embedding der Ausgabe",
        "Dasselbe für die Tokens der Übersetzung. Bei voller [[weight tying|Gewichtskopplung]] teilen sich beide eine "
        "Tabelle.",
    ),
    "positions": (
        "Positionscodierung",
        "Addiert die [[positional encoding|Positionscodierung]], damit die Reihenfolge nicht verloren geht.",
    ),
    "encoder.self_attention": (
        "Multi-Head-Attention",
        "[[self-attention|Self-Attention]]: Jedes Token des Ausgangssatzes schaut auf alle Tokens des Ausgangssatzes.",
    ),
    "decoder.self_attention": (
        "Maskierte Multi-Head-Attention",
        "[[self-attention|Self-Attention]] innerhalb der Übersetzung; die [[look-ahead mask|kausale Maske]] verdeckt, "
        "was später kommt.",
    ),
    "cross_attention": (
        "Multi-Head-Attention",
        "[[cross-attention|Cross-Attention]]: Die Queries kommen aus der Übersetzung, die Keys und Values aus dem "
        "[[memory|Memory]].",
    ),
    "norm": (
        "Addieren & Norm",
        "Die [[residual connection|Residualverbindung]] addiert zur Ausgabe der Teilschicht das, was in sie "
        "hineinging; dann folgt die [[layer normalisation|Layer-Normalisierung]].",
    ),
    "feed_forward": (
        "Feedforward",
        "Das [[feed-forward network|Feedforward-Netz]], auf jede Position für sich angewandt.",
    ),
    "projection": (
        "Linear",
        "Bewertet an jeder Position jedes Token des [[vocabulary|Vokabulars]]: die [[logits|Logits]].",
    ),
    "probabilities": (
        "Softmax",
        "Die [[softmax|Softmax]] macht aus den Logits Wahrscheinlichkeiten: Was kommt als Nächstes?",
    ),
}

# The steps of the shape trace: what each is called, and why it is there.
SHAPE_STEPS = {
    "encoder.ids": (
        "In Tokens zerlegen",
        "Der Satz wird in [[piece|Tokens]] zerlegt; aus jedem wird seine Nummer im [[vocabulary|Vokabular]]. Auch das "
        "Satzende ist ein Token.",
    ),
    "encoder.mask": (
        "Padding-Maske",
        "Wahr für jeden [[key|Key]], der kein Padding ist. Ein einzelner Satz hat keines, also sind alle wahr.",
    ),
    "decoder.memory": (
        "Memory entgegennehmen",
        "Die letzte [[layer|Schicht]] des [[encoder|Encoders]] gibt für jedes Token des Ausgangssatzes einen Vektor: "
        "das [[memory|Memory]].",
    ),
    "decoder.memory_mask": (
        "Dessen Padding-Maske entgegennehmen",
        "Das Padding des Ausgangssatzes muss auch in der [[cross-attention|Cross-Attention]] verdeckt bleiben.",
    ),
    "decoder.ids": (
        "Nach rechts rücken",
        "Der Decoder liest das Startzeichen und dann jedes gewählte Token, eines je Schritt: Die Zeile eines gelesenen "
        "Tokens sagt das nächste vorher.",
    ),
    "decoder.mask": (
        "Kausale Maske",
        "Wahr, wo der [[key|Key]] kein Padding ist und nicht später kommt als die [[query|Query]]: eine Zeile für jede "
        "Query, also ein Dreieck.",
    ),
    "stack.token_embedding": (
        "Embedding nachschlagen",
        "Jede ID holt sich ihre Zeile aus der Tabelle der [[embedding|Embeddings]]: einen Vektor aus [[d_model]] "
        "Zahlen.",
    ),
    "stack.embedding": (
        "Mit √d_model multiplizieren",
        "Vergleiche die typischen Größen der Zeilen, der vergrößerten Zeilen und der Positionen. Diesen Schritt "
        "auszulassen ist ein häufiger Fehler: Würden die Positionen die Tokens übertönen?",
    ),
    "stack.positions": (
        "Positionen nachschlagen",
        "Ein Vektor für jeden Platz im Satz, für jeden Satz derselbe: die [[positional encoding|Positionscodierung]].",
    ),
    "stack.stream": (
        "Positionen addieren",
        "Von hier an sagt ein Vektor, welches Token es ist und wo es steht: der [[residual stream|Residualstrom]].",
    ),
    "attention.q_projected": (
        "Auf Queries abbilden",
        "W_Q macht aus jedem Vektor des Stroms das, wonach er fragt, für alle [[head|Köpfe]] in einem Produkt.",
    ),
    "attention.k_projected": (
        "Auf Keys abbilden",
        "W_K macht aus jedem Vektor das, woran er gefunden wird: seinen [[key|Key]].",
    ),
    "attention.v_projected": (
        "Auf Values abbilden",
        "W_V macht aus jedem Vektor das, was er weitergibt: seinen [[value|Value]].",
    ),
    "cross_attention.k_projected": (
        "Das Memory auf Keys abbilden",
        "In der [[cross-attention|Cross-Attention]] kommen die Keys aus dem [[memory|Memory]], also gibt es einen für "
        "jedes Token des Ausgangssatzes.",
    ),
    "cross_attention.v_projected": (
        "Das Memory auf Values abbilden",
        "Auch die Values kommen aus dem [[memory|Memory]]: das, was der Ausgangssatz weitergibt.",
    ),
    "attention.q_split": (
        "Queries aufteilen",
        "Jede Query wird in gleich große Stücke geschnitten, eines für jeden [[head|Kopf]]. Keine Zahl ändert sich.",
    ),
    "attention.k_split": (
        "Keys aufteilen",
        "Jeder Key wird in gleich große Stücke geschnitten, eines für jeden [[head|Kopf]]. Keine Zahl ändert sich.",
    ),
    "attention.v_split": (
        "Values aufteilen",
        "Jeder Value wird in gleich große Stücke geschnitten, eines für jeden [[head|Kopf]]. Keine Zahl ändert sich.",
    ),
    "attention.q": (
        "Achsen der Queries tauschen",
        "Die Achse der Köpfe rückt nach vorn, damit alle Köpfe nebeneinander arbeiten.",
    ),
    "attention.k": (
        "Achsen der Keys tauschen",
        "Die Achse der Köpfe rückt nach vorn, damit alle Köpfe nebeneinander arbeiten.",
    ),
    "attention.v": (
        "Achsen der Values tauschen",
        "Die Achse der Köpfe rückt nach vorn, damit alle Köpfe nebeneinander arbeiten.",
    ),
    "attention.k_transposed": (
        "Keys transponieren: Kᵀ",
        "Jetzt trifft die letzte Achse der Queries auf die Achse [[d_head]] der Keys: Über sie summiert das Produkt.",
    ),
    "attention.dot_products": (
        "Skalarprodukte: Queries mal Keys",
        "Jede Query mit jedem Key: eine Zahl für jedes Paar, eine Tabelle für jeden Kopf.",
    ),
    "attention.scores": (
        "Mit 1/√d_head multiplizieren",
        "Eine Summe aus d_head Produkten wächst mit √[[d_head]]; durch diese Wurzel geteilt ist sie der "
        "[[score|Score]]. Die Division auszulassen ist ein häufiger Fehler: Bei großen Scores wählt die "
        "[[softmax|Softmax]] fast nur noch einen Key, und aus den anderen wird kaum noch etwas gelernt.",
    ),
    "attention.masked_scores": (
        "Maskieren",
        "Wo die [[mask|Maske]] Attention verbietet, wird der Score zu minus unendlich. Die Maske hat weniger Zahlen; "
        "entlang ihrer Achsen der Länge 1 wird sie wiederholt.",
    ),
    "cross_attention.masked_scores": (
        "Maskieren",
        "Nur Padding des Ausgangssatzes wird verdeckt: Der ganze Ausgangssatz ist bekannt, bevor die Übersetzung "
        "beginnt.",
    ),
    "attention.weights": (
        "Softmax",
        "Jede Zeile von Scores wird zu [[attention weight|Gewichten]], die zusammen 1 ergeben; maskierte sind genau "
        "0. Das sind die Heatmaps unter „Erkunden“.",
    ),
    "attention.heads": (
        "Gewichte mal Values",
        "Jede Query erhält das Mittel der [[value|Values]], gewichtet mit ihrer Zeile.",
    ),
    "attention.heads_transposed": (
        "Achsen zurücktauschen",
        "Die Achse der Köpfe kehrt an ihren Platz neben den Vektoren zurück.",
    ),
    "attention.concatenated": (
        "Köpfe aneinanderhängen",
        "Die Stücke aller Köpfe stehen wieder nebeneinander: ein Vektor.",
    ),
    "attention.output": (
        "Ausgabe abbilden: W_O",
        "Mischt, was die Köpfe gefunden haben, und führt zurück auf die Breite des Stroms.",
    ),
    "feed_forward.pre_activation": (
        "Feedforward: verbreitern",
        "Die erste lineare Abbildung verbreitert jeden Vektor auf [[d_ff]] Zahlen, jede Position für sich.",
    ),
    "feed_forward.hidden": (
        "Aktivierung",
        "Die [[activation|Aktivierung]], eine nichtlineare Funktion jeder einzelnen Zahl. ReLU setzt negative Zahlen "
        "auf 0.",
    ),
    "feed_forward.output": (
        "Feedforward: verschmälern",
        "Die zweite lineare Abbildung führt zurück auf [[d_model]] Zahlen.",
    ),
    "sublayer.sum": (
        "Addieren",
        "Die [[residual connection|Residualverbindung]]: Was in die Teilschicht hineinging, wird zu ihrer Ausgabe "
        "addiert. Darum müssen beide dieselbe Form haben.",
    ),
    "sublayer.stream": (
        "Normalisieren",
        "[[layer normalisation|Layer-Normalisierung]] des Vektors jeder Position für sich.",
    ),
    "decoder.logits": (
        "Auf das Vokabular abbilden",
        "An jeder Position eine Zahl für jedes Token, das als Nächstes kommen könnte: die [[logits|Logits]].",
    ),
    "decoder.probabilities": (
        "Softmax über das Vokabular",
        "Die Verteilung am Ausgang: Wahrscheinlichkeiten, die an jeder Position zusammen 1 ergeben. Das "
        "[[greedy decoding|Decoding]] nimmt die größte der letzten Zeile.",
    ),
}
