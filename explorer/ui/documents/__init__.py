"""Files of the window: opening, saving, recovery, export."""
