"""Why a toy is not trained, or not there."""

REFUSALS = {
    "full": "As many trainings wait as there is room for. Try again in a few minutes.",
    "unknown": "There is no such training. It may be long over: train it once more.",
    "room": "This toy was put away, because others needed its place. Train it once more: the same choices give it "
    "again.",
    "idle": "This toy was put away, because nobody looked at it for a while. Train it once more: the same choices give "
    "it again.",
    "left": "This training was given up. Train it once more: the same choices give it again.",
    "replaced": "This training was given up when you began another.",
    "closed": "The page is closing: no training can begin.",
    "early": "This toy has nothing to open yet. Stop its training, or wait until it is over.",
}
STATES = {
    "waiting": "Waiting: {ahead} other trainings come first.",
    "second": "Waiting: 1 other training comes first.",
    "next": "Waiting: this is the next training to begin.",
    "starting": "The training starts: its process takes a few seconds to come up.",
    "learning": "Training.",
    "stopped": "Stopped after {step} updates. It goes on where it stands.",
    "failed": "The training broke off: its process ended without a word (status {status}). Train it once more.",
    "stillborn": "The training could not begin: this machine has no room for another process. Try again in a while.",
}
FINISHED = {
    "reached": "Reached: {right} % of the held-out questions come out wholly right, after {seconds} seconds.",
    "time": "The time is over: after {seconds} seconds {right} % of the held-out questions come out wholly right.",
    "idle": "It was stopped for so long that it ended. {right} % of the held-out questions come out wholly right.",
    "ended": "It was ended, as others needed its memory. {right} % of the held-out questions come out wholly right.",
    "memory": "It took more memory than it may, and ended. {right} % of the held-out questions come out wholly right.",
}
