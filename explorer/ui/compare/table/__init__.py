"""The table of a comparison in the window: a model, a kept picture, and the view that scrolls it under its names."""
