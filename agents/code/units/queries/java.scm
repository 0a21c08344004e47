(class_declaration name: (identifier) @name) @class
(interface_declaration name: (identifier) @name) @class
(enum_declaration name: (identifier) @name) @class
(record_declaration name: (identifier) @name) @class
(annotation_type_declaration name: (identifier) @name) @class
(enum_constant name: (identifier) @name body: (class_body)) @constant
(method_declaration name: (identifier) @name body: (block)) @function
(constructor_declaration name: (identifier) @name) @function
(compact_constructor_declaration name: (identifier) @name) @function
(superclass (_) @base)
(super_interfaces (type_list (_) @base))
(extends_interfaces (type_list (_) @base))
(method_invocation) @call
(object_creation_expression type: (_) @call)
(method_reference (identifier) @call .)
(import_declaration [(scoped_identifier) (identifier)] @import)
[(line_comment) (block_comment)] @comment
