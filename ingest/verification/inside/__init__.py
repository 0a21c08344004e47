"""What runs inside the sandbox for `xkg code run`: standard library only, for Python 3.6 and later."""
