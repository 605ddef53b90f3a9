"""Hide a piece: what each German piece loses where an English one is not seen."""
