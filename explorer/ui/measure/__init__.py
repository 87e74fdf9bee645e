"""Measuring, importing, fitting and diagnosing: the dialogs of the Measure menu."""
