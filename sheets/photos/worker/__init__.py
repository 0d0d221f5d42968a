"""Photo reading in the processes of the process pool: tasks, results and messages."""
