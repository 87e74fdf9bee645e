"""Where the rows and bytes of a step lie: the one place that knows how many devices there are, and their links."""
