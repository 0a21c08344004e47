(function_definition declarator: (_) body: (_)) @function
(struct_specifier name: (type_identifier) @name body: (_)) @class
(union_specifier name: (type_identifier) @name body: (_)) @class
(enum_specifier name: (type_identifier) @name body: (_)) @class
(type_definition type: [(struct_specifier !name body: (_)) (union_specifier !name body: (_)) (enum_specifier !name body: (_))]
  declarator: (type_identifier) @name) @class
(preproc_function_def name: (identifier) @name value: (_)) @function
(call_expression function: (_) @call)
(preproc_include path: (_) @import)
(comment) @comment
(declaration declarator: [(function_declarator) (pointer_declarator)]) @declared
