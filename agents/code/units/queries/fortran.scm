(subroutine (subroutine_statement name: (name) @name)) @function
(function (function_statement name: (name) @name)) @function
(program (program_statement (name) @name)) @function
(derived_type_definition (derived_type_statement (type_name) @name)) @class
(subroutine_call subroutine: (_) @call)
(call_expression . (_) @call)
(use_statement (module_name) @import)
(comment) @comment
