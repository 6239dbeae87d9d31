"""The asynchronous client. `scripts/generate_sync.py` generates `_sync` from it."""
