"""Where a model's parameters are: a table of its modules, like torchinfo's.

    python -m model.parameters
    python -m model.parameters --preset seed

Modules without parameters, such as dropout and computed positions, have no row. A matrix that several modules share is
counted for the first of them; the others name it.
"""

import argparse
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from torch import nn

from model import command
from model.checkpoints import checkpoint
from model.checkpoints.weights import model_without_values
from model.config import PRESETS, ModelConfig

BYTES_PER_PARAMETER = 4  # of a 32-bit float


class ModuleParameters(NamedTuple):
    """A module of a model, and its parameters."""

    path: str  # as in `model.get_submodule(path)`; empty for the whole model
    kind: str  # its class
    shapes: dict[str, tuple[int, ...]]  # of its own parameters, without those of its submodules
    tied: dict[str, str]  # those that an earlier module has counted, and where
    parameters: int  # of it and its submodules, without those counted earlier
    share: float  # of the whole model's parameters

    @property
    def depth(self) -> int:
        return len(self.path.split(".")) if self.path else 0

    @property
    def shapes_text(self) -> str:
        """Its own parameters as text: `weight [16000, 256] (that of encoder.embedding.tokens)`."""
        return ", ".join(f"{name} {list(shape)}{self.owner(name)}" for name, shape in self.shapes.items())

    def owner(self, name: str) -> str:
        return f" (that of {self.tied[name].rpartition('.')[0]})" if name in self.tied else ""


def parameter_counts(model: nn.Module) -> Counter[str]:
    """The sizes of modules and parameters by their paths, without parameters that an earlier module has counted."""
    counts: Counter[str] = Counter()
    for name, parameter in model.named_parameters():
        parts = name.split(".")
        counts.update({".".join(parts[:end]): parameter.numel() for end in range(len(parts) + 1)})
    return counts


def parameter_table(model: nn.Module) -> list[ModuleParameters]:
    """A row for every module with parameters, the whole model first, each before its submodules."""
    first, counts = {parameter: name for name, parameter in model.named_parameters()}, parameter_counts(model)

    def part(path: str, module: nn.Module) -> ModuleParameters:
        prefix = f"{path}." if path else ""
        held = dict(module.named_parameters(recurse=False))
        tied = {name: first[p] for name, p in held.items() if first[p] != prefix + name}
        shapes = {name: tuple(parameter.shape) for name, parameter in held.items()}
        return ModuleParameters(path, type(module).__name__, shapes, tied, counts[path], counts[path] / counts[""])

    modules = model.named_modules(remove_duplicate=False)
    return [part(path, module) for path, module in modules if next(module.parameters(), None) is not None]


def format_table(rows: Sequence[ModuleParameters]) -> str:
    """The rows as text, indented by depth, with the total below."""
    names = [f"{'  ' * row.depth}{row.path.rpartition('.')[2] or row.kind}" for row in rows]
    width, shapes_text = max(map(len, names)), max(len(row.shapes_text) for row in rows)
    lines = [f"{'module':<{width}}  {'class':<18}  {'its own':<{shapes_text}}  {'parameters':>12}  {'share':>8}"]
    for name, row in zip(names, rows, strict=True):
        numbers = f"{row.parameters:>12,}  {row.share:>8.2%}"
        lines.append(f"{name:<{width}}  {row.kind:<18}  {row.shapes_text:<{shapes_text}}  {numbers}")
    total = rows[0].parameters
    return "\n".join([*lines, f"\n{total:,} parameters: {total * BYTES_PER_PARAMETER / 1e6:.2f} MB as 32-bit floats"])


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser("python -m model.parameters", description="Prints where the parameters are.")
    chosen = parser.add_mutually_exclusive_group()
    command.add_model(chosen)
    chosen.add_argument("--preset", choices=PRESETS, help="sizes alone, without a checkpoint")
    options = parser.parse_args(arguments)
    with command.exit_on_error("python -m model.parameters"):
        if options.preset:
            model = model_without_values(ModelConfig.preset(options.preset))
        else:
            model = checkpoint.load(options.model).model
    print(format_table(parameter_table(model)))


if __name__ == "__main__":
    main()
