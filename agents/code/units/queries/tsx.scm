(function_declaration name: (_) @name) @function
(generator_function_declaration name: (_) @name) @function
(class_declaration name: (_) @name) @class
(abstract_class_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @class
(enum_declaration name: (_) @name) @class
(method_definition name: (_) @name) @function
(public_field_definition name: (_) @name value: [(arrow_function) (function_expression)]) @function
(variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression) (generator_function)]) @function
(assignment_expression left: (member_expression) @name right: [(arrow_function) (function_expression)]) @function
(class_heritage (extends_clause value: (_) @base))
(class_heritage (implements_clause (_) @base))
(call_expression function: (_) @call)
(new_expression constructor: (_) @call)
(import_statement source: (_) @import)
[(lexical_declaration) (variable_declaration) (export_statement)] @wrapper
(comment) @comment
