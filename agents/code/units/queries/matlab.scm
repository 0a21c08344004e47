(function_definition name: (_) @name (function_arguments)? . (comment) @doc) @function
(function_definition name: (_) @name) @function
(class_definition name: (_) @name) @class
(superclasses (_) @base)
(function_call name: (_) @call)
(comment) @comment
