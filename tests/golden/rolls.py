"""The golden log, written anew: ``python tests/golden/rolls.py`` with ``tests`` on the path."""

from pathlib import Path

import orjson

from arbitre.systems import kadath
from entries import DUEL, SIGNER, rolled

LOG = Path(__file__).with_name("rolls-v1.jsonl")


def golden() -> str:
    idem, fp = SIGNER.idem("golden", "key"), SIGNER.fingerprint("tiny-duel", "duel", DUEL)
    entries = [
        rolled(DUEL, number=1),
        rolled(DUEL, number=2, seed_text="Épée de Kadath 🎲"),
        rolled(DUEL, number=3, hand=(5, 1, 6, 6, 2)),
        rolled(DUEL, number=4, actor="Ana", note="la « porte »\n\t\\", idem=idem, fp=fp),
        rolled({"a": {"skill": 12}, "b": {"skill": 0}}, number=5),
        rolled(
            {"skill": 4, "favorable": 1},
            number=6,
            system=kadath.SYSTEM,
            resolver="roll",
            seed_text="kadath",
        ),
    ]
    return "".join(
        orjson.dumps({"entry": row.entry.decode(), "sig": row.sig}).decode() + "\n"
        for row in entries
    )


if __name__ == "__main__":
    LOG.write_text(golden(), encoding="utf-8")
