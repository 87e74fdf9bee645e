"""Decoders from before and beside Llama: layer norms, biases, learnt positions or ALiBi, parallel halves."""
