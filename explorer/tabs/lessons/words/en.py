"""What the tab of lessons says."""

TAB = "Lessons"

HTML = {
    "room": "Lessons",
    "intro": "Guess first, then do it on the page itself, and see how far the model is from your guess. A lesson "
    "stands beside the page while you work; you can close it and go on later. Your guesses stay in this browser.",
}
CARD = {
    "minutes": "{minutes} minutes",
    "steps": "{steps} steps",
    "new": "not begun",
    "at": "step {step} of {steps}",
    "over": "done",
    "score": "done, {same} of {made} guessed as the model did",
    "start": "Start",
    "resume": "Go on",
    "again": "Again",
    "away": "This lesson needs the program: plain files lack a room that it leads through.",
}
FOREIGN = (
    "The lessons that come with this page speak of the checkpoint that comes with it. Another one is loaded, of which "
    "they might not be true. Lessons of your own are shown by `python app.py --model NAME --lessons FOLDER`, and "
    "`python -m explorer.lessons --model NAME FOLDER` checks whether what they claim holds."
)
