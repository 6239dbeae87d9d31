"""The asynchronous client. `scripts/generate_sync.py` generates the synchronous client in `_sync` from it."""
