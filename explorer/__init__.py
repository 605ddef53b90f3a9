"""The window on the Transformer, for notebooks too: record a translation, draw its attention, follow a
weight, change something and see what the model does then.

    from explorer import attention_heatmap, record
    from model import checkpoint
    trace = record(checkpoint.load(), "A man is riding a bicycle.")

Nothing here needs Gradio; the page around it is made by `explorer.page.ui.create_ui`.
"""

from explorer.atlas.atlas import Atlas
from explorer.experiments.experiment import CellAt, Experiment, HeadAt, NeuronAt, Patch, experiment_of
from explorer.experiments.neuron_ranking import rank_neurons
from explorer.experiments.omission import omission
from explorer.experiments.patching import cell_targets, find_divergence, runs
from explorer.experiments.ranking import all_heads, rank_heads
from explorer.experiments.running import rescored, run
from explorer.files.export_trace import describe_model, json_of, npz_of
from explorer.files.matrix import csv_of
from explorer.notebook.cell import Arithmetic, cell
from explorer.notebook.heatmap import attention_heatmap
from explorer.notebook.view import AttentionView, compare
from explorer.recording.contributions import Contributions, contributions
from explorer.recording.directions import directions
from explorer.recording.forward_pass import ForwardPass, record_pass
from explorer.recording.head import Head, head_of
from explorer.recording.likelihood import likelihood
from explorer.recording.rollout import rollout
from explorer.recording.trace import AttentionMap, Trace, record, record_forced
from explorer.recording.vector_lengths import Parts, lengths, parts

__all__ = [
    "Arithmetic",
    "Atlas",
    "AttentionMap",
    "AttentionView",
    "CellAt",
    "Contributions",
    "Experiment",
    "ForwardPass",
    "Head",
    "HeadAt",
    "NeuronAt",
    "Parts",
    "Patch",
    "Trace",
    "all_heads",
    "attention_heatmap",
    "cell",
    "cell_targets",
    "compare",
    "contributions",
    "csv_of",
    "describe_model",
    "directions",
    "experiment_of",
    "find_divergence",
    "head_of",
    "json_of",
    "lengths",
    "likelihood",
    "npz_of",
    "omission",
    "parts",
    "rank_heads",
    "rank_neurons",
    "record",
    "record_forced",
    "record_pass",
    "rescored",
    "rollout",
    "run",
    "runs",
]
