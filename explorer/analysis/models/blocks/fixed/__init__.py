"""Blocks over inputs whose size the model fixes: a picture's patches, the frames of some seconds of sound."""
