"""Figures that subjects are compared by, each declared once: of the machine, of the step, of what was measured."""
