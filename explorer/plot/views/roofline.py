"""The roofline on paper is a slide."""

from explorer.plot.views.registered import register_painter
from explorer.plot.views.slide import paint_slide
from explorer.presentation.slide.slide import Slide

register_painter(Slide, paint_slide)
