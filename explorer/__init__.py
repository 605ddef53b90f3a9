"""The window on the Transformer, for notebooks too: record a translation, draw its attention, follow a weight.

    from explorer import attention_heatmap, record
    from model import checkpoint
    trace = record(checkpoint.load(), "A man is riding a bicycle.")

Nothing here needs Gradio; the page around it is made by `explorer.page.ui.create_ui`.
"""

from explorer.notebook.cell import Arithmetic, cell
from explorer.notebook.heatmap import attention_heatmap
from explorer.recording.forward_pass import Pass, record_pass
from explorer.recording.head import Head, head_of
from explorer.recording.lengths import Parts, lengths, parts
from explorer.recording.rollout import rollout
from explorer.recording.trace import AttentionMap, Trace, record, record_forced

__all__ = [
    "Arithmetic",
    "AttentionMap",
    "Head",
    "Parts",
    "Pass",
    "Trace",
    "attention_heatmap",
    "cell",
    "head_of",
    "lengths",
    "parts",
    "record",
    "record_forced",
    "record_pass",
    "rollout",
]
