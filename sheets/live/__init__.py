"""News of tables for the pages that show them.

Code that changes a table calls `publish` or `revoke` after the commit. `hub` has the open streams
of this process, `bus` detects changes by other processes, and `sse` is the endpoint of the streams.
The revision in the database is authoritative: a process that misses a message reads it there.
"""
