"""Public OPUS-MT models (Tiedemann and Thottingal 2020) as checkpoints of this project, and checkpoints as theirs."""
