"""The job runner of `xkg code verify` and `xkg code run`: what is judged, by how many workers, what is kept."""
