"""What dev.py does: its commands, the environment they need, and the tools they start."""
