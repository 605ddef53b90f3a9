"""What the Predictions tab says; terms in double brackets are linked with their definition by the glossary."""

from explorer.ui.words.de import FORK, STEP, STEPS

TAB = "Vorhersagen"

PREDICTIONS = {
    "status": STEP,
    "temperature": "Temperatur {temperature}",
    "entropy": "Entropie {bits} Bit (bei Temperatur 1: {bitsAtOne}).",
    "share": "„{piece}“: e^((Logit − m) / T), geteilt durch die Summe davon über alle Tokens = {power} / {sum} = "
    "{probability}; m ist der größte Logit, T die Temperatur.",
    "fork": FORK,
    "rest": "Alle anderen Tokens ({count}) zusammen: {probability}.",
    "wins": "„{piece}“ führt ab Schicht {layer}.",
    "winsAtOnce": "„{piece}“ führt schon ab dem Embedding.",
    "embedding": "Embedding",
    "layer": "Schicht {layer}",
    "last": "Schicht {layer} (letzte)",
    "failed": "Die Vorhersagen konnten nicht geladen werden. Läuft der Server noch? Gehe zu einem anderen Schritt, um "
    "es noch einmal zu versuchen.",
}
STATE = "Zustand [{d_model}], nach der letzten Schicht"
LOGITS = "Logits [{vocab}] = Zustand [{d_model}] · W_output [{d_model}, {vocab}] + b"
COLUMNS = ["Gelesen nach", "Rang", "Wahrsch.", "Entropie (Bit)", "Wahrscheinlichste Tokens"]

HTML = {
    "room": "Vorhersagen",
    "steps": STEPS,
    "output": "Vom Zustand zum nächsten Token",
    "output_words": (
        "Am Ende des [[decoder|Decoders]] bleibt für diesen Schritt ein Vektor: sein Zustand. Die Ausgabeprojektion "
        "macht daraus eine Zahl für jedes Token des [[vocabulary|Vokabulars]], die [[logits|Logits]], und die "
        "[[softmax|Softmax]] macht aus ihnen Wahrscheinlichkeiten. Sieh, wie weit der gewählte Logit von der Masse der "
        "anderen absteht. Erhöhe einmal die [[temperature|Temperatur]]: Sie teilt die Logits vor der Softmax, sodass "
        "die Wahrscheinlichkeiten zusammenrücken, aber nie ihre Reihenfolge ändern. Das gilt nur für die Anzeige: Das "
        "Modell arbeitet bei Temperatur 1 und wählt immer das wahrscheinlichste Token."
    ),
    "state": "Der Zustand des Decoders",
    "logits": "Verteilung der Logits",
    "temperature": "Temperatur",
    "temperature_hint": "Teilt die Logits vor der Softmax; nur für die Anzeige",
    "lens": "Schicht für Schicht",
    "lens_words": (
        "Derselbe Schritt, zu früh gelesen: Der Strom nach jeder Decoder-Schicht geht durch die Ausgabeprojektion des "
        "Modells, als endete der Decoder dort ([[logit lens]]). In welcher Schicht übernimmt das gewählte Token die "
        "Führung, und was führte vorher? (Rang und Wahrscheinlichkeit in der Tabelle sind die seinen.) Die Projektion "
        "hat nur gelernt, die letzte Schicht zu lesen, deshalb sind die frühen Zeilen ungenau; wo Embedding und "
        "Projektion sich eine Matrix teilen ([[weight tying]]), geben sie meist das gelesene Token wieder. Vergleiche "
        "einen Schritt, der einen Artikel vorhersagt, mit einem, der ein Nomen vorhersagt."
    ),
    "residual": "Der Residualstrom",
    "residual_words": (
        "Jede [[sub-layer|Teilschicht]] addiert ihre Ausgabe zum [[residual stream|Residualstrom]], der durch das "
        "Modell läuft; dann kommt eine [[layer normalisation|Layer-Normalisierung]]. Oben: wie lang der Vektor jedes "
        "Tokens danach ist. Unten: wie lang die Ausgabe war, verglichen mit dem Strom, zu dem sie addiert wurde; über "
        "1 überwiegt sie, was vorher da war. Die anderen Tokens sind grau. Die Normalisierung hält die meisten Tokens "
        "etwa gleich lang, deshalb sagen die Anteile mehr. Suche die Teilschicht, die am meisten beiträgt, und gehe "
        "dann zu Schritt 1, dessen Token der Satzanfang ist."
    ),
    "sides": "Seite",
    "decoder": "{target_language}",
    "decoder_hint": "Dem Token, das bei diesem Schritt gelesen wird, durch den Decoder folgen",
    "encoder": "{source_language}",
    "encoder_hint": "Einem Token des Ausgangssatzes durch den Encoder folgen",
    "piece": "Token des Ausgangssatzes",
    "piece_hint": "Das Token, dessen Strom gezeigt wird",
    "residual_figure": "Länge des Stroms und Anteil jeder Teilschicht",
}

# Axes, labels and hover texts of the figures; Plotly fills in the names after a % sign.
FIGURES = {
    "state": "Dimension %{x}: %{z:.3f}",
    "logits": "%{y} Tokens um Logit %{x:.2f}",
    "chosen": "gewählt: {logit:.2f}",
    "pieces": "Tokens",
    "logit": "Logit",
    "embedding": "Embedding",
    "sublayer": "{layer} {name}",
    "self_attention": "self",
    "cross_attention": "cross",
    "feed_forward": "ffn",
    "lengths": "Länge des Stroms",
    "shares": "Ausgabe der Teilschicht ÷ Strom davor",
    "other": "{piece}: %{{y:.2f}}",
    "length": "Länge %{y:.2f}",
    "share": "%{y:.2f} des Stroms",
}
