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
(class_specifier name: (_) @name body: (_)) @class
(struct_specifier name: (template_type) @name body: (_)) @class
(base_class_clause [(type_identifier) (template_type) (qualified_identifier)] @base)
(new_expression type: (_) @call)
(template_declaration) @wrapper
(declaration declarator: [(function_declarator) (pointer_declarator) (reference_declarator)]) @declared
(field_declaration declarator: [(function_declarator) (pointer_declarator) (reference_declarator)]) @declared
