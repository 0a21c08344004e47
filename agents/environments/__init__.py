"""Python environments for code that nobody has vouched for: resolved and installed outside, mounted read-only."""
