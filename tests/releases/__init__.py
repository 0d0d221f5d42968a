"""What each release has stored: a backup of a small site, and what its links lead to.

`python -m tests.releases.make 1.1.0` writes the two files of a release on the day it is made; they
never change afterwards.
"""
