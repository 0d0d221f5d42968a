"""The pages: what each address answers, one module per door of the home page."""
