"""Public OPUS-MT models (Tiedemann and Thottingal 2020), trained with Marian, as checkpoints of this project."""
