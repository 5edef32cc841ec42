"""Settings every test shares."""

from __future__ import annotations

from hypothesis import settings

# Compilation and a busy machine make single examples slow: no deadline.
settings.register_profile("default", deadline=None)
settings.load_profile("default")
