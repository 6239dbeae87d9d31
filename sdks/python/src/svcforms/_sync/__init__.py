"""The synchronous client. `scripts/generate_sync.py` generates it from `_async`."""
