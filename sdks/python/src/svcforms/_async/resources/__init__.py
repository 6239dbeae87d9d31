"""One file for each part of the API."""
