"""What the page says above its tabs."""

TITLE = "Attention Explorer"
SUBTITLE = "Look inside a Transformer while it translates English into German, one piece at a time."
MODEL = "{layers} + {layers} layers, {heads} heads, {millions:.1f} M parameters, on {device}."
