"""The decks of many native numbers at once, dealt by a kernel."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from yukonsolve.kernels.decks import deal_native


def native_decks(first: int, count: int, n_cards: int = 52) -> NDArray[np.uint8]:
    """Return the decks of ``count`` native numbers, one a row.

    Parameters
    ----------
    first, count : int
    n_cards : int
        Cards in the deck.

    Raises
    ------
    ValueError
        If these are no native numbers.

    Examples
    --------
    >>> from yukonsolve.numbering import native_deck
    >>> tuple(native_decks(7, 2)[1].tolist()) == native_deck(8)
    True
    """
    if not 0 <= first <= first + count <= 1 << 64:
        raise ValueError(f"native numbers are 0..{(1 << 64) - 1}")
    decks = np.empty((count, n_cards), dtype=np.uint8)
    # The first of no numbers may lie past the last one there is.
    deal_native(np.uint64(first if count else 0), decks)
    return decks
