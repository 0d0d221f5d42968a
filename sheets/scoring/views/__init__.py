"""The pages of scoring paper sheets."""
