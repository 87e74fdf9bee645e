"""Things side by side: machines, models, formats, what-ifs or measurements, and their figures against a baseline."""
