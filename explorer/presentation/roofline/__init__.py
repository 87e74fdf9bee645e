"""The roofline of an evaluation as one figure for screen and paper."""
