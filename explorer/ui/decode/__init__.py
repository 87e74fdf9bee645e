"""The decode panel and what stands in it."""
