"""The state of a run on disk: all that resuming needs, so that an interrupted run ends as if it had never stopped."""

import os
from dataclasses import asdict, astuple
from pathlib import Path
from typing import Any

import torch

from model import processes
from model.config import ModelConfig
from model.plan import Position
from model.recipe import TrainConfig
from model.tokenizer import Tokenizer
from model.trainer import Trainer

STATE, TOKENIZER = "state.pt", "tokenizer.model"


def own_state(trainer: Trainer) -> dict[str, Any]:
    """What each process of a run has of its own: random numbers to come, and its part of the loss."""
    own = {"rng": torch.get_rng_state(), "window": (trainer.window.loss.cpu(), trainer.window.pieces)}
    return own | ({"device_rng": torch.cuda.get_rng_state(trainer.device)} if trainer.device.type == "cuda" else {})


def restore_own(trainer: Trainer, own: dict[str, Any]) -> None:
    """A state from another kind of device has no random numbers for a GPU, which then starts from the seed."""
    torch.set_rng_state(own["rng"])
    if "device_rng" in own and trainer.device.type == "cuda":
        torch.cuda.set_rng_state(own["device_rng"], trainer.device)
    loss, trainer.window.pieces = own["window"]
    trainer.window.loss = loss.to(trainer.device)


def save(trainer: Trainer, path: Path) -> None:
    """Writes the state of all processes; a run killed meanwhile keeps its last one."""
    of_processes = processes.gather(own_state(trainer))
    if not processes.is_first():
        return
    state = {
        "config": asdict(trainer.config),
        "sizes": asdict(trainer.model.config),
        "model": trainer.model.state_dict(),
        "optimizer": trainer.optimizer.state_dict(),
        "average": (trainer.average.count, trainer.average.total),
        "position": astuple(trainer.position),
        "processes": of_processes,
        "before": trainer.previous_runs,
    }
    torch.save(state, path.with_suffix(".tmp"))
    os.replace(path.with_suffix(".tmp"), path)


def resume(folder: Path) -> Trainer:
    """The trainer as it was last saved, with the plan that it was started with.

    Raises ValueError where there are not as many processes as then.
    """
    state = torch.load(folder / STATE, map_location="cpu", weights_only=True)
    of_processes = state.get("processes", [state])  # a state from when there was always one holds that one's own
    if len(of_processes) != processes.count():
        raise ValueError(
            f"the run in {folder} has {len(of_processes)} processes and cannot be continued with "
            f"{processes.count()}; {processes.command(len(of_processes))} --resume --run {folder} goes on with it"
        )
    sizes = ModelConfig(**state["sizes"])
    trainer = Trainer(TrainConfig(**state["config"]), Tokenizer.load(folder / TOKENIZER), sizes)
    trainer.model.load_state_dict(state["model"])
    trainer.optimizer.load_state_dict(state["optimizer"])
    count, total = state["average"]
    trainer.average.count, trainer.average.total = count, {name: w.to(trainer.device) for name, w in total.items()}
    trainer.position = Position(*state["position"])
    trainer.previous_runs = state.get("before", [])
    restore_own(trainer, of_processes[processes.rank()])
    return trainer
