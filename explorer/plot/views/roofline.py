"""The roofline on paper is its chart, in the frame that every view has."""

import explorer.plot.views.chart  # noqa: F401 - registers the painter
