"""The atlas of a checkpoint: what makes every neuron fire and where every head looks, with evidence.

    python -m explorer.atlas --model FOLDER --pairs FILE

writes it beside the checkpoint, and `explorer.Atlas.load(FOLDER)` reads it. A neuron is one of the d_ff numbers of a
feed-forward network's hidden layer; it fires at a position where that number is above 0. docs/atlas.md explains how an
atlas is made and what it cannot say.
"""
