(binary_operator lhs: [(identifier) (string)] @name rhs: (function_definition)) @function
(call function: (_) @call)
((call function: (identifier) @_f arguments: (arguments . (argument value: (_) @import))) (#any-of? @_f "library" "require" "source"))
(comment) @comment
