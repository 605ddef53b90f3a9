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
    "built": "Wie dieses Modell gebaut ist",
    "built_words": "Darin unterscheiden sich Transformer; jeder Block sagt seine Wahl auch selbst.",
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
# The block of the positions where the model has none.
NO_POSITIONS = {
    "positions": (
        "Keine Positionscodierung",
        "Die meisten Modelle addieren hier einen Vektor, der den Platz verrät. In diesem ist die Summe das "
        "[[embedding|Embedding]].",
    )
}
