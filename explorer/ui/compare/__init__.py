"""Parts of the Compare tab: its controls, its table with a frozen column, chips of flips, charts."""
