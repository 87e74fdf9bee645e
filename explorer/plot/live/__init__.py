"""The live chart: mouse, keys, zoom, large clouds."""
