"""Sizes for people."""


def human_size(size: int) -> str:
    """A number of bytes with a binary unit and one decimal: 1536 is "1.5 KiB"."""
    value = float(size)
    for unit in ("B", "KiB", "MiB"):
        if value < 1024:
            return f"{value:.0f} {unit}" if unit == "B" else f"{value:.1f} {unit}"
        value /= 1024
    return f"{value:.1f} GiB"
