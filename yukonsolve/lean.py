"""Import numba without what it looks for and no kernel here needs; for the command line.

Numba imports scipy.linalg to learn whether there is BLAS (for ``np.cov`` and ``np.corrcoef`` in
kernels), and yaml for a configuration file that there rarely is. Together they take 0.1 s, at every
start. Other users of numba in a process may need them, so importing this package does not do this.
"""

from __future__ import annotations

import sys
from typing import Any


def import_numba() -> None:
    """Import numba, if it is not imported yet, while scipy and yaml seem to be missing.

    Examples
    --------
    >>> import_numba()
    """
    modules: dict[str, Any] = sys.modules
    hidden = [name for name in ("scipy", "yaml") if name not in modules]
    modules.update(dict.fromkeys(hidden))  # None: Python takes the module for one that is not there
    try:
        import numba.np.arraymath  # noqa: F401
    finally:
        for name in hidden:
            del modules[name]
