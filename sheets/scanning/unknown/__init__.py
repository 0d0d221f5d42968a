"""What does a photo of an empty sheet show that nobody has entered yet?"""
