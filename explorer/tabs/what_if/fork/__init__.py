"""Another piece: the decoding goes on from a piece that greedy decoding would not have taken."""
