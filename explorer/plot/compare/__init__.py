"""The table of a comparison as the window and paper draw it: sizes, places, painting."""
