"""Languages of the site, importable without Django, because documents need them, too."""

LANGUAGES = [("de", "Deutsch"), ("en", "English"), ("fr", "Français")]
"""Code of each language with its name in that language, for users who read only that one."""
