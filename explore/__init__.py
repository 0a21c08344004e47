"""Pages on loopback to explore a graph with: papers beside their techniques, techniques with their code, the
neighbourhood as a picture, the curator's queue.

Everything that is shown is untrusted text: templates escape, `kg.markup` builds what is more than text out of known
parts alone, and `guard` tells the browser to run nothing and fetch nothing.
"""
