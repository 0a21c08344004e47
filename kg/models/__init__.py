"""The boxes that travel from source to graph: frozen, typed, and readable back from their own JSON."""
