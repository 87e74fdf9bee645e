"""Files of devices."""
