"""Reading photos of pads that were not printed here: empty and filled sheets (docs/photos.md)."""
