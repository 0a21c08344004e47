"""Speed, memory and quality, each against a peer or a limit, in one run."""
