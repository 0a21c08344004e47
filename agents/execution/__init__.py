"""Running code that nobody vouches for: the sandbox, and the environments that code runs in."""
