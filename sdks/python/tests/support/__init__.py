"""Test support: the product as a process, network faults, and one interface for both clients."""
