(class_definition name: (_) @name) @class
(object_definition name: (_) @name) @class
(trait_definition name: (_) @name) @class
(enum_definition name: (_) @name) @class
(function_definition name: (_) @name) @function
(extends_clause type: (_) @base)
(call_expression function: (_) @call)
(instance_expression (_) @call)
(import_declaration) @import
[(comment) (block_comment)] @comment
