"""What is said beside a figure: how experts are routed, that launches are unknown, where a growth holds."""
