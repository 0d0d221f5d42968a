"""Parts that all views share: rate limits, downloads, links, rendered files.

- `rendering`: cache, rate limit and queue for everything that is rendered.
- `render_tasks`: the tasks that render; views do not call drawing functions themselves.
- `process_pool`: the process pool that runs them.
"""
