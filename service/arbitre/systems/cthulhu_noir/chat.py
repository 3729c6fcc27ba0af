"""The notation: ``/cn hpf3b2:3 !``, one letter a die, and a word for each other resolver."""

from dataclasses import dataclass
from typing import Any

from arbitre.rules.notation import (
    Bag,
    Choice,
    Command,
    Flag,
    Int,
    Items,
    Line,
    Maybe,
    Named,
    Notation,
    Part,
    Seq,
    Set,
    Told,
    get,
    put,
)
from arbitre.systems.cthulhu_noir.damage import CthulhuNoirTarget
from arbitre.systems.cthulhu_noir.gauges import TOP
from arbitre.systems.cthulhu_noir.opposition import CthulhuNoirMode
from arbitre.systems.cthulhu_noir.tables import CthulhuNoirAttack, CthulhuNoirMethod

DICE = {
    "h": "human_die",
    "p": "professional_die",
    "f": "insanity_die",
    "i": "insanity_die",
    "b": "wound_die",
    "w": "wound_die",
}
GAUGES = {"insanity_die": "state.insanity", "wound_die": "state.wound"}

ATTACKS = {
    "mains|unarmed": CthulhuNoirAttack.UNARMED.value,
    "couteau|knife": CthulhuNoirAttack.KNIFE.value,
    "pistolet|pistol": CthulhuNoirAttack.SMALL_PISTOL.value,
    "lourde|heavy": CthulhuNoirAttack.HEAVY.value,
    "accident": CthulhuNoirAttack.ACCIDENT.value,
    "maladie|illness": CthulhuNoirAttack.ILLNESS.value,
    "autre|other": CthulhuNoirAttack.OTHER.value,
}
CARE = {
    "secours|aid": CthulhuNoirMethod.FIRST_AID.value,
    "nuit|night": CthulhuNoirMethod.NIGHT.value,
    "jour|day": CthulhuNoirMethod.FULL_DAY.value,
}


@dataclass(frozen=True)
class Throw:
    """One letter a die, the gauge after a risk die, the risked damage after a colon."""

    words: tuple[str, ...] = ()

    def read(self, line: Line, data: dict[str, Any]) -> bool:
        """Read the letters there are."""
        start = line.at
        while line.run and set(line.run) <= DICE.keys():
            die = DICE[line.run[0]]
            put(line, data, die, value=True)
            line.at = line.next + 1
            self._gauge(line, data, die)
        if line.at == start:
            return False
        data.setdefault("human_die", False)
        return True

    def _gauge(self, line: Line, data: dict[str, Any], die: str) -> None:
        if die not in GAUGES:
            return
        gauge = line.attached()
        if gauge is not None:
            put(line, data, GAUGES[die], gauge)
        if die == "wound_die" and line.mark(":") and not Int("wound_damage").read(line, data):
            line.refuse("missing")

    def write(self, told: Told) -> str | None:
        """Write the letters of the dice."""
        action = told.full
        damage = f":{action['wound_damage']}" if action["wound_damage"] > 1 else ""
        letters = (
            "h" if action["human_die"] else "",
            "p" if action["professional_die"] else "",
            f"f{action['state']['insanity']}" if action["insanity_die"] else "",
            f"b{action['state']['wound']}{damage}" if action["wound_die"] else "",
        )
        return "".join(letters) or None


@dataclass(frozen=True)
class Failure:
    """``!`` throws a failure die, ``!5`` is one that stands."""

    standing: str
    words: tuple[str, ...] = ()

    def read(self, line: Line, data: dict[str, Any]) -> bool:
        """Read the sign, and a face that touches it."""
        if not line.mark("!"):
            return False
        face = line.attached()
        if face is None:
            put(line, data, "failure_die", value=True)
        else:
            put(line, data, self.standing, face)
        return True

    def write(self, told: Told) -> str | None:
        """Write the sign, and the face that stands."""
        face = get(told.full, self.standing)
        if face is not None:
            return f"!{face}"
        return "!" if get(told.full, "failure_die") else None


@dataclass(frozen=True)
class Entity:
    """A part that only an entity has."""

    part: Part

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the part."""
        return tuple(self.part.words)

    def read(self, line: Line, data: dict[str, Any]) -> bool:
        """Read the part; the target is an entity."""
        if not self.part.read(line, data):
            return False
        data["target"] = CthulhuNoirTarget.ENTITY.value
        return True

    def write(self, told: Told) -> str | None:
        """Write the part."""
        return self.part.write(told)


CHAT = Notation(
    prefix="cn",
    commands=(
        Command("", "roll", Seq(Throw(), Maybe(Failure("failure_face"))), "h"),
        Command(
            "relance|reroll",
            "reroll",
            Seq(Int("previous.quality"), Throw(), Maybe(Failure("previous.failure_face"))),
            "2 hf3 !5",
        ),
        Command(
            "échec|fail",
            "opposition",
            Seq(Set("mode", CthulhuNoirMode.FAILURE.value), Int("quality")),
            "4",
        ),
        Command(
            "contre|vs",
            "opposition",
            Seq(Set("mode", CthulhuNoirMode.COMPETITION.value), Items("sides", Throw(), "/")),
            "hp / hpf2",
        ),
        Command(
            "avec|with",
            "cooperation",
            Seq(Items("participants", Throw(), "/"), Maybe(Failure("failure_face"))),
            "h / hf1 !",
        ),
        Command("folie|insanity", "insanity", Int("state.insanity"), "3"),
        Command(
            "supprimer|suppress",
            "suppress",
            Seq(Int("state.insanity"), Maybe(Flag("suite|unlocked", "state.suppression_unlocked"))),
            "3 suite",
        ),
        Command(
            "dégâts|damage",
            "damage",
            Seq(
                Int("state.wound"),
                Choice("attack", ATTACKS),
                Maybe(Int("damage")),
                Bag(
                    Entity(Named("seuil|threshold", "state.death_threshold")),
                    Entity(Flag("immunisé|immune", "state.immune")),
                ),
            ),
            "3 couteau",
        ),
        Command(
            "soin|heal",
            "healing",
            Seq(Int("state.wound"), Choice("method", CARE), Maybe(Int("amount"))),
            "4 nuit",
        ),
        Command(
            "retour|return",
            "healing",
            Seq(
                Set("method", CthulhuNoirMethod.RETURN.value),
                Set("presumed_dead", value=True),
                Set("state.wound", TOP),
                Int("wound_on_return"),
            ),
            "5",
        ),
    ),
)
