"""What each part of the product adds: a bench of quality, run with one feature off at a time."""
