"""Views of workshop levels."""
