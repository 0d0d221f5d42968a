"""Views on a device's resources."""
