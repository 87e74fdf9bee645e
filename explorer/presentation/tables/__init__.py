"""Tables as columns and rows: header, unit, value, text."""
