"""The job runner of `xkg code rewrite`: which code, in which order, each module written as soon as it is there."""
