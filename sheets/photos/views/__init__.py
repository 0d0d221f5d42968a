"""Views of the photo pages."""
