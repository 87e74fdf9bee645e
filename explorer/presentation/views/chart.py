"""The roofline's chart alone."""

from explorer.presentation.roofline.build import build_figure
from explorer.presentation.views.declared import register_build

register_build("chart", lambda evaluation, look, _texts: build_figure(evaluation, look=look))
