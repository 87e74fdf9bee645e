"""What holds the window's panels together: the column at the right, levers, presentation mode."""
