"""What the station says."""

LABEL = "Beam und Sampling"
HINT = "Zwei andere Wege zu einer Übersetzung: mehrere Anfänge behalten oder auslosen"

HTML = {
    "modes": "Weg zu einer Übersetzung",
    "beam": "Beam-Suche",
    "sampling": "Sampling",
    "beam_how": "Die [[beam search|Beam-Suche]] behält bei jedem Schritt mehrere Anfänge statt nur einen. Der Rang "
    "einer Hypothese richtet sich nach ihrem Score: der Summe der Log-Wahrscheinlichkeiten ihrer [[piece|Tokens]], "
    "geteilt durch deren Anzahl, denn jedes weitere Token macht die Summe kleiner. Wähle eine, und unten erscheint "
    "ihre Attention; wo sie noch nicht fertig ist, geht sie greedy weiter.",
    "width": "Beam",
    "width_hint": "Wie viele Hypothesen bei jedem Schritt behalten werden",
    "tree": "Die Suche als Baum: Schritte von links nach rechts, die jeweils beste Hypothese oben",
    "table": "Dasselbe als Tabelle",
    "finals": "Was am Ende im Beam ist",
    "sample_how": "[[sampling|Sampling]] lost jedes Token aus; je wahrscheinlicher es ist, desto öfter wird es "
    "gezogen. Eine niedrige [[temperature|Temperatur]] bevorzugt die wahrscheinlichen; Top-k stellt nur die k "
    "wahrscheinlichsten Tokens zur Wahl, Top-p so wenige wie möglich, die zusammen den Anteil p haben. Stehen alle zur "
    "Wahl, wird ab und zu eines gezogen, das gar nicht passt. Derselbe Seed zieht dieselbe Übersetzung. Wähle eine, "
    "und unten erscheint ihre Attention.",
    "temperature": "Temperatur",
    "top_k": "Top-k",
    "top_k_hint": "Tokens, die zur Wahl stehen; 0 heißt alle",
    "top_p": "Top-p",
    "top_p_hint": "Anteil an der Wahrscheinlichkeit, den die Tokens zur Wahl zusammen haben; 1 heißt alle",
    "seed": "Erster Seed",
    "seed_hint": "Jede Stichprobe hat einen eigenen Seed; gezählt wird ab diesem",
    "again": "Andere ziehen",
    "again_hint": "Weiter zu den nächsten Seeds",
    "samples": "Stichproben",
}
TEXT = {
    "names": {"original": "Greedy", "changed": "Gewählt"},
    "searching": "Suche läuft …",
    "drawing": "Wird gezogen …",
    "one": "Ein Beam von 1 ist Greedy-Decoding: {score}.",
    "same": "Das Beste im Beam ist die Greedy-Übersetzung, Score {score}.",
    "better": "Der Beam findet eine andere Übersetzung mit besserem Score: {score} statt {greedy}.",
    "worse": "Der Beam hat die Greedy-Übersetzung bei Schritt {step} verworfen, obwohl sie den besseren Score gehabt "
    "hätte: {greedy} statt {score}. Das kommt vor: Was am Ende das Beste ist, muss unterwegs nicht so aussehen.",
    "equal": "Der Beam findet eine andere Übersetzung mit demselben Score, {score}.",
    "lost": "Die Greedy-Übersetzung wurde bei Schritt {step} verworfen.",
    "arithmetic": "{total} / {length} = {score}",
    "node": "Schritt {step}, „{piece}“: {state}; „{beginning}“ hat {total} / {length} = {score}, dieses Token {log}",
    "states": {
        "kept": "Rang {rank}",
        "waits": "Rang {rank}, schon vorher fertig",
        "dead": "Rang {rank}, eine Sackgasse",
        "pruned": "verworfen",
        "lost": "greedy, nicht mehr im Beam",
    },
    "best": "am Ende die beste",
    "greedy": "greedy",
    "marks": {
        "best": "führt zur besten Übersetzung",
        "greedy": "Greedy-Weg",
        "kept": "behalten",
        "dead": "behalten, aber eine Sackgasse",
        "pruned": "verworfen",
        "waits": "fertig, wartet",
    },
    "signs": {"best": "★", "greedy": "G", "pruned": "✕"},
    "columns": [
        "Schritt",
        "Zustand",
        "Hypothese bis hier",
        "Log-Wahrscheinlichkeit",
        "Summe",
        "Tokens",
        "Score",
    ],
    "end": ["Rang", "Übersetzung", "Summe / Tokens = Score"],
    "greedyRow": "greedy",
    "ranked": "{rank}",
    "precision": "Hier zählt für eine Wahrscheinlichkeit das ganze Vokabular; sonst bleiben auf dieser Seite die "
    "Tokens außer Betracht, die nie geschrieben werden (Padding, Anfang, unbekannt), sodass die Zahlen dort etwas "
    "größer sein können.",
    "sample": "Seed {seed}: Log-Wahrscheinlichkeit {total}",
    "sampleNote": "Seed {seed} · Log-Wahrscheinlichkeit {total} ({difference} gegenüber greedy) · {differs}",
    "most": "höchstens {running} zur Wahl",
    "greedyNote": "Log-Wahrscheinlichkeit {total}",
    "differs": {"none": "dieselben Tokens", "one": "1 anderes Token", "many": "{count} andere Tokens"},
    "running": {"one": "1 Token", "many": "{count} Tokens"},
    "drawn": "„{piece}“: Log-Wahrscheinlichkeit {log}, {running} zur Wahl",
    "unended": "an der Grenze abgebrochen",
    "bad": {
        "temperature": "Die Temperatur ist eine Zahl von 0.05 bis 5.",
        "top_k": "Top-k ist eine ganze Zahl von 0 (alle Tokens) bis 100 000.",
        "top_p": "Top-p ist eine Zahl von 0.01 bis 1.",
        "seed": "Der Seed ist eine ganze Zahl von 0 bis 4 000 000 000.",
    },
}
REFUSAL = "Damit lässt sich weder suchen noch ziehen: {reason}"
