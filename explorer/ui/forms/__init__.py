"""Forms and dialogs in which one thing is edited."""
