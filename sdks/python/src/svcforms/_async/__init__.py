"""The asynchronous client. The synchronous one in `_sync` is made from this by `scripts/generate_sync.py`."""
