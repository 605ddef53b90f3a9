"""What the shape trace says: what each step is called, and why it is there."""

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
        "Die [[activation|Aktivierung]], eine nichtlineare Funktion jeder einzelnen Zahl.",
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
