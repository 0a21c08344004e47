"""The commands of what runs."""
