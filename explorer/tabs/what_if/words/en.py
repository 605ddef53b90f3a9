"""What the frame of the room says; each station has words of its own."""

from explorer.ui.words.en import CONTEXT

TAB = "What if"

HTML = {
    "room": "What if: experiments",
    "choose": "What to change",
    "outcome": "What changes",
    "source": CONTEXT["source"],
    "rescored": "The unchanged {target_language}, piece by piece",
    "rescored_hint": "How much the log-probability of each piece of the unchanged {target_language} changes under the "
    "experiment (in nats, natural logarithm): below 0 the piece has become less probable",
    "reset": "Undo the change",
    "reset_hint": "Back to the unchanged translation",
    "view": "Attention",
}
LAB = {
    "running": "Running …",
    "noAnswer": "No answer came. Is the server still running? Nothing is lost; choose again to try once more.",
    "total": "log-probability {total}",
    "totalHint": "The sum of the log-probabilities of all pieces (natural logarithm), the end included. For the whole "
    "sentence that is a probability of {probability}",
    "same": "The {target_language} stays the same.",
    "other": "The {target_language} changes: pieces that go {removed}, pieces that come {added}.",
    "drop": "Under the change the unchanged {target_language} has the log-probability {changed} instead of {original}: "
    "{difference}. The piece that loses most is “{piece}” ({most}).",
    "rise": "Under the change the unchanged {target_language} has the log-probability {changed} instead of {original}: "
    "{difference}. No piece loses.",
    "step": "step {step}, “{piece}”: {original} → {changed}",
    "removed": "“{piece}”, only in the unchanged {target_language}",
    "added": "“{piece}”, only in the changed {target_language}",
    "kept": "“{piece}”, log-probability {log}",
    "started": "Nothing is changed yet.",
}
