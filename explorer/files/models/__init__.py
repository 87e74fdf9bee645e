"""Files of models: configs, GGUF, safetensors, presets."""
