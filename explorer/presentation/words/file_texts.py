"""Sentences on files, YAML and fields, common to every reader."""

from explorer.presentation.words.messages import QT_TRANSLATE_NOOP, register

register(
    {
        "file.folder": QT_TRANSLATE_NOOP(
            "messages", "This folder holds no config.json and no GGUF file; choose the folder of a model."
        ),
        "file.unknown": QT_TRANSLATE_NOOP(
            "messages", "This is neither a study nor a hardware file nor a model (config.json, GGUF, safetensors)."
        ),
        "file.not_a_file": QT_TRANSLATE_NOOP("messages", "{file} is not a plain file; choose a file."),
        "file.read": QT_TRANSLATE_NOOP("messages", "{file} cannot be read ({reason}); check its name and permissions."),
        "file.write": QT_TRANSLATE_NOOP(
            "messages", "{file} cannot be written ({reason}); choose another folder or name."
        ),
        "file.too_large": QT_TRANSLATE_NOOP(
            "messages", "The file is larger than {limit} bytes; this cannot be the right file."
        ),
        "file.too_large_to_write": QT_TRANSLATE_NOOP(
            "messages", "The study is larger than {limit} bytes and could not be read again; remove measurements."
        ),
        "file.too_many_to_write": QT_TRANSLATE_NOOP(
            "messages",
            "The study holds more than {limit:,} values and could not be read again; "
            "remove measurements, or models with very long configs.",
        ),
        "file.not_utf8": QT_TRANSLATE_NOOP("messages", "The file is not UTF-8 text (byte {offset}); save it as UTF-8."),
        "file.nul": QT_TRANSLATE_NOOP("messages", "The file is not text: a NUL character stands at {offset}."),
        "config.half_character": QT_TRANSLATE_NOOP(
            "messages", "The file holds half a character (\\u{code}); save it again as UTF-8."
        ),
        "yaml.characters": QT_TRANSLATE_NOOP(
            "messages", "The text holds characters that YAML does not allow; remove control characters."
        ),
        "yaml.syntax": QT_TRANSLATE_NOOP(
            "messages", "Line {line}, column {column} is not valid YAML; check indentation, colons and quotes."
        ),
        "yaml.alias": QT_TRANSLATE_NOOP(
            "messages", "Line {line}, column {column}: anchors and aliases are not accepted; write the value out."
        ),
        "yaml.tag": QT_TRANSLATE_NOOP(
            "messages", "Line {line}, column {column}: the tag {tag} is not accepted; remove it."
        ),
        "yaml.too_deep": QT_TRANSLATE_NOOP(
            "messages", "Line {line}, column {column}: the nesting is too deep for such a file."
        ),
        "yaml.documents": QT_TRANSLATE_NOOP(
            "messages", "Line {line}: a second document begins; keep one document per file."
        ),
        "yaml.many": QT_TRANSLATE_NOOP(
            "messages",
            "The file holds more than {limit:,} values; keep fewer rows, measurements and long configs in one study.",
        ),
        "yaml.key": QT_TRANSLATE_NOOP("messages", "Line {line}, column {column}: a key must be a plain word."),
        "yaml.duplicate_key": QT_TRANSLATE_NOOP(
            "messages", "Line {line}: the key {key} stands twice; remove one of them."
        ),
        "yaml.not_mapping": QT_TRANSLATE_NOOP(
            "messages", "The file must consist of keys and values, as in “name: value”."
        ),
        "field.unknown": QT_TRANSLATE_NOOP("messages", "This key is unknown; use one of: {allowed}."),
        "field.missing": QT_TRANSLATE_NOOP("messages", "This key is missing; add it."),
        "field.invalid": QT_TRANSLATE_NOOP("messages", "This value cannot be used: {detail}."),
        "field.choice": QT_TRANSLATE_NOOP("messages", "“{got}” is not one of: {allowed}."),
        "field.number": QT_TRANSLATE_NOOP(
            "messages", "A number is expected, not “{got}”; write it without a unit, for example 3350e9."
        ),
        "field.integer": QT_TRANSLATE_NOOP("messages", "A whole number is expected, not “{got}”."),
        "field.text": QT_TRANSLATE_NOOP("messages", "Text is expected, not “{got}”; put it in quotes."),
        "field.boolean": QT_TRANSLATE_NOOP("messages", "true or false is expected, not “{got}”."),
        "field.null": QT_TRANSLATE_NOOP("messages", "No value is expected here, not “{got}”."),
        "field.list": QT_TRANSLATE_NOOP("messages", "A list is expected, not “{got}”; begin each entry with a dash."),
        "field.mapping": QT_TRANSLATE_NOOP("messages", "Keys and values are expected, not “{got}”."),
        "field.line": QT_TRANSLATE_NOOP("messages", "One line of 1 to 100 printable characters is expected."),
        "field.not_finite": QT_TRANSLATE_NOOP(
            "messages", "The figure must be finite; leave it out if it is not known."
        ),
        "field.not_positive": QT_TRANSLATE_NOOP(
            "messages", "The figure must be greater than zero, not {got}; leave it out if it is not known."
        ),
        "field.out_of_range": QT_TRANSLATE_NOOP(
            "messages", "The figure {got} is outside {low} to {high}; check its unit (FLOP/s, B/s, bytes, seconds)."
        ),
    }
)
