"""Every prompt a model ever sees, one file each; data beside this module, never inside Python strings."""
