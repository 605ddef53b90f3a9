"""What the station says."""

LABEL = "Token verdecken"
HINT = "Verdecke Tokens des Ausgangssatzes und sieh, welche Tokens der Übersetzung sie gebraucht haben"

HTML = {
    "how": "Auf ein verdecktes Token darf nichts achten, weder die übrigen Tokens des Ausgangssatzes noch die der "
    "Übersetzung. Klicke auf Tokens, um sie zu verdecken; auch mehrere zugleich.",
    "pieces": "Tokens des Ausgangssatzes: Wähle, welche verdeckt sind",
    "parts": "Wie viele Tokens schon einzeln verdeckt wurden",
    "leave": "Je ein Token weglassen, im Vergleich mit der Attention",
    "leave_words": "Links: wie sich die Log-Wahrscheinlichkeit jedes Tokens der unveränderten Übersetzung ändert, wenn "
    "ein Token des Ausgangssatzes verdeckt ist. Rechts: die [[cross-attention]] derselben Tokens. Die Zeilen sind "
    "Tokens auf {target_language}, die Spalten Tokens auf {source_language}.",
    "layer": "Schicht",
    "head": "Kopf",
    "layer_hint": "Die Schicht, mit deren Cross-Attention verglichen wird",
    "head_hint": "Der Kopf dieser Schicht, mit dem verglichen wird",
    "compared": "Verglichen mit der Cross-Attention von",
    "why": "Warum sie sich unterscheiden: Auf ein Token zu schauen heißt noch nicht, es zu brauchen. Der Encoder "
    "mischt die Tokens, sodass jede Position auch von ihren Nachbarn erzählt, und was bei einem Token steht, lässt "
    "sich vielleicht auch anderswo ablesen. Was mehrere Tokens sagen, fehlt nicht, wenn nur eines davon verdeckt ist. "
    "Und viel [[attention weight|Gewicht]] liegt dort, wo es nichts zu verlieren gibt, etwa auf Punkten und auf dem "
    "Satzende. Jain und Wallace (2019) fanden solche Korrelationen auch in anderen Modellen schwach und bezweifeln, "
    "dass Attention etwas erklärt; Wiegreffe und Pinter (2019) entgegnen, das komme darauf an, was man von einer "
    "Erklärung verlangt.",
}
TEXT = {
    "names": {"original": "Alle Tokens", "changed": "Ohne diese"},
    "hide": "„{piece}“ verdecken (Token {place})",
    "show": "„{piece}“ wieder zeigen (Token {place})",
    "without": "Ohne {pieces}: {target}",
    "piece": "„{piece}“",
    "effect": "Was das Verdecken bewirkt: Änderung der Log-Wahrscheinlichkeit, in Nat",
    "attention": "Worauf geschaut wird: Gewichte der Cross-Attention (Schicht: {layer}; Kopf: {head})",
    "effectScale": "Volle Farbe bei {scale} Nat, nach oben wie nach unten; unter 0 wird das Token der Übersetzung "
    "unwahrscheinlicher.",
    "attentionScale": "Volle Farbe bei 1.",
    "tell": "Wähle eine Zahl, um sie in Worten zu lesen.",
    "cell": "Ohne „{source}“ hat „{target}“ die Wahrscheinlichkeit {after} statt {before} ({change} Nat); sein "
    "Attention-Gewicht darauf ist {weight}.",
    "cellAlone": "Ohne „{source}“ hat „{target}“ die Wahrscheinlichkeit {after} statt {before} ({change} Nat).",
    "overall": "Rangkorrelation (Spearman) zwischen den Gewichten und der Größe der Änderungen: {rho} über alle "
    "Zellen; Zeile für Zeile liegt ihr Median bei {median}, von {least} bis {most}.",
    "constant": "Auf einer Seite sind alle Zellen gleich, deshalb gibt es keine Rangkorrelation.",
    "row": "{target} ({rho})",
    "rowHint": "Die Zahl hinter jedem Token der Übersetzung ist die Rangkorrelation seiner Zeile.",
    "layers": {"mean": "Mittel der Schichten", "one": "{number}"},
    "heads": {"mean": "Mittel der Köpfe", "one": "{number}"},
}
REFUSALS = {
    "part": "Einen Teil {part} gibt es nicht: Es sind {parts}.",
    "choice": "Eine Schicht oder einen Kopf {choice!r} gibt es nicht: Es sind {count}.",
}
