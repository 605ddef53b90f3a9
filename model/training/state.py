"""The state of a run on disk: all that resuming needs, so that an interrupted run ends as if it had never stopped."""

import io
from dataclasses import asdict, astuple
from pathlib import Path
from pickle import UnpicklingError
from typing import Any
from zipfile import BadZipFile, ZipFile

import torch

from model.checkpoints.checkpoint import CONFIG, MOMENTS, RECORD, error_reason
from model.config import ModelConfig
from model.files import file_size, write_atomically
from model.tokenizer import TOKENIZER, Tokenizer
from model.training import distributed
from model.training.recipe import TrainConfig
from model.training.trainer import Position, Trainer

STATE = "state.pt"
REQUIRED_KEYS = {"config", "sizes", "model", "optimizer", "average", "position"}


def process_state(trainer: Trainer) -> dict[str, Any]:
    """What each process of a run has of its own: random numbers to come, and its part of the loss."""
    own = {"rng": torch.get_rng_state(), "window": (trainer.running_loss.loss.cpu(), trainer.running_loss.pieces)}
    return own | ({"device_rng": torch.cuda.get_rng_state(trainer.device)} if trainer.device.type == "cuda" else {})


def restore_process_state(trainer: Trainer, own: dict[str, Any]) -> None:
    """A state from another kind of device has no random numbers for a GPU, which then starts from the seed."""
    torch.set_rng_state(own["rng"])
    if "device_rng" in own and trainer.device.type == "cuda":
        torch.cuda.set_rng_state(own["device_rng"], trainer.device)
    loss, trainer.running_loss.pieces = own["window"]
    trainer.running_loss.loss = loss.to(trainer.device)


def save(trainer: Trainer, path: Path) -> None:
    """Writes the state of all processes; a run killed meanwhile keeps its last one.

    So does one that cannot save: it raises SaveError.
    """
    of_processes = distributed.gather_objects(process_state(trainer))
    if not distributed.is_first():
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
    packed = io.BytesIO()  # first into memory, so that a full disk is an error with a name
    torch.save(state, packed)
    write_atomically(path, packed.getbuffer())


def damaged_state_error(path: Path, error: Exception) -> ValueError:
    """The sentence about a state that is none, and what there is instead."""
    moments = [config.parent for config in (path.parent / MOMENTS).glob(f"*/{CONFIG}")]
    kept = sorted(moment for moment in moments if (moment / RECORD).exists())  # which is moved there last but the card
    ways = [f"--start {kept[-1]} begins a new run with the weights kept last"] if kept else []
    return ValueError(
        f"{path} is damaged, or no state of a run ({error_reason(error)}): nothing can be resumed from it. "
        + "; or ".join(["Put back a copy of it, if you have one", *ways, "begin anew in another folder with --run"])
    )


def verify_archive(path: Path) -> None:
    """Raises BadZipFile or ValueError unless a file is an archive of which every part has the checksum in it.

    torch writes checksums into its archives, and does not look at them when it reads.
    """
    with ZipFile(path) as archive:
        if part := archive.testzip():
            raise ValueError(f"its part {part} is not what was saved")


def read(path: Path) -> dict[str, Any]:
    """The state in a file. Raises ValueError, with a sentence, where there is none."""
    try:
        file_size(path)
        verify_archive(path)
        state = torch.load(path, map_location="cpu", weights_only=True)
        if missing := REQUIRED_KEYS - state.keys():
            raise ValueError(f"it has no {min(missing)}")
    except (OSError, BadZipFile, ValueError, RuntimeError, UnpicklingError, KeyError, AttributeError) as error:
        raise damaged_state_error(path, error) from error
    return state


def resume(folder: Path) -> Trainer:
    """The trainer as it was last saved, with the plan that it was started with.

    Raises ValueError where the state cannot be read, or where there are not as many processes as then.
    """
    state = read(folder / STATE)
    of_processes = state.get("processes", [state])  # a state from when there was always one holds that one's own
    if len(of_processes) != distributed.process_count():
        raise ValueError(
            f"the run in {folder} has {len(of_processes)} processes and cannot be continued with "
            f"{distributed.process_count()}; {distributed.launch_command(len(of_processes))} --resume --run {folder} "
            "goes on with it"
        )
    try:
        config, sizes = TrainConfig(**state["config"]), ModelConfig(**state["sizes"])
        position = Position(*state["position"])
    except (TypeError, ValueError) as error:
        raise damaged_state_error(folder / STATE, error) from error
    trainer = Trainer(config, Tokenizer.load(folder / TOKENIZER), sizes)
    try:
        restore(trainer, state, of_processes[distributed.rank()])
    except (TypeError, ValueError, KeyError, RuntimeError) as error:
        raise damaged_state_error(folder / STATE, error) from error
    trainer.position = position
    return trainer


def restore(trainer: Trainer, state: dict[str, Any], own: dict[str, Any]) -> None:
    """Puts into a new trainer what it had when it was saved."""
    trainer.model.load_state_dict(state["model"])
    trainer.optimizer.load_state_dict(state["optimizer"])
    count, total = state["average"]
    trainer.average.count, trainer.average.total = count, {name: w.to(trainer.device) for name, w in total.items()}
    trainer.previous_runs = state.get("before", [])
    restore_process_state(trainer, own)
