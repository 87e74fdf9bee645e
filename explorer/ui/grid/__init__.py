"""The machinery of every table: model, view, delegate, cells."""
