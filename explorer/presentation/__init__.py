"""Everything said or shown, described once and without Qt."""
