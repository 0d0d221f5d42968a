"""From photos of paper sheets to marks: what was seen is looked at by a person, then taken over."""
