"""The document: a study, its parts, edits and checks."""
