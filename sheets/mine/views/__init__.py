"""The pages of what a device has."""
