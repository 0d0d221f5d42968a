"""Workshop for levels by users: drafts, edits with undo, checks, suggestions and links."""
