"""The commands that read sources."""
