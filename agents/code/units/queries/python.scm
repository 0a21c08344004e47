(function_definition name: (identifier) @name body: (block . (string) @doc)) @function
(function_definition name: (identifier) @name) @function
(class_definition name: (identifier) @name body: (block . (string) @doc)) @class
(class_definition name: (identifier) @name) @class
(class_definition superclasses: (argument_list [(identifier) (attribute)] @base))
(decorated_definition) @wrapper
(call function: (_) @call)
(import_statement name: (dotted_name) @import)
(import_statement name: (aliased_import name: (dotted_name) @import))
(import_from_statement module_name: (_) @import)
