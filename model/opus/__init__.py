"""The public OPUS-MT translators (Tiedemann and Thottingal 2020), which Marian trained, as checkpoints of ours."""
