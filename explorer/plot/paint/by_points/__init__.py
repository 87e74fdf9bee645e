"""What stands beside points: their labels, and arrows to their roofs."""
