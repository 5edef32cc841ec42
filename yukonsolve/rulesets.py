"""What can be said of rule sets without playing them: titles, JSON values, which one is looser.

Kept apart from `yukonsolve.rules`, which is part of what decides verdicts.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from yukonsolve.rules import UNLIMITED, Rules

PUBLIC_FIELDS = ("name", "build", "spaces", "worrying_back", "draw", "passes")
"""The fields of `Rules` that are shown in JSON."""


def rules_from_values(values: dict[str, Any]) -> Rules:
    """Return rules from the fields a manifest holds.

    Raises
    ------
    ValueError
        If a field is missing, or a value makes no rules.

    Examples
    --------
    >>> from dataclasses import asdict
    >>> from yukonsolve.rules import preset
    >>> rules_from_values(asdict(preset("yukon"))) == preset("yukon")
    True
    """
    missing = [field.name for field in fields(Rules) if field.name not in values]
    if missing:
        raise ValueError(f"the rules lack {', '.join(missing)}")
    known: dict[str, Any] = {field.name: values[field.name] for field in fields(Rules)}
    for name in ("face_down", "face_up"):
        known[name] = tuple(known[name])
    return Rules(**known)


def json_rules(rules: Rules) -> dict[str, Any]:
    """Return rules as they stand in every JSON output.

    ``draw`` and ``passes`` are ``None`` without a stock; ``passes`` may be ``"unlimited"``.

    Examples
    --------
    >>> from yukonsolve.rules import preset
    >>> json_rules(preset("klondike-vegas"))["passes"], json_rules(preset("yukon"))["passes"]
    (3, None)
    """
    values: dict[str, Any] = {name: getattr(rules, name) for name in PUBLIC_FIELDS}
    if rules.family != "klondike":
        values["draw"] = values["passes"] = None
    elif rules.passes == UNLIMITED:
        values["passes"] = "unlimited"
    return values


def title(rules: Rules) -> str:
    """Return a short name that says how rules differ from the game as it is usually played.

    Examples
    --------
    >>> from yukonsolve.rules import preset
    >>> title(preset("russian", spaces="any"))
    'Russian, any card to spaces'
    >>> title(preset("klondike-vegas", worrying_back=False))
    'Klondike draw 3, 3 passes, no worrying back'
    """
    if rules.family == "klondike":
        parts = [f"Klondike draw {rules.draw}"]
        if rules.passes != UNLIMITED:
            parts.append("1 pass" if rules.passes == 1 else f"{rules.passes} passes")
        if rules.build == "suit":
            parts.append("built in suit")
    else:
        parts = ["Russian" if rules.build == "suit" else "Yukon"]
    if rules.spaces == "any":
        parts.append("any card to spaces")
    if rules.worrying_back != (rules.family == "klondike"):
        parts.append("worrying back" if rules.worrying_back else "no worrying back")
    if rules.n_ranks != 13:
        parts.append(f"{rules.n_ranks} ranks")
    return ", ".join(parts)


def same_cards(a: Rules, b: Rules) -> bool:
    """Return whether a deal number means the same cards in the same places under both.

    A numbering deals by the family and the shape of the board and looks at nothing else
    (`yukonsolve.numbering`), so Yukon and Russian share their deals, and so do all draws and
    passes of Klondike.

    Examples
    --------
    >>> from yukonsolve.rules import preset
    >>> same_cards(preset("yukon"), preset("russian"))
    True
    >>> same_cards(preset("yukon"), preset("klondike"))
    False
    """
    return _deal_shape(a) == _deal_shape(b)


def _deal_shape(rules: Rules) -> tuple[object, ...]:
    return rules.family, rules.n_ranks, rules.n_columns, rules.face_down, rules.face_up


def is_looser(a: Rules, b: Rules) -> bool:
    """Return whether every deal that can be won under ``b`` can be won under ``a``, equal or not.

    Proof: play the winning line of ``b`` under ``a``. All of these must hold, and each step of the
    line is then a step, or some steps in a row, under ``a``:

    * **Same deals and same building.** Building in suit is no part of building in alternate
      colours, nor the other way round, so Yukon and Russian are not compared.
    * **Spaces.** Where any card may go to a space, a king may.
    * **Worrying back.** The permission adds moves and takes none away.
    * **Draw.** ``a.draw`` divides ``b.draw``. Drawing does not change the order of the cards, and
      the last draw of a pass turns what is left; so some draws of ``a`` in a row turn exactly the
      cards of one draw of ``b``. Draw 2 and draw 3 are not compared: each stops at cards that the
      other passes by.
    * **Passes.** ``a`` allows as many as ``b`` or more. Replacing draws as above takes no further
      pass.

    The conditions do not interact: spaces and worrying back only say which single moves are legal,
    draw and passes only how the stock is run through, so any product of them is looser as well.

    Examples
    --------
    >>> from yukonsolve.rules import preset
    >>> is_looser(preset("klondike"), preset("klondike-vegas"))
    True
    >>> is_looser(preset("yukon"), preset("russian")), is_looser(preset("russian"), preset("yukon"))
    (False, False)
    """
    if not same_cards(a, b) or a.build != b.build:
        return False
    return (
        (a.spaces == b.spaces or a.spaces == "any")
        and (a.worrying_back or not b.worrying_back)
        and (a.draw == b.draw or (a.draw > 0 and b.draw % a.draw == 0))
        and (a.passes == UNLIMITED or (b.passes != UNLIMITED and a.passes >= b.passes))
    )
