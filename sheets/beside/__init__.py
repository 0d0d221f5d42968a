"""How is done what takes longer than somebody waits for a page: reports, and looks at games?"""
