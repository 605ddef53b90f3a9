"""python -m model.train with the tests' tiny preset, in a process that sends itself a signal when it is told to.

python or torchrun tests/tiny_run.py RANK STEP SIGNAL FLAGS...
"""

import os
import signal
import sys

from tiny_training import TINY

from model.config import PRESETS
from model.train import main
from model.training.data import Batch
from model.training.trainer import Trainer

rank, step, name, *words = sys.argv[1:]
PRESETS["tiny"] = TINY
train_step = Trainer.train_step


def train_step_and_signal(trainer: Trainer, batch: Batch) -> None:
    train_step(trainer, batch)
    if trainer.position.step == int(step) and os.environ.get("RANK", "0") == rank:
        os.kill(os.getpid(), signal.Signals[name])


Trainer.train_step = train_step_and_signal
main(words)
