"""Architecture: the model, its shapes and its parameters."""
