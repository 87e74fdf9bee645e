"""What the other views, the decode panel and the memory bar show."""
