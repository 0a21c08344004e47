(function_item name: (_) @name) @function
(struct_item name: (_) @name) @class
(enum_item name: (_) @name) @class
(union_item name: (_) @name) @class
(trait_item name: (_) @name) @class
(impl_item type: [(type_identifier) @name (generic_type type: (_) @name) (scoped_type_identifier name: (_) @name)]) @scope
(macro_definition name: (_) @name) @function
(call_expression function: (_) @call)
(macro_invocation macro: (_) @call)
(use_declaration argument: (_) @import)
[(line_comment) (block_comment)] @comment
