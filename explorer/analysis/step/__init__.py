"""From rows to a step's totals on devices."""
