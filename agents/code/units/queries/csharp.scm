(class_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @class
(struct_declaration name: (_) @name) @class
(record_declaration name: (_) @name) @class
(enum_declaration name: (_) @name) @class
(method_declaration name: (_) @name body: (_)) @function
(constructor_declaration name: (_) @name) @function
(local_function_statement name: (_) @name) @function
(base_list (_) @base)
(invocation_expression function: (_) @call)
(object_creation_expression type: (_) @call)
(using_directive [(identifier) (qualified_name)] @import)
(comment) @comment
