(function_declaration name: (_) @name) @function
(assignment_statement (variable_list . name: (_) @name) (expression_list . value: (function_definition))) @function
(variable_declaration) @wrapper
(function_call name: (_) @call)
((function_call name: (identifier) @_f arguments: (arguments (string) @import)) (#eq? @_f "require"))
(comment) @comment
