"""Soak test: checks that the site loses and doubles no action while its environment fails.

`python -m tests.soak` (`make soak`) starts sites on this machine, lets simulated devices play at
their tables, causes faults, and compares the stored logs with what the devices know.
CONTRIBUTING.md explains its table.
"""
