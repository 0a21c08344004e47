"""Sources become graph: acquire, parse, extract, ground, write."""
