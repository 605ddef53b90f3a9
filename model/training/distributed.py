"""The processes of a run, one for each device, as torchrun starts them; without torchrun there is one.

    torchrun --standalone --nproc-per-node 4 -m -- model.train --pairs a.tsv.gz --run runs/mine --minutes 100

Every process holds all weights, takes its share of the rows of every batch, and makes the same update, because the
gradients are averaged (`averaging_gradients`). Whatever else they tell each other goes from CPU to CPU, so that no
process waits for its own device. In each, `RANK` of the environment says which it is, from 0 on; the first one
writes all files.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

T = TypeVar("T")


def rank() -> int:
    """Which process this is."""
    return dist.get_rank() if dist.is_initialized() else 0


def process_count() -> int:
    """How many processes train together."""
    return dist.get_world_size() if dist.is_initialized() else 1


def is_first() -> bool:
    """Whether this process writes the files."""
    return rank() == 0


def local_rank() -> int:
    """Which of the devices of its machine this process takes."""
    return int(os.environ["LOCAL_RANK"]) if dist.is_initialized() else 0


@contextmanager
def process_group() -> Iterator[None]:
    """The processes that torchrun started know each other inside."""
    if not dist.is_torchelastic_launched() or os.environ["WORLD_SIZE"] == "1":
        yield
        return
    dist.init_process_group("cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo")
    yield
    # Not after an error: leaving in order waits for the others, who may be gone.
    dist.destroy_process_group()


def data_parallel(module: nn.Module) -> nn.Module:
    """The module, with the first process's weights; backward passes leave the mean gradient of all processes."""
    if process_count() == 1:
        return module
    return DistributedDataParallel(module, broadcast_buffers=False, gradient_as_bucket_view=True)


def sum_over_processes(*figures: float | int) -> list[float]:
    """The sum over all processes of each figure."""
    if process_count() == 1:
        return [float(figure) for figure in figures]
    sums = torch.tensor(figures, dtype=torch.float64)
    dist.all_reduce(sums)
    return sums.tolist()


def sync_stop(seconds: float | int, stop: bool) -> tuple[float, bool]:
    """The first process's clock, and whether any process is to stop: what all of them go by."""
    if process_count() == 1:
        return float(seconds), stop
    said = torch.tensor([seconds if is_first() else 0.0, float(stop)], dtype=torch.float64)
    dist.all_reduce(said, dist.ReduceOp.MAX)
    return said[0].item(), said[1].item() > 0


def gather_objects(own: Any) -> list[Any]:
    """What each process holds, in order of rank."""
    if process_count() == 1:
        return [own]
    gathered = [None] * process_count()
    dist.all_gather_object(gathered, own)
    return gathered


def broadcast_from_first(make: Callable[[], T]) -> T:
    """What the first process makes, for all of them; the others wait for it."""
    if process_count() == 1:
        return make()
    made: list[Any] = [make() if is_first() else None]
    dist.broadcast_object_list(made)
    return made[0]


def launch_command(number: int) -> str:
    """The words that start a run of so many processes, on one machine."""
    if number == 1:
        return "python -m model.train"
    # Without the two dashes torchrun takes --run and --start for abbreviations of its own options.
    return f"torchrun --standalone --nproc-per-node {number} -m -- model.train"
