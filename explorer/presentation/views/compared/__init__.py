"""Charts of things side by side: bars, rooflines, maps and curves of the subjects of a comparison."""
