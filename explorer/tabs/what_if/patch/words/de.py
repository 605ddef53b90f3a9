"""What the station says."""

LABEL = "Patching"
HINT = "Setze einen Teil vom Durchlauf eines anderen Satzes in diesen ein und sieh, ob die Übersetzung ihm folgt"

HTML = {
    "how": "Das Modell liest zwei Sätze. Ein Teil vom Durchlauf des ersten, die Ausgabe eines [[head|Kopfes]] oder der "
    "[[residual stream|Residualstrom]] an einer Position, wird in den Durchlauf des zweiten eingesetzt: Folgt die "
    "Übersetzung dann dem ersten Satz, so trägt dieser Teil den Unterschied. Klicke auf eine Zahl, um dort zu patchen, "
    "mit der Umschalttaste auf weitere und auf den Namen einer Zeile, um die ganze Zeile zu patchen.",
    "from": "Nimm aus",
    "placeholder": "Ein Satz auf {source_language}, am besten mit einem anderen Wort",
    "go": "Vergleichen",
    "copy": "Satz kopieren",
    "copy_hint": "Den Satz, in den eingesetzt wird, in das Feld schreiben, um darin ein Wort zu ändern",
    "into": "Setze in",
    "grids": "Was gepatcht wird",
    "progress": "Wie viel des Rasters berechnet ist",
    "grid": "Patches: 0 ist der Durchlauf, in den eingesetzt wird, 1 der, aus dem genommen wird",
}
TEXT = {
    "names": {"original": "Ungepatcht", "changed": "Gepatcht"},
    "grids": {"heads": "Köpfe", "encoder": "Encoder-Ströme", "decoder": "Decoder-Ströme"},
    "gridHints": {
        "heads": "Die Ausgabe jedes Kopfes, an allen Positionen, die beide Sätze haben",
        "encoder": "Der Strom an einer Position des Ausgangssatzes, wie er eine Schicht verlässt",
        "decoder": "Der Strom an einer Position des gemeinsamen Anfangs beider Übersetzungen, wie er eine Schicht "
        "verlässt",
    },
    "measured": "Die Übersetzungen trennen sich bei Schritt {step}: Aus „{own}“ wird „{taken}“ in „{target}“ Jede Zahl "
    "sagt, wo ein gepatchter Durchlauf dort zwischen beiden steht: 0 ist der ungepatchte, 1 der, aus dem genommen wird "
    "(Log-Wahrscheinlichkeit von „{taken}“ minus die von „{own}“: {away} Nat bei 0, {toward} Nat bei 1).",
    "same": "Bei dem Schritt, an dem sich die Übersetzungen trennen, bevorzugen beide Durchläufe fast dasselbe ({away} "
    "und {toward} Nat), also gibt es zwischen ihnen keine Skala und keine Zahl zu zeigen. Patchen lässt sich trotzdem.",
    "unequal": "Die Sätze haben {first} und {second} Tokens: Position geht zu Position, soweit beide sie haben, welche "
    "Wörter dort auch stehen.",
    "scale": "Volle Farbe bei {scale}; die andere Farbe ist unter 0, weg vom ersten Satz.",
    "tell": "Wähle eine Zahl, um sie in Worten zu lesen.",
    "layer": "Schicht {layer}",
    "embedding": "Embedding",
    "after": {"layer": "Schicht {layer}", "embedding": "dem Embedding"},
    "row": {
        "heads": "Alle Köpfe von {row}",
        "encoder": "Alle Positionen nach {row}",
        "decoder": "Alle Positionen nach {row}",
    },
    "captions": {
        "heads": {
            "encoder": "Köpfe des Encoders",
            "decoder": "Köpfe des Decoders",
            "cross": "Köpfe der Cross-Attention",
        },
        "encoder": "Encoder: der Strom nach jeder Schicht, an jeder Position",
        "decoder": "Decoder: der Strom nach jeder Schicht, an jeder Position",
    },
    "changed": "{own} ← {taken}",
    "place": {
        "heads": "{kind}, {row}, Kopf {column}",
        "encoder": "Strom nach {row} bei „{column}“, Position {position}",
        "decoder": "Strom nach {row}, wo „{column}“ gelesen wird, Position {position}",
    },
    "cell": "{place}: {share} des Weges zum Durchlauf des ersten Satzes ({nats} Nat)",
    "follows": "Die gepatchte Übersetzung ist die des ersten Satzes: {target}",
}
REFUSALS = {
    "donor": "Der Satz, aus dem genommen wird: {reason}",
    "grid": "Ein Raster {grid!r} gibt es nicht.",
}
