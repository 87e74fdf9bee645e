"""What stands behind the layers of a model, as the class that its config names has it."""
