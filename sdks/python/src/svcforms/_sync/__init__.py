"""The synchronous client, made from `_async` by `scripts/generate_sync.py`."""
