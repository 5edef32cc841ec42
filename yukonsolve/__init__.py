"""Exact answers about patience games."""
