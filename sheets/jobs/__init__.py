"""Database queue for jobs that take minutes, and the worker process that runs them."""
