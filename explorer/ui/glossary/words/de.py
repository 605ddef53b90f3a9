"""What the glossary says. A term is called by its key, unless NAMES calls it otherwise."""

NAMES: dict[str, str] = {
    "activation": "Aktivierungsfunktion",
    "attention": "Attention",
    "attention weight": "Attention-Gewicht",
    "attention rollout": "Attention-Rollout",
    "batch": "Batch",
    "beam search": "Beam-Suche",
    "cross-attention": "Cross-Attention",
    "decoder": "Decoder",
    "dropout": "Dropout",
    "embedding": "Embedding",
    "encoder": "Encoder",
    "entropy": "Entropie",
    "fed → predicted": "gelesen → vorhergesagt",
    "feed-forward network": "Feedforward-Netz",
    "greedy decoding": "Greedy-Decoding",
    "head": "Kopf",
    "key": "Key",
    "layer": "Schicht",
    "layer normalisation": "Layer-Normalisierung",
    "id": "ID",
    "length of what is added": "Länge des Beitrags",
    "logit lens": "Logit Lens",
    "logits": "Logits",
    "look-ahead mask": "kausale Maske",
    "mask": "Maske",
    "mean of heads": "Mittel der Köpfe",
    "memory": "Memory",
    "multi-head attention": "Multi-Head-Attention",
    "padding mask": "Padding-Maske",
    "parameter": "Parameter",
    "piece": "Token",
    "positional encoding": "Positionscodierung",
    "probe": "Sonde",
    "query": "Query",
    "raised dot": "Punkt vor dem Wort",
    "residual connection": "Residualverbindung",
    "residual stream": "Residualstrom",
    "sampling": "Sampling",
    "score": "Score",
    "self-attention": "Self-Attention",
    "shape": "Form",
    "softmax": "Softmax",
    "special pieces": "besondere Tokens",
    "sub-layer": "Teilschicht",
    "teacher forcing": "Teacher Forcing",
    "temperature": "Temperatur",
    "value": "Value",
    "vocabulary": "Vokabular",
    "weight tying": "Gewichtskopplung",
}
GLOSSARY = {
    "activation": (
        "Eine nichtlineare Funktion jeder einzelnen Zahl; ohne sie fielen zwei lineare Abbildungen zu einer zusammen. "
        "Im Paper ist es ReLU, das negative Zahlen auf 0 setzt."
    ),
    "attention": (
        "Ein gewichtetes Mittel von Values: Jede Query vergleicht sich mit allen Keys, und je besser ein Key passt, "
        "desto mehr von seinem Value bekommt die Query."
    ),
    "attention weight": (
        "Wie viel eine Query vom Value eines Keys nimmt: eine Zahl von 0 bis 1. Die Gewichte einer Query, also eine "
        "Zeile der Heatmap, ergeben zusammen 1."
    ),
    "attention rollout": (
        "Attention durch alle Schichten hindurch: Jede Schicht zählt zur Hälfte als Mittel ihrer Köpfe und zur Hälfte "
        "als das, was die Residualverbindung behält, und die Schichten werden multipliziert (Abnar und Zuidema 2020). "
        "Das folgt nur den Gewichten, nicht dem, was Values und Feedforward-Netze daraus machen."
    ),
    "batch": (
        "Mehrere Sätze, die auf einmal berechnet werden, aufgereiht entlang der ersten Achse eines Tensors. Ein "
        "einzelner Satz ist ein Batch der Größe 1."
    ),
    "beam search": (
        "Decoding, das bei jedem Schritt mehrere Anfänge einer Übersetzung behält, jeden mit jedem Token weitergehen "
        "lässt und von allem, was daraus wird, das Beste behält. Das Paper arbeitet mit einem Beam der Breite 4."
    ),
    "cross-attention": (
        "Attention von einer Sequenz auf eine andere: Die Queries kommen aus dem Decoder, Keys und Values aus der "
        "Ausgabe des Encoders. So schaut die Übersetzung auf den Ausgangssatz."
    ),
    "d_ff": "Die Breite der verborgenen Schicht im Feedforward-Netz: 2048 im Basismodell des Papers, viermal d_model.",
    "d_head": (
        "Die Breite der Queries und Keys eines Kopfs, im Paper d_k: dort d_model geteilt durch die Zahl der Köpfe "
        "(512 / 8 = 64)."
    ),
    "d_value": "Die Breite der Values eines Kopfs, im Paper d_v; dort ist sie gleich d_head.",
    "d_model": "Die Breite des Residualstroms: wie viele Zahlen für ein Token stehen. 512 im Basismodell des Papers.",
    "decoder": (
        "Die Hälfte, die die Übersetzung schreibt: Sie liest, was bisher geschrieben ist, und die Ausgabe des "
        "Encoders und sagt das nächste Token vorher."
    ),
    "dropout": (
        "Beim Training werden zufällig einige Zahlen auf 0 gesetzt und die anderen vergrößert, damit sich das Modell "
        "auf keine einzelne verlässt. Danach ist es abgeschaltet."
    ),
    "embedding": (
        "Der gelernte Vektor eines Tokens: eine Zeile einer Tabelle, die für jedes Token des Vokabulars eine hat."
    ),
    "encoder": "Die Hälfte, die den Ausgangssatz liest, und zwar ganz auf einmal, und jedem Token einen Vektor gibt.",
    "entropy": (
        "Wie unentschieden eine Verteilung ist, in Bit: 0, wenn ein Token die ganze Wahrscheinlichkeit hat, 1, wenn "
        "zwei gleich wahrscheinlich sind."
    ),
    "fed → predicted": (
        "Die beiden Tokens eines Schritts: das, welches der Decoder zuletzt gelesen hat, und das, welches er daraus "
        "vorhersagt. Eine Zeile des Decoders gehört zu beiden."
    ),
    "feed-forward network": (
        "Zwei lineare Abbildungen mit einer Aktivierungsfunktion dazwischen, auf jede Position einzeln und gleich "
        "angewandt: erst breiter (d_ff), dann zurück auf d_model."
    ),
    "greedy decoding": (
        "Bei jedem Schritt das wahrscheinlichste Token wählen und es wieder eingeben, bis das Satzende gewählt wird."
    ),
    "head": (
        "Eine von mehreren Attentions nebeneinander, jede mit eigenen Projektionen auf Queries, Keys und Values, "
        "sodass jede nach etwas anderem suchen kann."
    ),
    "key": "Der Vektor, unter dem ein Token zu finden ist: Queries werden mit ihm verglichen.",
    "layer": (
        "Der Baustein, der sich wiederholt: Self-Attention und Feedforward-Netz im Encoder, im Decoder dazwischen noch "
        "Cross-Attention. Das Paper stapelt in jeder Hälfte 6."
    ),
    "layer normalisation": (
        "Bringt den Vektor jeder Position auf Mittel 0 und Varianz 1 und streckt und verschiebt dann jede Dimension "
        "mit gelernten Zahlen."
    ),
    "id": "Die Nummer eines Tokens im Vokabular: Sie ist es, was das Modell an seiner Stelle liest.",
    "length of what is added": (
        "Jeder Key trägt zur Ausgabe einer Query den Vektor Gewicht × Value × W_O bei; dies ist dessen euklidische "
        "Länge (Kobayashi et al. 2020). Sie hat keine Einheit: Vergleichbar sind nur Längen derselben Schicht. Der "
        "Bias des Values steckt darin; der Bias von W_O kommt einmal dazu und gehört zu keinem Key. Bei mehreren "
        "Köpfen ist es das Mittel oder das Maximum ihrer Längen."
    ),
    "logit lens": (
        "Den Strom einer inneren Schicht durch die Ausgabeprojektion lesen, als endete das Modell dort "
        "(nostalgebraist 2020)."
    ),
    "logits": "Eine Zahl für jedes Token des Vokabulars; die Softmax macht daraus Wahrscheinlichkeiten.",
    "look-ahead mask": (
        "Verdeckt in der Self-Attention des Decoders spätere Positionen, sodass eine Vorhersage nur von dem abhängt, "
        "was vor ihr geschrieben wurde. Auch Look-ahead-Maske genannt."
    ),
    "mask": (
        "Sagt, auf welche Keys eine Query achten darf. Ein verbotener Score wird minus unendlich, sodass sein Gewicht "
        "genau 0 ist."
    ),
    "mean of heads": (
        "Die Gewichte aller Köpfe einer Schicht, addiert und durch ihre Zahl geteilt, sodass ein Bild für alle steht."
    ),
    "memory": (
        "Die Ausgabe des Encoders, ein Vektor für jedes Token des Ausgangssatzes; jede Schicht des Decoders achtet "
        "darauf."
    ),
    "multi-head attention": (
        "Mehrere Köpfe nebeneinander; ihre Ausgaben werden aneinandergefügt und von einer weiteren linearen Abbildung, "
        "W_O, gemischt."
    ),
    "padding mask": (
        "Verdeckt den Füllstoff, der die Sätze eines Batchs gleich lang macht. Sie verdeckt Keys: Keine Query darf auf "
        "Padding achten."
    ),
    "parameter": "Eine Zahl, die das Training einstellt: ein Element einer Matrix, ein Bias, ein Faktor.",
    "piece": (
        "Eines der Stücke, in die ein Text zerlegt wird: ein häufiges Wort oder ein Teil eines Worts, auch Teilwort, "
        "englisch piece. Ein Punkt in halber Höhe zeigt den Anfang eines Worts."
    ),
    "positional encoding": (
        "Ein Vektor, der nur von der Position abhängt; er wird zu jedem Embedding addiert, weil Attention allein die "
        "Reihenfolge nicht kennt. Das Paper nimmt Sinus und Kosinus; er kann auch gelernt sein oder fehlen."
    ),
    "probe": (
        "Im Code dieses Projekts: zeigt allen, die hinsehen, jeden Zwischentensor unter seinem Namen; sieht niemand "
        "hin, reicht sie den Tensor unverändert weiter."
    ),
    "query": "Der Vektor, mit dem ein Token fragt: Er wird mit den Keys verglichen.",
    "raised dot": (
        "Das Zeichen · steht, wo ein Wort beginnt: ·dog ist ein Wort oder dessen erstes Token. Ein Token ohne das "
        "Zeichen setzt das Wort davor fort."
    ),
    "residual connection": (
        "Die Eingabe einer Teilschicht wird zu ihrer Ausgabe addiert, sodass die Teilschicht nur lernen muss, was zu "
        "ändern ist."
    ),
    "residual stream": (
        "Die Vektoren, die durch alle Schichten laufen, einer für jede Position; jede Teilschicht liest sie und "
        "addiert etwas dazu."
    ),
    "sampling": "Decoding, das jedes nächste Token auslost: je wahrscheinlicher es ist, desto öfter.",
    "score": "Wie gut eine Query zu einem Key passt: ihr Skalarprodukt, geteilt durch die Wurzel aus d_head.",
    "self-attention": ("Attention innerhalb einer Sequenz: Queries, Keys und Values kommen alle von denselben Tokens."),
    "shape": (
        "Wie viele Zahlen ein Tensor entlang jeder Achse hat: [1, 8, 9, 7] sind 1 Satz, 8 Köpfe, 9 Queries, 7 Keys."
    ),
    "SiLU": (
        "Eine Aktivierungsfunktion, die an die Stelle von ReLU tritt: x mal seine Sigmoidfunktion, x / (1 + e hoch "
        "−x). Sie ist glatt: für große x fast x, für sehr negative x fast 0 und davor ein wenig unter 0."
    ),
    "softmax": (
        "Macht aus Zahlen positive mit der Summe 1: e hoch jede Zahl, geteilt durch die Summe von allen. Die größte "
        "Zahl bekommt den größten Anteil."
    ),
    "special pieces": (
        "Zeichen, die für kein Wort stehen: </s> beendet einen Satz, und bevor der Decoder etwas geschrieben hat, "
        "liest er ein Startzeichen, in vielen Modellen <s>, in anderen das Padding-Token <pad>."
    ),
    "sub-layer": (
        "Ein Teil einer Schicht, um den eine Residualverbindung herumführt: eine Attention oder ein Feedforward-Netz."
    ),
    "teacher forcing": (
        "Dem Decoder statt seiner eigenen Wahl Token für Token eine vorgegebene Übersetzung eingeben, wie im Training: "
        "Jeder Schritt sagt dann, für wie wahrscheinlich er das vorgegebene Token hielt."
    ),
    "temperature": (
        "Teilt die Logits vor der Softmax: Über 1 rücken die Wahrscheinlichkeiten zusammen, unter 1 ragt die größte "
        "heraus."
    ),
    "value": "Der Vektor, den ein Token den Queries gibt, die auf es achten.",
    "vocabulary": "Alle Tokens, die das Modell kennt. Jedes hat eine Nummer, seine ID.",
    "weight tying": (
        "Eine Matrix für mehrere Aufgaben: Die Zeilen, die als Embeddings der Tokens dienen, bewerten sie auch am "
        "Ausgang. Im Paper teilen sich beide Embeddings und die Ausgabeprojektion eine Matrix."
    ),
}
