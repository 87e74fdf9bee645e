"""What a model can be asked to do: one value for each phase."""
