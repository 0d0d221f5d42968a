"""English formats, unambiguous for British and American readers."""
