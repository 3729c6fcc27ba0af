"""The notation: ``/np 14 -3 h2``, a level, its modifiers, the heroism; a word for the rest."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from arbitre.rules.notation import (
    Attached,
    Bag,
    Choice,
    Command,
    Flag,
    Int,
    Items,
    Line,
    Mark,
    Maybe,
    Notation,
    OneOf,
    Part,
    Quantity,
    Seq,
    Set,
    Signed,
    Told,
    Word,
    get,
    put,
)
from arbitre.systems.night_prowler.combatant import NightProwlerMode
from arbitre.systems.night_prowler.damage import NightProwlerTracks
from arbitre.systems.night_prowler.hazard import NightProwlerHazardKind
from arbitre.systems.night_prowler.healing import NightProwlerHealingMethod
from arbitre.systems.night_prowler.heroism import REST_HOURS, NightProwlerHeroismEvent
from arbitre.systems.night_prowler.tables import (
    TRACKS,
    NightProwlerChaseOption,
    NightProwlerFamily,
    NightProwlerHeadStart,
    NightProwlerObstacle,
    NightProwlerOption,
    NightProwlerRange,
    NightProwlerRole,
    NightProwlerRow,
    NightProwlerSkill,
    NightProwlerTrack,
    NightProwlerWeaponKind,
)
from arbitre.systems.night_prowler.test import NightProwlerTestKind

Data = dict[str, Any]

_O, _C, _F = NightProwlerObstacle, NightProwlerChaseOption, NightProwlerFamily
_M, _E, _R = NightProwlerOption, NightProwlerHeroismEvent, NightProwlerRow


def words_of(values: Mapping[str, Any]) -> dict[str, str]:
    """Return the same words for plain values."""
    return {words: value.value for words, value in values.items()}


OBSTACLES = words_of(
    {
        "fenêtre|window": _O.WINDOW,
        "simple": _O.SIMPLE_LOCK,
        "sophistiquée|sophisticated": _O.SOPHISTICATED_LOCK,
        "ingénieur|engineer": _O.ENGINEER_LOCK,
        "piège|trap": _O.SIMPLE_TRAP,
        "compliqué|complicated": _O.COMPLICATED_TRAP,
        "magique|magic": _O.MAGIC_TRAP,
        "coffre|safe": _O.SAFE,
    }
)
ROLES = words_of({"F": NightProwlerRole.FUGITIVE, "P": NightProwlerRole.PURSUER})
HEAD_STARTS = words_of(
    {
        "petite|small": NightProwlerHeadStart.SMALL,
        "grande|large": NightProwlerHeadStart.LARGE,
        "énorme|huge": NightProwlerHeadStart.HUGE,
    }
)
RUNS = words_of(
    {
        "foncer|dash": _C.DASH,
        "louvoyer|weave": _C.WEAVE,
        "planquer|hide": _C.HIDE,
        "repérer|spot": _C.SPOT,
        "sprint": _C.SPRINT,
        "marathon": _C.MARATHON,
        "bond|leap": _C.LEAP,
        "roulé|tumble": _C.TUMBLE,
        "ville|city": _C.CITY_LORE,
        "traque|tail": _C.TAIL,
        "mascarade|masquerade": _C.MASQUERADE,
    }
)
OPTIONS = words_of(
    {
        "off": _M.OFFENSIVE,
        "def": _M.DEFENSIVE,
        "feinte|feint": _M.FEINT,
        "perforation": _M.PERFORATION,
        "percée|breakthrough": _M.BREAKTHROUGH,
        "surprise": _M.SURPRISE_ATTACK,
        "brutale|brutal": _M.BRUTAL_ATTACK,
        "destruction": _M.DESTRUCTION,
        "charge": _M.CHARGE,
        "assommer|stun": _M.STUN,
        "violent": _M.VIOLENT_BLOW,
        "agripper|entangle": _M.ENTANGLE,
        "parfaite|perfect": _M.PERFECT_ATTACK,
        "fauchage|sweep": _M.SWEEP,
    }
)
FAMILIES = words_of(
    {
        "estoc|thrusting": _F.THRUSTING,
        "courtes|short-blades": _F.SHORT_BLADES,
        "hast|polearm": _F.POLEARMS,
        "masse|mace": _F.MACES,
        "hache|axe": _F.AXES,
        "fléau|flail": _F.FLAILS,
        "nues|unarmed": _F.UNARMED,
    }
)
FAMILIES = {words.replace("short-blades", "dagger"): family for words, family in FAMILIES.items()}
SHOOTERS = words_of(
    {
        "arbalète|crossbow": NightProwlerWeaponKind.CROSSBOW,
        "poudre|firearm": NightProwlerWeaponKind.FIREARM,
        "jet|thrown": NightProwlerWeaponKind.THROWN,
    }
)
SHOOTER_FAMILIES = {
    NightProwlerWeaponKind.BOW.value: _F.MISSILE.value,
    NightProwlerWeaponKind.CROSSBOW.value: _F.MISSILE.value,
    NightProwlerWeaponKind.FIREARM.value: _F.FIREARMS.value,
    NightProwlerWeaponKind.THROWN.value: _F.THROWN.value,
}
DISTANCES = words_of(
    {
        "courte|short": NightProwlerRange.SHORT,
        "moyenne|medium": NightProwlerRange.MEDIUM,
        "longue|long": NightProwlerRange.LONG,
    }
)
ROWS = words_of(
    {
        "mortelle|mortal": _R.MORTAL,
        "critique|critical": _R.CRITICAL,
        "grave|serious": _R.SERIOUS,
        "légère|light": _R.LIGHT,
        "égratignure|scratch": _R.SCRATCH,
    }
)
EVENTS = words_of(
    {
        "scène|scene": _E.SCENE_END,
        "défi|defiance": _E.AUTHORITY_DEFIANCE,
        "communauté|community": _E.COMMUNITY_KEPT,
        "absence": _E.COMMUNITY_MISSED,
        "cran|nerve": _E.CANCEL_INTIMIDATION,
        "crevard": _E.ENGAGE_CREVARD,
    }
)
PENALTIES = {
    number + 1: row.penalty for number, row in enumerate(TRACKS[NightProwlerTrack.VITALITY])
}


@dataclass(frozen=True)
class Modifiers:
    """Signed numbers, added up."""

    path: str = "modifier"
    words: tuple[str, ...] = ()

    def read(self, line: Line, data: Data) -> bool:
        """Read every signed number that comes next."""
        start, total = line.at, 0
        while (number := line.signed()) is not None:
            total += number
        if line.at == start:
            return False
        data[self.path] = data.get(self.path, 0) + total
        return True

    def write(self, told: Told) -> str | None:
        """Write their sum."""
        total = get(told.full, self.path)
        return f"{total:+d}" if total else None


@dataclass(frozen=True)
class Penalty:
    """``b3``: the wound penalty of the third row."""

    words: tuple[str, ...] = ("b",)

    def read(self, line: Line, data: Data) -> bool:
        """Read the letter and the number of the row."""
        start = line.next
        if line.word(self.words) is None:
            return False
        row = line.attached()
        if row not in PENALTIES:
            line.at = start
            line.refuse("missing", nearest="b2")
        put(line, data, "wound_penalty", PENALTIES[row])
        return True

    def write(self, told: Told) -> str | None:
        """Write the row."""
        penalty = get(told.full, "wound_penalty")
        return next((f"b{row}" for row, known in PENALTIES.items() if known == penalty), None)


class Flags(Bag):
    """Parts in any order, none of which begins with a bare number."""

    def read(self, line: Line, data: Data) -> bool:
        """Read as many of the parts as there are."""
        start = line.at
        while any(part.read(line, data) for part in self.parts):
            pass
        return line.at > start


@dataclass(frozen=True)
class At:
    """A part about something inside the request."""

    path: str
    part: Part

    @property
    def words(self) -> Iterable[str]:
        """The words of the part."""
        return self.part.words

    def read(self, line: Line, data: Data) -> bool:
        """Read the part into its place."""
        inner: Data = {}
        if not self.part.read(line, inner):
            return False
        put(line, data, self.path, inner)
        return True

    def write(self, told: Told) -> str | None:
        """Write the part from its place."""
        full, sparse = get(told.full, self.path), get(told.sparse, self.path)
        return self.part.write(Told(full or {}, sparse or {}, told.keywords))


class Bare(Set):
    """A value that goes without saying, and holds nothing else."""

    def write(self, told: Told) -> str | None:
        """Write nothing, if the value is this one and no more."""
        return super().write(told.given)


def lettered(letter: str, path: str) -> Seq:
    """Return a part: a letter and a number that touches it, as in ``h2``."""
    return Seq(Word(letter), Attached(path), glue="")


CRASSE = Seq(Mark("!"), Set("crasse", value=True), glue="")
GRIT = Flag("m", "ignore_wounds")
SPENT = lettered("h", "heroism_spent")
SKILL: Part = OneOf(Int("skill"), Seq(Mark("?"), Attached("attribute"), glue=""))
LEVEL: Part = OneOf(
    Int("skill"),
    Seq(
        Set("test", NightProwlerTestKind.ATTRIBUTE.value),
        Word("c"),
        Attached("attribute"),
        glue="",
    ),
    Seq(Mark("?"), Attached("attribute"), glue=""),
)
FLAGS = Flags(Modifiers(), SPENT, CRASSE, GRIT, Penalty(), Flag("p", "physical"))
SIDE = Seq(LEVEL, FLAGS)


@dataclass(frozen=True)
class Blade:
    """A fighter; the weapon is a long blade unless another family is named."""

    part: Part

    @property
    def words(self) -> Iterable[str]:
        """The words of the part."""
        return self.part.words

    def read(self, line: Line, data: Data) -> bool:
        """Read the fighter."""
        if not self.part.read(line, data):
            return False
        data.setdefault("weapon", {}).setdefault("family", _F.LONG_BLADES.value)
        return True

    def write(self, told: Told) -> str | None:
        """Write the fighter."""
        return self.part.write(told)


FIGHTER = Blade(
    Seq(
        Choice("option", OPTIONS),
        SKILL,
        Flags(
            Modifiers(),
            SPENT,
            CRASSE,
            GRIT,
            Penalty(),
            lettered("a", "protection"),
            lettered("r", "weapon.reach"),
            Choice("weapon.family", FAMILIES),
        ),
    )
)


@dataclass(frozen=True)
class Shooter:
    """One who shoots, with a bow unless another weapon is named."""

    words: tuple[str, ...] = (*SIDE.words, *(w for s in SHOOTERS for w in s.split("|")))

    def read(self, line: Line, data: Data) -> bool:
        """Read the level, the flags, the weapon."""
        if not _SHOT.read(line, data):
            return False
        data["option"] = _M.SHOT.value
        kind = data.setdefault("weapon", {}).setdefault("kind", NightProwlerWeaponKind.BOW.value)
        data["weapon"]["family"] = SHOOTER_FAMILIES[kind]
        return True

    def write(self, told: Told) -> str | None:
        """Write the level, the flags, the weapon."""
        return _SHOT.write(told)


_SHOT = Seq(
    SKILL, Flags(Modifiers(), SPENT, CRASSE, GRIT, Penalty(), Choice("weapon.kind", SHOOTERS))
)


@dataclass(frozen=True)
class Aimed:
    """``a2``: the protection of the one shot at, who does not dodge."""

    words: tuple[str, ...] = ("a",)

    def read(self, line: Line, data: Data) -> bool:
        """Read the protection; without any, nothing is worn."""
        target: Data = {"option": _M.OFFENSIVE.value}
        read = lettered("a", "protection").read(line, target)
        put(line, data, "b", [target])
        return read

    def write(self, told: Told) -> str | None:
        """Write the protection."""
        target = (get(told.full, "b") or [{}])[0]
        return lettered("a", "protection").write(Told(target, target, told.keywords)) or ""


@dataclass(frozen=True)
class Race:
    """The runners of a chase with what each of them does, numbered by role."""

    words: tuple[str, ...] = tuple(
        word for table in (ROLES, HEAD_STARTS, RUNS) for words in table for word in words.split("|")
    ) + tuple(SIDE.words)

    def read(self, line: Line, data: Data) -> bool:
        """Read the runners."""
        found: Data = {}
        if not _RUNNERS.read(line, found):
            return False
        participants, choices = [], []
        for number, one in enumerate(found["runners"]):
            name = _name(found["runners"], number)
            participants.append({"id": name, **one["runner"]})
            choices.append({"id": name, **one["choice"]})
        put(line, data, "state.participants", participants)
        put(line, data, "choices", choices)
        return True

    def write(self, told: Told) -> str | None:
        """Write the runners."""
        full = _paired(told.full)
        return _RUNNERS.write(
            Told({"runners": full}, {"runners": _paired(told.sparse)}, told.keywords)
        )


def _name(runners: list[Data], number: int) -> str:
    """Return F1, P1, P2… in the order of the line."""
    role = runners[number]["runner"]["role"]
    same = sum(one["runner"]["role"] == role for one in runners[: number + 1])
    return f"{'F' if role == NightProwlerRole.FUGITIVE else 'P'}{same}"


def _paired(data: Data) -> list[Data]:
    runners = get(data, "state.participants") or []
    return [
        {"runner": runner, "choice": choice}
        for runner, choice in zip(runners, data.get("choices", []), strict=False)
    ]


_RUNNERS = Items(
    "runners",
    Seq(
        At(
            "runner",
            Seq(
                Choice("role", ROLES),
                OneOf(Int("accumulated"), Signed("accumulated")),
                Maybe(Seq(Mark("+"), Choice("head_start", HEAD_STARTS), glue="")),
            ),
        ),
        At("choice", Seq(Choice("option", RUNS), SIDE)),
    ),
    ";",
)


@dataclass(frozen=True)
class Wounded:
    """The row treated, with one box checked."""

    words: tuple[str, ...] = tuple(word for words in ROWS for word in words.split("|"))

    def read(self, line: Line, data: Data) -> bool:
        """Read the row."""
        if not Choice("row", ROWS).read(line, data):
            return False
        put(line, data, f"health.vitality.{data['row']}", 1)
        return True

    def write(self, told: Told) -> str | None:
        """Write the row."""
        return Choice("row", ROWS).write(told)


PROGRESS = Seq(
    OneOf(Int("state.accumulated"), Signed("state.accumulated")),
    Mark("/"),
    Int("state.threshold"),
)
POOL = OneOf(Seq(Int("heroism"), Mark("/"), Int("heroism_max")), Int("heroism"))

CHAT = Notation(
    prefix="np",
    odds="?",
    faces="=",
    commands=(
        Command("", "roll", SIDE, "14 -3 h2"),
        Command(
            "effroi|fear",
            "roll",
            Seq(Set("test", NightProwlerTestKind.FEAR.value), Int("attribute"), FLAGS),
            "13",
        ),
        Command(
            "cambriole|burglary",
            "roll",
            Seq(
                Set("skill_name", NightProwlerSkill.BURGLARY.value),
                Int("skill"),
                Choice("burglary", OBSTACLES),
                FLAGS,
            ),
            "11 ingénieur",
        ),
        Command(
            "opp",
            "opposition",
            Seq(
                Items("sides", SIDE, "/"),
                Maybe(Seq(Word("écart|margin"), Int("required_margin"))),
            ),
            "13 / 11 -2",
        ),
        Command(
            "contrat|contract",
            "contract",
            Seq(
                OneOf(
                    Seq(PROGRESS, Int("state.rolls_made"), Mark("/"), Int("state.max_rolls")),
                    PROGRESS,
                ),
                Mark(":"),
                Items("participants", SIDE, ","),
            ),
            "5/12 2/6 : 14, 10 -2",
        ),
        Command("course|chase", "chase", Race(), "F 8+petite sprint 13 ; P 5 foncer 12"),
        Command(
            "duel|attack",
            "attack",
            Seq(At("a", FIGHTER), Mark("/"), Items("b", FIGHTER, "/")),
            "off 14 a1 r2 / def 12 a2 r2",
        ),
        Command(
            "tir|shot",
            "attack",
            Seq(
                Set("mode", NightProwlerMode.RANGED.value),
                At("a", Shooter()),
                Maybe(Choice("range", DISTANCES)),
                Maybe(lettered("pen", "penetration")),
                Maybe(Aimed()),
            ),
            "13 -3 courte pen2 a2",
        ),
        Command(
            "dégâts|damage",
            "damage",
            Seq(
                OneOf(Int("quality"), Signed("quality")),
                Flags(
                    lettered("a", "protection"),
                    Choice(
                        "track",
                        words_of(
                            {
                                "v": NightProwlerTracks.VITALITY,
                                "e": NightProwlerTracks.ENDURANCE,
                                "ve": NightProwlerTracks.BOTH,
                            }
                        ),
                    ),
                ),
            ),
            "4 a2 v",
        ),
        Command(
            "soins|heal",
            "healing",
            Seq(
                Set("method", NightProwlerHealingMethod.VITALITY_RECOVERY.value),
                Int("care.skill"),
                Wounded(),
                Maybe(lettered("h", "heroism_points")),
            ),
            "16 mortelle h2",
        ),
        Command(
            "secours|firstaid",
            "healing",
            Seq(
                Set("method", NightProwlerHealingMethod.FIRST_AID.value),
                Bare("health", {}),
                Int("care.skill"),
                Maybe(Flag("sans|without", "equipment", value=False)),
            ),
            "9 sans",
        ),
        Command(
            "chute|fall",
            "hazard",
            Seq(
                Set("kind", NightProwlerHazardKind.FALL.value),
                Quantity("height"),
                At("acrobatics", SIDE),
            ),
            "7 12",
        ),
        Command(
            "feu|fire",
            "hazard",
            Seq(Set("kind", NightProwlerHazardKind.FIRE.value), Int("intensity")),
            "3",
        ),
        Command(
            "asphyxie|asphyxia",
            "hazard",
            Seq(
                Set("kind", NightProwlerHazardKind.ASPHYXIA.value),
                Int("rounds_held"),
                Int("robustness"),
                Int("character"),
                Maybe(Flag("agité|agitated", "agitated")),
            ),
            "9 9 12 agité",
        ),
        Command(
            "ph",
            "heroism",
            OneOf(
                Seq(
                    Set("event", _E.REST.value),
                    Set("hours", str(REST_HOURS)),
                    Word("repos|rest"),
                    POOL,
                ),
                Seq(
                    Set("event", _E.AWARD.value),
                    Word("exploit|award"),
                    POOL,
                    Mark("+"),
                    Int("amount"),
                ),
                Seq(
                    Set("event", _E.RAIN.value),
                    Word("pluie|rain"),
                    Int("minutes"),
                    Word("min"),
                    POOL,
                ),
                Seq(Choice("event", EVENTS), POOL),
            ),
            "repos 4/10",
        ),
    ),
)
