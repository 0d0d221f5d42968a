"""Example data for `manage.py demo`."""
