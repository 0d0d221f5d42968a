"""Reading marks from photos of paper sheets (docs/photos.md)."""
