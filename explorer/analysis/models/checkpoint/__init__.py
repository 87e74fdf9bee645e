"""How a checkpoint stores its tensors."""
