// The vector indexes with their dimensions.
// params:
// returns: name, dimension
// access: read
SHOW VECTOR INDEXES YIELD name, options
RETURN name, options.indexConfig['vector.dimensions'] AS dimension
ORDER BY name
