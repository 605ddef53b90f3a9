"""The processes of a run, one for each device, as torchrun starts them; without torchrun there is one.

    torchrun --standalone --nproc-per-node 4 -m -- model.train --pairs a.tsv.gz --run runs/mine --minutes 100

Every process holds all weights, computes its part of every batch, and makes the same update, because the gradients are
averaged (`data_parallel`). All other communication goes from CPU to CPU, so that no process waits for its own device.
The environment variable `RANK` numbers the processes from 0 on; the first one writes all files.
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
    """The number of this process, from 0 on."""
    return dist.get_rank() if dist.is_initialized() else 0


def process_count() -> int:
    """The number of processes that train together."""
    return dist.get_world_size() if dist.is_initialized() else 1


def is_first() -> bool:
    """Whether this process writes the files."""
    return rank() == 0


def local_rank() -> int:
    """The number of the device on its machine that this process uses."""
    return int(os.environ["LOCAL_RANK"]) if dist.is_initialized() else 0


@contextmanager
def process_group() -> Iterator[None]:
    """Connects the processes that torchrun started, inside the `with` block."""
    if not dist.is_torchelastic_launched() or os.environ["WORLD_SIZE"] == "1":
        yield
        return
    dist.init_process_group("cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo")
    yield
    # Not after an error, because this waits for the others, which may have ended.
    dist.destroy_process_group()


def data_parallel(module: nn.Module) -> nn.Module:
    """Wraps the module: it starts with the first process's weights, and gradients become the mean over processes."""
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
    """The first process's seconds, and whether any process is to stop; the same result in all of them."""
    if process_count() == 1:
        return float(seconds), stop
    shared = torch.tensor([seconds if is_first() else 0.0, float(stop)], dtype=torch.float64)
    dist.all_reduce(shared, dist.ReduceOp.MAX)
    return shared[0].item(), shared[1].item() > 0


def gather_objects(value: Any) -> list[Any]:
    """The objects of all processes, in order of rank."""
    if process_count() == 1:
        return [value]
    gathered = [None] * process_count()
    dist.all_gather_object(gathered, value)
    return gathered


def broadcast_from_first(make: Callable[[], T]) -> T:
    """Calls `make` in the first process, and returns its result in all of them."""
    if process_count() == 1:
        return make()
    objects: list[Any] = [make() if is_first() else None]
    dist.broadcast_object_list(objects)
    return objects[0]


def launch_command(n_processes: int) -> str:
    """The command that starts a run of so many processes on one machine."""
    if n_processes == 1:
        return "python -m model.train"
    # Without the two dashes torchrun reads --run and --start as abbreviations of its own options.
    return f"torchrun --standalone --nproc-per-node {n_processes} -m -- model.train"
