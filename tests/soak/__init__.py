"""What does the site lose, do twice or leave unsaid when its world breaks?

`python -m tests.soak` (`make soak`) starts sites of its own on this machine, lets honest devices
play at their tables, breaks what they stand on, and counts afterwards. CONTRIBUTING.md says how to
read its table.
"""
