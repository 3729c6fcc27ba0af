"""The golden log of a table: ``python tests/golden/table.py`` with ``tests`` on the path."""

from pathlib import Path

from arbitre.audit.tables import Lane, Role
from ledgers import ANA, BEN, Log, fixed_chance, written

LOG = Path(__file__).with_name("table-v1.jsonl")


def golden_log() -> Log:
    """Every type of entry, every lane, every source of the faces."""
    log = Log()
    with fixed_chance():
        log.genesis()
        log.roll(who="MJ")
        log.roll(ANA, note="une épée « courte »\n\t\\ 🎲")
        log.seed("Ben", BEN)
        log.roll(who="MJ")
        log.roll(hand=(5, 1, 6, 6, 2), role=Role.PLAYER)
        log.roll(who="MJ", secret=True, note="caché")
        log.roll(who="MJ", secret=True, hand=(1, 2, 3, 4, 5))
        log.roll(who="MJ", secret=True)
        log.rotate(idem="0f" * 32, fp="f0" * 32)
        log.roll(who="MJ")
        log.reveal(0)
        log.unveil(6)
        log.unveil(7)
        log.roll(BEN, who="Ben")
        log.roll(who="MJ", secret=True)
        log.unveil(15)
        log.reveal(0, Lane.VEIL)
        log.rotate()
        log.reveal(1)
        log.close("Fin de la séance")
    return log


def golden() -> str:
    return written(golden_log().receipts)


if __name__ == "__main__":
    LOG.write_text(golden(), encoding="utf-8")
