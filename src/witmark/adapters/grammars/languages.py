"""What each grammar calls a definition, a call, a throw, a string and an import.

Captures: ``@def`` with ``@name``, ``@class`` with ``@name``, ``@call`` (the name that is
called), ``@raise`` (what is raised), ``@string``, ``@comment``, ``@base``.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tongue:
    """One language: its grammar's module and function, its suffixes, and its query."""

    name: str
    module: str
    function: str
    suffixes: tuple[str, ...]
    query: str
    joint: str = "."  # between the parts of a qualified name


PYTHON = """
(function_definition name: (identifier) @name) @def
(class_definition name: (identifier) @name) @class
(class_definition superclasses: (argument_list [(identifier) (attribute)] @base))
(call function: (identifier) @call)
(call function: (attribute attribute: (identifier) @call))
(raise_statement [(call function: (identifier) @raise) (identifier) @raise])
(raise_statement (call function: (attribute attribute: (identifier) @raise)))
(string) @string
(comment) @comment
"""

JAVA = """
(method_declaration name: (identifier) @name) @def
(constructor_declaration name: (identifier) @name) @def
(class_declaration name: (identifier) @name) @class
(interface_declaration name: (identifier) @name) @class
(enum_declaration name: (identifier) @name) @class
(record_declaration name: (identifier) @name) @class
(superclass (type_identifier) @base)
(method_invocation name: (identifier) @call)
(object_creation_expression type: (type_identifier) @call)
(throw_statement (object_creation_expression type: (type_identifier) @raise))
(string_literal) @string
[(line_comment) (block_comment)] @comment
"""

SCRIPT = """
(function_declaration name: (identifier) @name) @def
(generator_function_declaration name: (identifier) @name) @def
(method_definition name: (property_identifier) @name) @def
(variable_declarator
  name: (identifier) @name value: [(arrow_function) (function_expression)]) @def
(call_expression function: (identifier) @call)
(call_expression function: (member_expression property: (property_identifier) @call))
(new_expression constructor: (identifier) @call)
(throw_statement (new_expression constructor: (identifier) @raise))
[(string) (template_string)] @string
(comment) @comment
"""

JAVASCRIPT = SCRIPT + "(class_declaration name: (identifier) @name) @class\n"
TYPESCRIPT = SCRIPT + "(class_declaration name: (type_identifier) @name) @class\n"

GO = """
(function_declaration name: (identifier) @name) @def
(method_declaration name: (field_identifier) @name) @def
(type_spec name: (type_identifier) @name) @class
(call_expression function: (identifier) @call)
(call_expression function: (selector_expression field: (field_identifier) @call))
[(interpreted_string_literal) (raw_string_literal)] @string
(comment) @comment
"""

C_SHARP = """
(method_declaration name: (identifier) @name) @def
(constructor_declaration name: (identifier) @name) @def
(class_declaration name: (identifier) @name) @class
(struct_declaration name: (identifier) @name) @class
(interface_declaration name: (identifier) @name) @class
(invocation_expression function: (identifier) @call)
(invocation_expression function: (member_access_expression name: (identifier) @call))
(object_creation_expression type: (identifier) @call)
(throw_statement (object_creation_expression type: (identifier) @raise))
[(string_literal) (verbatim_string_literal) (interpolated_string_expression)] @string
(comment) @comment
"""

RUST = """
(function_item name: (identifier) @name) @def
(struct_item name: (type_identifier) @name) @class
(enum_item name: (type_identifier) @name) @class
(trait_item name: (type_identifier) @name) @class
(impl_item type: (type_identifier) @name) @class
(call_expression function: (identifier) @call)
(call_expression function: (field_expression field: (field_identifier) @call))
(call_expression function: (scoped_identifier name: (identifier) @call))
(macro_invocation macro: (identifier) @call)
[(string_literal) (raw_string_literal)] @string
[(line_comment) (block_comment)] @comment
"""

C = """
(function_definition declarator: (function_declarator declarator: (identifier) @name)) @def
(function_definition declarator: (pointer_declarator
  declarator: (function_declarator declarator: (identifier) @name))) @def
(struct_specifier name: (type_identifier) @name body: (_)) @class
(call_expression function: (identifier) @call)
(call_expression function: (field_expression field: (field_identifier) @call))
(string_literal) @string
(comment) @comment
"""

CPP = (
    C
    + """
(function_definition
  declarator: (function_declarator declarator: (field_identifier) @name)) @def
(function_definition
  declarator: (function_declarator declarator: (qualified_identifier) @name)) @def
(class_specifier name: (type_identifier) @name body: (_)) @class
(throw_statement (call_expression function: (identifier) @raise))
"""
)

TONGUES = (
    Tongue("python", "tree_sitter_python", "language", (".py", ".pyi"), PYTHON),
    Tongue("java", "tree_sitter_java", "language", (".java",), JAVA),
    Tongue(
        "javascript",
        "tree_sitter_javascript",
        "language",
        (".js", ".mjs", ".cjs", ".jsx"),
        JAVASCRIPT,
    ),
    Tongue(
        "typescript",
        "tree_sitter_typescript",
        "language_typescript",
        (".ts", ".mts"),
        TYPESCRIPT,
    ),
    Tongue("tsx", "tree_sitter_typescript", "language_tsx", (".tsx",), TYPESCRIPT),
    Tongue("go", "tree_sitter_go", "language", (".go",), GO),
    Tongue("csharp", "tree_sitter_c_sharp", "language", (".cs",), C_SHARP),
    Tongue("rust", "tree_sitter_rust", "language", (".rs",), RUST, "::"),
    Tongue("c", "tree_sitter_c", "language", (".c", ".h"), C, "::"),
    Tongue(
        "cpp", "tree_sitter_cpp", "language", (".cc", ".cpp", ".cxx", ".hpp", ".hh"), CPP, "::"
    ),
)


def tongue_of(path: str) -> Tongue | None:
    """The language of a file, by its suffix.

    >>> tongue_of("a/b.py").name
    'python'
    """
    lower = path.lower()
    return next((one for one in TONGUES if lower.endswith(one.suffixes)), None)
