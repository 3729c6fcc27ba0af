"""What armor takes off: rules NP-39, NP-68, NP-69, rulings NP-R76 and NP-R77."""

from arbitre.systems.night_prowler.tables import ARMORS, NightProwlerArmor


def protection(armor: NightProwlerArmor | None, given: int | None, *, blunt: bool) -> int:
    """NP-68: the protection given or the table's; hide is nothing against blunt weapons."""
    row = ARMORS[armor] if armor else None
    if blunt and row is not None and row.against_blunt == 0:
        return 0
    if given is not None:
        return given
    return 0 if row is None else row.protection


def pierced(quality: int, penetration: int | None, worn: int) -> int:
    """NP-69, NP-R76: what a missile of this quality still does through armor."""
    if worn == 0 or penetration is None or penetration > worn:
        return quality
    if penetration == worn:
        return quality - 1
    return min(quality, 1)
