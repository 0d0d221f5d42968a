"""Snapshots of the stored data of each release: a backup of a small site, and its links.

`python -m tests.releases.make 1.1.0` writes the two files of a release on its day; they never
change afterwards.
"""
