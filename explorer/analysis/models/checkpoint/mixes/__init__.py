"""File mixes of llama.cpp without the file: which type each tensor gets, and what a model then takes."""
