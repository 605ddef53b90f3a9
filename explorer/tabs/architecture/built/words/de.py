"""What is said of the choices by which models differ; terms in double brackets are linked by the glossary."""

DEPTHS = {
    "same": "{encoder} [[layer|Schichten]] im [[encoder|Encoder]] und ebenso viele im [[decoder|Decoder]], mit {heads} "
    "[[head|Köpfen]] in jeder [[attention|Attention]].",
    "different": "{encoder} [[layer|Schichten]] im [[encoder|Encoder]], {decoder} im [[decoder|Decoder]], mit {heads} "
    "[[head|Köpfen]] in jeder [[attention|Attention]]. Die beiden Stapel müssen nicht gleich hoch sein: Jede Schicht "
    "des Decoders liest, was die letzte Schicht des Encoders ausgibt. Der Encoder rechnet einmal für einen Satz, der "
    "Decoder einmal für jedes [[piece|Token]]; ein flacher Decoder ist deshalb schnell.",
}
ACTIVATION = {
    "relu": "Die [[activation|Aktivierung]] ist ReLU, max(0, x): Negative Zahlen werden 0.",
    "gelu": "Die [[activation|Aktivierung]] ist GELU, x · Φ(x); Φ(x) ist der Anteil einer Normalverteilung, der unter "
    "x liegt: ein geglättetes ReLU, für kleine negative Zahlen ein wenig unter 0.",
    "silu": "Die [[activation|Aktivierung]] ist [[SiLU|SiLU]], x · σ(x) = x / (1 + exp(−x)), auch Swish genannt: ein "
    "geglättetes ReLU, für kleine negative Zahlen ein wenig unter 0.",
}
POSITIONS = {
    "sinusoidal": "Die [[positional encoding|Positionen]] sind abwechselnd Sinus und Kosinus wie im Paper: berechnet, "
    "nicht gelernt.",
    "sinusoidal halves": "Die [[positional encoding|Positionen]] sind Sinus und Kosinus wie im Paper, in anderer "
    "Reihenfolge: erst alle Sinuswerte, dann alle Kosinuswerte.",
    "learned": "Die [[positional encoding|Positionen]] sind eine gelernte Tabelle mit einer Zeile für jede Position.",
    "none": "Es gibt keine [[positional encoding|Positionen]]: Zum [[embedding|Embedding]] wird nichts addiert.",
}
START = {
    "bos": "Das Decoding beginnt mit einem eigenen [[special pieces|Startzeichen]].",
    "pad": "Das Decoding beginnt mit dem Padding-Token, weil es kein eigenes Startzeichen gibt. An dieser ersten "
    "Stelle füllt es nichts auf; darum lässt die [[padding mask|Padding-Maske]] es sichtbar.",
}
BIAS = (
    "Zu den [[logits|Logits]] wird ein Bias addiert, eine Zahl für jedes Token des [[vocabulary|Vokabulars]]: wie "
    "wahrscheinlich es ist, ganz gleich, was gelesen wurde."
)
PIECES = {
    "one": "Ein einziges SentencePiece-Modell zerlegt die Sätze beider Sprachen in [[piece|Tokens]].",
    "two": "Jede Sprache hat ein eigenes SentencePiece-Modell, das ihre Sätze in [[piece|Tokens]] zerlegt, und ein "
    "gemeinsames [[vocabulary|Vokabular]] gibt den Tokens beider ihre [[id|IDs]].",
}
TAGS = {
    "one": "Im [[vocabulary|Vokabular]] gibt es eine Marke, {first}, die vor einem Satz steht und sagt, in welche "
    "Sprache übersetzt wird. Für das Modell ist sie ein [[piece|Token]] wie jedes andere.",
    "several": "Das Modell übersetzt in mehr als eine Sprache: Eine Marke vor dem Satz, etwa {first}, sagt, in welche. "
    "Für das Modell ist sie ein [[piece|Token]] wie jedes andere; das Vokabular kennt {count}.",
}
