(function_definition (signature (call_expression . (_) @name))) @function
(function_definition (signature (typed_expression . (call_expression . (_) @name)))) @function
(function_definition (signature (where_expression . (call_expression . (_) @name)))) @function
(function_definition (signature (where_expression . (typed_expression . (call_expression . (_) @name))))) @function
(macro_definition (signature (call_expression . (_) @name))) @function
(assignment . (call_expression . (_) @name) (operator)) @function
(assignment . (where_expression . (call_expression . (_) @name)) (operator)) @function
(struct_definition (type_head [
  (identifier) @name
  (parametrized_type_expression . (identifier) @name)
  (binary_expression . (identifier) @name (_) @base)
  (binary_expression . (parametrized_type_expression . (identifier) @name) (_) @base)])) @class
(abstract_definition (type_head [(identifier) @name (binary_expression . (identifier) @name)])) @class
(call_expression . (_) @call)
(using_statement (_) @import)
(import_statement (_) @import)
((string_literal) @comment . [(function_definition) (struct_definition) (assignment) (macro_definition)])
[(line_comment) (block_comment)] @comment
