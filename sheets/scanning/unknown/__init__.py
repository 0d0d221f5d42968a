"""What do photos of a pad show that is none of ours, of its empty sheet and of its leaves?

(docs/pads.md)
"""
