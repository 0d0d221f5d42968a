"""What is marked on sheets of paper, read from a photo of them? (docs/scanning.md)"""
