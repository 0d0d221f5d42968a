"""News of tables for the pages that show them.

Whoever changes a table calls `publish` or `revoke` after the commit. `hub` knows the open streams
of this process, `bus` learns what other processes have changed, and `sse` is the endpoint of the
streams. The revision in the database is the truth: whoever misses a message reads it there.
"""
