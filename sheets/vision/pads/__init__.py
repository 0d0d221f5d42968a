"""Reading of photos of purchased pads: empty and filled sheets (docs/photos.md)."""
