(function_declaration name: (identifier) @name body: (_)) @function
(method_declaration
  receiver: (parameter_list (parameter_declaration type: [
    (type_identifier) @owner
    (generic_type type: (type_identifier) @owner)
    (pointer_type (type_identifier) @owner)
    (pointer_type (generic_type type: (type_identifier) @owner))]))
  name: (field_identifier) @name body: (_)) @function
(var_spec name: (identifier) @name value: (expression_list . (func_literal) .)) @function
(type_spec name: (type_identifier) @name) @class
(type_spec type: (struct_type (field_declaration_list (field_declaration !name type: (_) @base))))
(type_spec type: (interface_type (type_elem (_) @base)))
(type_declaration . "type" . (type_spec) .) @wrapper
(call_expression function: (_) @call)
(import_spec path: (_) @import)
(comment) @comment
