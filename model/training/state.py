"""The state of a run on disk: all that resuming needs for the run to end as if it had never stopped."""

import io
from dataclasses import asdict, astuple
from pathlib import Path
from pickle import UnpicklingError
from typing import Any
from zipfile import BadZipFile, ZipFile

import torch

from model.checkpoints.checkpoint import CONFIG, MOMENTS, RECORD, error_reason
from model.config import ModelConfig
from model.errors import UserError
from model.files import file_size, write_atomically
from model.tokenizer import TOKENIZER, Tokenizer
from model.training import distributed
from model.training.recipe import TrainConfig
from model.training.trainer import Position, Trainer

STATE = "state.pt"
REQUIRED_KEYS = {"config", "sizes", "model", "optimizer", "average", "position"}


def process_state(trainer: Trainer) -> dict[str, Any]:
    """What differs between the processes of a run: the state of random generators, and the running loss."""
    of_process = {
        "rng": torch.get_rng_state(),
        "window": (trainer.running_loss.loss.cpu(), trainer.running_loss.pieces),
    }
    return of_process | (
        {"device_rng": torch.cuda.get_rng_state(trainer.device)} if trainer.device.type == "cuda" else {}
    )


def save(trainer: Trainer, path: Path) -> None:
    """Writes the state of all processes. If the run is killed meanwhile, its last state stays.

    Raises SaveError if it cannot be written; then, too, the last state stays.
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
    buffer = io.BytesIO()  # in memory first, so that a full disk raises an OSError
    torch.save(state, buffer)
    with buffer.getbuffer() as data:  # let go also when writing fails: a buffer that is lent out cannot be closed
        write_atomically(path, data)


def damaged_state_error(path: Path, error: Exception) -> UserError:
    """The error for a state that cannot be read, with what to do instead."""
    moments = [config.parent for config in (path.parent / MOMENTS).glob(f"*/{CONFIG}")]
    complete = sorted(moment for moment in moments if (moment / RECORD).exists())  # only the card is written later
    ways = [f"--start {complete[-1]} begins a new run with the weights kept last"] if complete else []
    reason = error_reason(error) if isinstance(error, OSError | ValueError) else "it is cut off, or of another program"
    return UserError(
        f"{path} is damaged, or no state of a run ({reason}): nothing can be resumed from it. "
        + "; or ".join(["Put back a copy of it, if you have one", *ways, "begin anew in another folder with --run"])
    )


def read(path: Path) -> dict[str, Any]:
    """The state in a file. Raises UserError if it cannot be read."""
    try:
        file_size(path.resolve())  # raises unless it is a regular file
        with ZipFile(path) as archive:
            if part := archive.testzip():  # torch does not verify the checksums of the parts
                raise ValueError(f"its part {part} is not what was saved")
        state = torch.load(path, map_location="cpu", weights_only=True)
        if missing := REQUIRED_KEYS - state.keys():
            raise ValueError(f"it has no {min(missing)}")
    except (OSError, BadZipFile, ValueError, RuntimeError, UnpicklingError, KeyError, AttributeError) as error:
        raise damaged_state_error(path, error) from error
    return state


def resume(folder: Path) -> Trainer:
    """The trainer as it was last saved, with its original plan.

    Raises UserError if the state cannot be read, or was saved by another number of processes.
    """
    state = read(folder / STATE)
    of_processes = state.get("processes", [state])  # old states, of one process, hold its part themselves
    if len(of_processes) != distributed.process_count():
        raise UserError(
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


def restore(trainer: Trainer, state: dict[str, Any], of_process: dict[str, Any]) -> None:
    """Puts a saved state, and what differs between the processes, into a new trainer."""
    trainer.model.load_state_dict(state["model"])
    trainer.optimizer.load_state_dict(state["optimizer"])
    count, total = state["average"]
    trainer.average.count, trainer.average.total = count, {name: w.to(trainer.device) for name, w in total.items()}
    trainer.previous_runs = state.get("before", [])
    torch.set_rng_state(of_process["rng"])
    if "device_rng" in of_process and trainer.device.type == "cuda":  # else a GPU's generator starts from the seed
        torch.cuda.set_rng_state(of_process["device_rng"], trainer.device)
    loss, trainer.running_loss.pieces = of_process["window"]
    trainer.running_loss.loss = loss.to(trainer.device)
