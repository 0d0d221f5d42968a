"""Suggested levels: what is wished for, outlines to fill, the search for one that plays well."""
