"""What people type and paste."""
