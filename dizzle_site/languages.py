"""Which languages can the site be read in? Free of Django: documents ask for it, too."""

# Each in its own words, for who does not read the other.
LANGUAGES = [("de", "Deutsch"), ("en", "English")]
