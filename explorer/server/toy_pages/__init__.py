"""Pages of models that were trained on the page, each below /toy/KEY/."""
