"""The roofline on paper: a slide with the finding, the chart and the table that decides."""

from explorer.presentation.slide.slide import build_slide
from explorer.presentation.views.declared import register_build

register_build("roofline", build_slide)
