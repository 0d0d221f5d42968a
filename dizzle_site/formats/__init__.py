"""How is a date written, in each language that Django writes otherwise than we do?"""
