"""The ghost game of one deal after another: loaded when it is first asked, run in slices."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from yukonsolve.kernels import ghost_search, ghost_sweep, ghost_table, ghosts, layout
from yukonsolve.slices import FIRST_SLICE_NODES, Clock
from yukonsolve.strategy import Try
from yukonsolve.verdict import Reason
from yukonsolve.workspace import Workspace

_GOES_ON = (int(ghost_search.PAUSED), int(ghost_search.FULL_TABLE))


class Refuter:
    """Asks the ghost game about the deal in a workspace.

    Parameters
    ----------
    space : Workspace
        Row 0 must hold the deal, its safe foundation moves played, from `load` on.

    Examples
    --------
    >>> from yukonsolve.rules import preset
    >>> Refuter(Workspace(preset("yukon"), 1 << 20)).applies
    True
    """

    def __init__(self, space: Workspace) -> None:
        self._space = space
        self._arrays: tuple[NDArray[np.uint8], NDArray[np.uint8]] | None = None
        self._status: int | None = None
        self._given_up = False
        # With worrying back the game is searched from the root only: `ghost_sweep`.
        self._sweeps = bool(space.work.ghosts.par[ghosts.G_BACK])

    @property
    def applies(self) -> bool:
        """Whether the ghost game may be asked under the rules and switches."""
        return self._space.has_ghosts

    def load(self, arrays: tuple[NDArray[np.uint8], NDArray[np.uint8]]) -> None:
        """Say which deal it is; nothing is computed before something is asked."""
        self._arrays = arrays
        self._status = None
        self._given_up = False

    def guard(self, nodes: int) -> None:
        """Let the search ask about each new state, at a cost of so many ghost states; 0: not."""
        allowed = self.applies and not self._sweeps
        if nodes and allowed:
            self._begin()
        self._space.work.ghosts.par[ghosts.G_QUERY] = nodes if allowed else 0

    def refute(self, attempt: Try, nodes_left: int, clock: Clock) -> tuple[bool, Reason | None]:
        """Search from the root for as long as the attempt allows.

        Returns
        -------
        lost : bool
            Whether the deal is proved lost. If not, it may be won or not.
        stop : Reason or None
            The limit that ended the attempt, if one of the whole search's did. The memory cap is
            none: the game is given up and its arrays are given back, for the deal itself may need
            less.
        """
        known = self._status in (int(ghost_table.ALIVE), int(ghost_table.DEAD))
        if known or self._given_up or not self.applies:
            return self._status == int(ghost_table.DEAD), None
        space = self._space
        self._begin()
        if self._status is None or not self._sweeps:
            ghost_search.image_of_root(space.work, space.work.ghosts)
            self._status = int(self._start()(space.work.ghosts))
        run = self._run()
        begun = int(space.work.ghosts.par[ghosts.G_NODES])
        nodes = min(attempt.nodes, nodes_left)
        clock.slice_nodes = FIRST_SLICE_NODES
        stop = None
        done = 0
        while self._status in _GOES_ON and done < nodes:
            stop = clock.stop()
            if stop is not None:
                break
            if self._status == ghost_search.FULL_TABLE and not space.grow_ghosts():
                # Begun anew it would come no further: later tries find no more room.
                self._given_up = True
                self.make_room()
                return False, None
            until = begun + min(nodes, done + clock.slice_nodes)
            self._status = int(run(space.work.ghosts, np.uint64(until)))
            spent = int(space.work.ghosts.par[ghosts.G_NODES]) - begun
            space.work.par[layout.NODES] += spent - done
            done = spent
            if self._status == ghost_search.PAUSED:
                clock.adapt()
        if self._status in _GOES_ON and not self._sweeps:
            ghost_search.give_up(space.work.ghosts)
        return self._status == int(ghost_table.DEAD), stop

    def make_room(self) -> bool:
        """Forget every ghost verdict; return whether that gave memory back."""
        if self._status in _GOES_ON:
            self._status = None  # a sweep cannot go on without its list
        return self._space.drop_ghosts()

    def warm_up(self) -> None:
        """Compile what `refute` runs; row 0 must hold the deal of the last `load`."""
        if not self.applies:
            return
        self._begin()
        g = self._space.work.ghosts
        ghost_search.image_of_root(self._space.work, g)
        self._start()(g)
        self._run()(g, np.uint64(0))
        if not self._sweeps:
            ghost_search.give_up(g)
        self._space.grow_ghosts()

    def _start(self) -> Callable[[ghosts.Ghosts], np.uint64]:
        return ghost_sweep.start_sweep if self._sweeps else ghost_search.start_ghosts

    def _run(self) -> Callable[[ghosts.Ghosts, np.uint64], np.uint64]:
        return ghost_sweep.run_sweep if self._sweeps else ghost_search.run_ghosts

    def _begin(self) -> None:
        if self._arrays is not None:
            ghosts.load_ghosts(self._space.work.ghosts, *self._arrays)
            self._arrays = None
