"""Compiled kernels: state, moves, refutation, search."""
