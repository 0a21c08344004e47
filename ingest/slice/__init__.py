"""From a code unit to a module that stands alone."""
