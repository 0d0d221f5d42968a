"""Documents that come from outside: what is well formed, what is in them, what is wrong."""
