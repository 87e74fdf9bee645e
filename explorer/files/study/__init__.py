"""Study files and the examples."""
