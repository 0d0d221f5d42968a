"""Parts that all views share: rate limits, downloads, links, rendered files.

- `rendering`: cache, rate limit and queue for everything that is rendered.
- `render_tasks`: the tasks; nothing else of the site calls the functions that draw.
- `render_pool`: the process pool that runs them.
"""
