"""The notation: ``/cydonia 4 + 6 contre 4 + 5 [8,6]``, the addition as the rules write it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from arbitre.rules.line import fold
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
    Name,
    Notation,
    Seq,
    Set,
    Signed,
    Told,
    Word,
    get,
    put,
)
from arbitre.systems.cydonia.charge import MOMENTUM, CydoniaChargeEvent
from arbitre.systems.cydonia.healing import CydoniaHealingMethod
from arbitre.systems.cydonia.kravkar import CydoniaKravkarAction
from arbitre.systems.cydonia.luck import CydoniaWant
from arbitre.systems.cydonia.search import CydoniaPlace
from arbitre.systems.cydonia.side import CydoniaSideKind
from arbitre.systems.cydonia.stun import CydoniaStunPhase
from arbitre.systems.cydonia.tables import (
    CydoniaAttribute,
    CydoniaBodySide,
    CydoniaGait,
    CydoniaLadder,
    CydoniaMethod,
    CydoniaSkill,
    CydoniaTable,
    CydoniaZone,
    CydoniaZoneGroup,
)
from arbitre.systems.cydonia.taming import CydoniaTask
from arbitre.systems.cydonia.travel import CydoniaTravelMode

Data = dict[str, Any]

_A, _S = CydoniaAttribute, CydoniaSkill

ATTRIBUTES = {
    "Physique": _A.PHYSIQUE,
    "Agilité|Agility": _A.AGILITY,
    "Dextérité|Dexterity": _A.DEXTERITY,
    "Sensoriel|Senses": _A.SENSES,
    "Courage": _A.COURAGE,
    "Charisme|Charisma": _A.CHARISMA,
    "Mental|Mind": _A.MIND,
    "Chance|Luck": _A.LUCK,
}
SKILLS = {
    "Bâton|Staff": _S.STAFF,
    "Petite lame|Small blade": _S.SMALL_BLADE,
    "Lame|Blade": _S.BLADE,
    "Hache|Axe": _S.AXE,
    "Masse|Mace": _S.MACE,
    "Marteau|Hammer": _S.HAMMER,
    "Arc|Bow": _S.BOW,
    "Arbalète|Crossbow": _S.CROSSBOW,
    "Grande arme|Polearm": _S.POLEARM,
    "Arme à feu|Firearm": _S.FIREARM,
    "Faux|Scythe": _S.SCYTHE,
    "Bouclier|Shield": _S.SHIELD,
    "Larcin|Theft": _S.THEFT,
    "Crochetage|Lockpicking": _S.LOCKPICKING,
    "Lancer|Throwing": _S.THROWING,
    "Métier|Trade": _S.TRADE,
    "Torture": _S.TORTURE,
    "Piégeage|Trapping": _S.TRAPPING,
    "Course|Running": _S.RUNNING,
    "Nager|Swimming": _S.SWIMMING,
    "Corps à corps|CAC|Unarmed": _S.UNARMED,
    "Esquive|Dodge": _S.DODGE,
    "Acrobatie|Acrobatics": _S.ACROBATICS,
    "Équitation|Riding": _S.RIDING,
    "Discrétion|Stealth": _S.STEALTH,
    "Vol aérien|Vol|Flight": _S.FLIGHT,
    "Observation": _S.OBSERVATION,
    "Persuasion": _S.PERSUASION,
    "Baratin|Bluff": _S.BLUFF,
    "Intimidation": _S.INTIMIDATION,
    "Psychologie|Psychology": _S.PSYCHOLOGY,
    "Séduction|Seduction": _S.SEDUCTION,
    "Négociation|Negotiation": _S.NEGOTIATION,
    "Fouille|Search": _S.SEARCH,
    "Magie|Magic": _S.MAGIC,
    "Culture générale|General knowledge": _S.GENERAL_KNOWLEDGE,
    "Dressage|Animal handling": _S.ANIMAL_HANDLING,
    "Linguistique|Linguistics": _S.LINGUISTICS,
    "Médecine|Medicine": _S.MEDICINE,
    "Navigation": _S.NAVIGATION,
    "Transformation": _S.TRANSFORMATION,
}
LADDER = {
    "facile|easy": CydoniaLadder.EASY,
    "moyenne|average": CydoniaLadder.AVERAGE,
    "difficile|hard": CydoniaLadder.HARD,
    "héros|heroic": CydoniaLadder.HEROIC,
}
VERY = {"facile|easy": CydoniaLadder.VERY_EASY, "difficile|hard": CydoniaLadder.VERY_HARD}

_G = CydoniaZoneGroup
ZONES = {
    "abdomen": _G.ABDOMEN,
    "torse|torso": _G.TORSO,
    "arme|weapon": _G.WEAPON,
    "bijoux|groin": _G.GROIN,
    "gorge|throat": _G.THROAT,
    "tête|head": _G.HEAD,
    "pied|foot": _G.FOOT,
    "jambe|leg": _G.LEG,
    "épaule|shoulder": _G.SHOULDER,
    "bras|arm": _G.ARM,
    "main|hand": _G.HAND,
    "côte|ribs": _G.RIBS,
}
BODY_SIDES = {
    "droite|droit|right": CydoniaBodySide.RIGHT,
    "gauche|left": CydoniaBodySide.LEFT,
}
OPTIONS = ("CE", "conc", "rep", "objets", "items")


def by_word(words: Mapping[str, Any]) -> dict[str, Any]:
    """Index values by each of their words, folded and without blanks."""
    return {
        fold(word).replace(" ", ""): value
        for spelled, value in words.items()
        for word in spelled.split("|")
    }


def spelled(words: Mapping[str, Any], value: Any) -> str:
    """Return the word we write for a value."""
    return next(word.split("|")[0] for word, known in words.items() if known == value)


_NAMED = {**by_word(ATTRIBUTES), **by_word(SKILLS)}
_GROUPS, _SIDES = by_word(ZONES), by_word(BODY_SIDES)


def below(path: str, key: str) -> str:
    """Return the path of a field of the side at ``path``; the request itself is ""."""
    return f"{path}.{key}" if path else key


def side_at(told: Told, path: str) -> Data | None:
    """Return the side at ``path``."""
    found: Data | None = get(told.full, path) if path else told.full
    return found


@dataclass(frozen=True)
class Whole(Int):
    """A whole number, with a sign where it is negative."""

    def read(self, line: Line, data: Data) -> bool:
        """Read digits, perhaps behind a sign."""
        number = line.number()
        if number is None:
            number = line.signed()
        if number is None:
            return False
        put(line, data, self.path, number)
        return True


@dataclass(frozen=True)
class Person(Name):
    """A name before ``=``: its letters, even where they are a word of the notation."""

    def read(self, line: Line, data: Data) -> bool:
        """Read the letters that touch the sign, or any other name."""
        start = line.next
        end = start + len(line.run)
        if end == start or not line.text.startswith("=", end):
            return super().read(line, data)
        put(line, data, self.path, line.raw[start:end])
        line.at = end
        return True

    def write(self, told: Told) -> str | None:
        """Write the letters, or the name in quotes."""
        name: str = get(told.full, self.path)
        return name if name.isalpha() else super().write(told)


@dataclass(frozen=True)
class Options:
    """What may follow a test: modifier, expert, concentration, reputation, items."""

    path: str

    def read(self, line: Line, data: Data) -> None:
        """Read as many options as there are."""
        bag = Bag(
            Signed(below(self.path, "modifier")),
            Flag("CE", below(self.path, "expert")),
            Seq(Word("conc"), Int(below(self.path, "concentration_turns"))),
            Seq(Word("rep"), Whole(below(self.path, "reputation"))),
            Seq(Word("objets|items"), Items(below(self.path, "attribute_items"), Int(""), ",")),
        )
        bag.read(line, data)

    def write(self, side: Data) -> str:
        """Write the options there are."""
        turns, renown = side.get("concentration_turns"), side.get("reputation")
        items = ",".join(map(str, side.get("attribute_items", ())))
        return "".join(
            (
                f" {side['modifier']:+d}" if side.get("modifier") else "",
                " CE" if side.get("expert") else "",
                f" conc {turns}" if turns else "",
                "" if renown is None else f" rep {renown}",
                f" objets {items}" if items else "",
            )
        )


@dataclass(frozen=True)
class Test:
    """``4 (Dextérité) + 6 (Hache)``: attribute, skill, options; one number is an attribute."""

    path: str = ""
    plain: bool = False
    """Whether a number alone is a test without a skill; elsewhere the skill is 0."""

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the options."""
        return OPTIONS

    def read(self, line: Line, data: Data) -> bool:
        """Read one number, or two."""
        first = line.number()
        if first is None:
            return False
        name = self._label(line)
        names = {name}
        values = {"attribute": first}
        if line.mark("+"):
            second = line.number()
            if second is None:
                line.refuse("missing")
            other = self._label(line)
            names.add(other)
            swapped = isinstance(name, CydoniaSkill) or isinstance(other, CydoniaAttribute)
            values = {"attribute": second if swapped else first}
            values["skill"] = first if swapped else second
        elif self.plain:
            put(line, data, below(self.path, "kind"), CydoniaSideKind.ATTRIBUTE.value)
        for key, value in values.items():
            put(line, data, below(self.path, key), value)
        for found in names - {None}:
            key = "skill_name" if isinstance(found, CydoniaSkill) else "attribute_name"
            put(line, data, below(self.path, key), str(found))
        Options(self.path).read(line, data)
        return True

    def _label(self, line: Line) -> Any:
        """Read a label: the name of a skill or of an attribute; any other says nothing."""
        if not line.mark("("):
            return None
        end = line.folded.find(")", line.at)
        if end < 0:
            line.refuse("missing", nearest=")")
        name = line.folded[line.at : end]
        line.at = end + 1
        return _NAMED.get("".join(sign for sign in name if sign not in " ,_"))

    def write(self, told: Told) -> str | None:
        """Write the addition."""
        side = side_at(told, self.path)
        if side is None or side.get("attribute") is None:
            return None
        kind = side.get("kind") or CydoniaSideKind.SKILL.value
        if kind == CydoniaSideKind.ATTRIBUTE.value and self.plain:
            return self._number(side, "attribute", ATTRIBUTES) + Options(self.path).write(side)
        if kind != CydoniaSideKind.SKILL.value:
            return None
        written = (
            self._number(side, "attribute", ATTRIBUTES),
            self._number(side, "skill", SKILLS),
        )
        return " + ".join(written) + Options(self.path).write(side)

    def _number(self, side: Data, key: str, words: Mapping[str, Any]) -> str:
        name = side.get(f"{key}_name")
        label = f" ({spelled(words, name)})" if name in words.values() else ""
        return f"{side.get(key, 0)}{label}"


@dataclass(frozen=True)
class Resist:
    """``resphy 4+9``: Courage and the attribute of a resistance."""

    path: str
    spelling: str
    kind: CydoniaSideKind
    said: bool = False
    """Whether the kind must be said in the request."""

    @property
    def words(self) -> tuple[str, ...]:
        """Its keywords."""
        return (self.spelling, *OPTIONS)

    def read(self, line: Line, data: Data) -> bool:
        """Read the word and the two numbers."""
        if line.word({self.spelling}) is None:
            return False
        if self.said:
            put(line, data, below(self.path, "kind"), self.kind.value)
        numbers = Seq(
            Int(below(self.path, "courage")), Mark("+"), Int(below(self.path, "attribute"))
        )
        if not numbers.read(line, data):
            line.refuse("missing")
        Options(self.path).read(line, data)
        return True

    def write(self, told: Told) -> str | None:
        """Write the word and the two numbers."""
        side = side_at(told, self.path)
        if side is None or side.get("courage") is None:
            return None
        kinds = (self.kind.value,) if self.said else (None, self.kind.value)
        if side.get("kind") not in kinds:
            return None
        sums = f"{side['courage']}+{side['attribute']}"
        return f"{self.spelling} {sums}{Options(self.path).write(side)}"


@dataclass(frozen=True)
class Formula:
    """``7+3+1d10``: Physique, a number, dice."""

    physique: str
    """Where Physique goes; "" where there is none."""
    path: str
    words: tuple[str, ...] = ("d",)

    def read(self, line: Line, data: Data) -> bool:
        """Read the terms."""
        start = line.next
        first = line.number()
        if first is None:
            return False
        formula: Data = {}
        if self.physique:
            put(line, data, self.physique, first)
        else:
            self._term(line, start, formula, first)
        start = line.next
        while (number := line.signed()) is not None:
            self._term(line, start, formula, number)
            start = line.next
        put(line, data, self.path, formula)
        return True

    def _term(self, line: Line, start: int, formula: Data, number: int) -> None:
        if line.run == "d" and number > 0:
            line.word({"d"})
            sides = line.attached()
            if sides is None:
                line.refuse("missing")
            formula.setdefault("dice", []).append({"count": number, "sides": sides})
            return
        end, line.at = line.at, start
        put(line, formula, "flat", number)
        line.at = end

    def write(self, told: Told) -> str | None:
        """Write the terms."""
        formula = get(told.full, self.path)
        physique = get(told.full, self.physique) if self.physique else None
        if formula is None or (self.physique and physique is None):
            return None
        flat = formula.get("flat", 0)
        dice = [f"{group['count']}d{group['sides']}" for group in formula.get("dice", ())]
        number = [str(flat)] if flat or not (dice or self.physique) else []
        terms = [str(physique), *number, *dice] if self.physique else [*dice, *number]
        return "+".join(terms).replace("+-", "-")


@dataclass(frozen=True)
class Zone:
    """``tête``, ``bras droit``: a zone of the body."""

    path: str

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the zones and of the two sides."""
        return tuple(word for words in (*ZONES, *BODY_SIDES) for word in words.split("|"))

    def read(self, line: Line, data: Data) -> bool:
        """Read the part of the body, and its side where it has two."""
        word = line.word(_GROUPS)
        if word is None:
            return False
        zone = _GROUPS[word].value
        if zone not in tuple(CydoniaZone):
            side = line.word(_SIDES)
            if side is None:
                line.refuse("missing")
            zone = f"{_SIDES[side].value}_{zone}"
        put(line, data, self.path, zone)
        return True

    def write(self, told: Told) -> str | None:
        """Write the words of the zone."""
        zone = get(told.full, self.path)
        if zone is None:
            return None
        side, _, group = zone.rpartition("_")
        return f"{spelled(ZONES, group)} {spelled(BODY_SIDES, side) if side else ''}".strip()


@dataclass(frozen=True)
class Difficulty(Int):
    """A number, or a rung of the ladder: ``diff 15``, ``diff difficile``."""

    words: tuple[str, ...] = (
        *(word for words in LADDER for word in words.split("|")),
        "très",
        "very",
    )

    def read(self, line: Line, data: Data) -> bool:
        """Read a number or the words of a rung."""
        number: Any = line.number()
        if number is None:
            rungs = by_word(VERY if line.word({"tres", "very"}) else LADDER)
            word = line.word(rungs)
            if word is None:
                return False
            number = rungs[word].value
        put(line, data, self.path, number)
        return True


def _diff(path: str = "difficulty") -> Seq:
    return Seq(Word("diff"), Difficulty(path))


def _life(target: str = "target") -> Seq:
    most = Maybe(Seq(Mark("/"), Int(f"{target}.hp_max"), glue=""))
    return Seq(Word("pv|hp"), Seq(Int(f"{target}.hp"), most, glue=""))


def _armor(target: str = "target") -> Seq:
    return Seq(Word("prot"), Int(f"{target}.protection"))


def _called(path: str = "called_zone") -> Seq:
    return Seq(Word("vise|calls"), Zone(path))


_AGAINST = Word("contre|vs")
_DAMAGE = "dégâts|damage"
_BODY = CydoniaSideKind.PHYSICAL_RESISTANCE
_MIND = CydoniaSideKind.MENTAL_RESISTANCE
_DOUBLE = CydoniaSideKind.DOUBLE_ATTRIBUTE.value

ACTIONS = {
    "frapper|strike": CydoniaKravkarAction.STRIKE.value,
    "saisir|grab": CydoniaKravkarAction.GRAB.value,
    "projeter|throw": CydoniaKravkarAction.THROW.value,
    "choc|slam": CydoniaKravkarAction.SLAM.value,
}
METHODS = {
    "griffes|claws": CydoniaMethod.CLAWS.value,
    "dents|teeth": CydoniaMethod.TEETH.value,
    "cac|unarmed": CydoniaMethod.UNARMED.value,
}
GAITS = {
    "monter|mount": CydoniaGait.MOUNT_UP.value,
    "pas|walk": CydoniaGait.WALK.value,
    "trot": CydoniaGait.TROT.value,
    "galop|gallop": CydoniaGait.GALLOP.value,
    "triple": CydoniaGait.TRIPLE_GALLOP.value,
}
MODES = {
    "courir|run": CydoniaTravelMode.RUN,
    "nager|swim": CydoniaTravelMode.SWIM,
    "voler|fly": CydoniaTravelMode.FLY,
}
TASKS = {"ordre|command": CydoniaTask.COMMAND, "apprivoise|tame": CydoniaTask.TAME}

CHAT = Notation(
    prefix="cydonia",
    faces="[",
    odds_words=("proba", "odds"),
    commands=(
        Command(
            "", "roll", Seq(Test(plain=True), Maybe(_diff())), "4 (Dextérité) + 6 (Hache) diff 15"
        ),
        Command("", "roll", Seq(Resist("", "resphy", _BODY, True), Maybe(_diff())), "resphy 4+9"),
        Command("", "roll", Seq(Resist("", "resmen", _MIND, True), Maybe(_diff())), "resmen 4+9"),
        Command(
            "",
            "opposition",
            Seq(Test("a", plain=True), _AGAINST, Test("b", plain=True)),
            "4 + 6 contre 4 + 5",
        ),
        Command(
            "loc",
            "damage-location",
            Seq(
                Choice(
                    "table",
                    {
                        "arme|weapon": CydoniaTable.WEAPON.value,
                        "cac|unarmed": CydoniaTable.UNARMED.value,
                    },
                ),
                Bag(
                    Seq(Word("marge|margin"), Int("margin")),
                    Flag("cavalier|rider", "attacker_mounted"),
                    Flag("surmonté|mounted", "defender_mounted"),
                    _called(),
                ),
            ),
            "arme marge 3",
        ),
        Command(
            _DAMAGE,
            "damage",
            Seq(
                Formula("physique", "weapon"),
                Bag(Seq(Word("zone"), Zone("zone")), _armor(), _life()),
            ),
            "7+3+1d10 prot 3",
        ),
        Command(
            "attaque|attack",
            "attack",
            Seq(
                Maybe(Choice("method", METHODS)),
                Test("attacker"),
                _AGAINST,
                Test("defender"),
                Bag(
                    Seq(Word(_DAMAGE), Formula("physique", "weapon")), _called(), _armor(), _life()
                ),
            ),
            "4+6 contre 4+5 dégâts 7+3+1d10",
        ),
        Command(
            "init",
            "initiative",
            Items(
                "combatants",
                Seq(Person("id"), Mark("="), Int("agility"), Mark("+"), Int("senses"), glue=""),
            ),
            "Nain=4+3 Elfe=6+5",
        ),
        Command(
            "repos|rest",
            "healing",
            Seq(
                Set("method", CydoniaHealingMethod.REST.value),
                Int("physique"),
                Seq(Word("d"), Attached("die"), glue=""),
                Maybe(_life()),
            ),
            "5 d6 pv 15/20",
        ),
        Command(
            "médecine|medicine",
            "healing",
            Seq(
                Set("method", CydoniaHealingMethod.MEDICINE.value),
                Test("healer"),
                _diff(),
                Bag(_life(), Seq(Word("malus|penalty"), Int("target.penalty"))),
            ),
            "6+5 diff 15 pv 12/25 malus 6",
        ),
        Command(
            "assomme|stuns",
            "stun",
            Seq(
                Set("phase", CydoniaStunPhase.BLOW.value),
                Int("damage"),
                Resist("resistance", "resphy", _BODY),
            ),
            "13 resphy 2+3",
        ),
        Command(
            "réveil|wake",
            "stun",
            Seq(
                Set("phase", CydoniaStunPhase.RECOVER.value),
                Set("state.stunned", value=True),
                Set("state.turns", 1),
                Int("state.difficulty"),
                Resist("resistance", "resphy", _BODY),
            ),
            "13 resphy 2+3",
        ),
        Command(
            "kravkar",
            "kravkar",
            Seq(
                Test("attacker"),
                _AGAINST,
                Test("defender"),
                Mark(":"),
                Items("actions", Choice("type", ACTIONS)),
            ),
            "8+6 contre 5+4 : frapper saisir choc",
        ),
        Command(
            "charge",
            "charge",
            Seq(
                Set("event", CydoniaChargeEvent.ATTACK.value),
                Set("state.momentum_turns", MOMENTUM),
                Test("blow.attacker"),
                Word("équ|riding"),
                Int("blow.attacker_riding"),
                Word("course|running"),
                Int("mount_running"),
                _AGAINST,
                Test("blow.defender"),
                Bag(
                    Seq(Word(_DAMAGE), Formula("blow.physique", "blow.weapon")),
                    _called("blow.called_zone"),
                    _armor("blow.target"),
                    _life("blow.target"),
                ),
            ),
            "6+5 équ 4 course 8 contre 4+4 dégâts 7+4+1d10",
        ),
        Command(
            "monture|ride",
            "ride",
            Seq(
                Test("rider"),
                Choice("gait", GAITS),
                Maybe(Seq(Word("course|running"), Set("race", value=True), Int("mount_running"))),
            ),
            "6+5 galop course 12",
        ),
        *(
            Command(words, "travel", Seq(Set("mode", mode.value), Test("actor")), "6+4")
            for words, mode in MODES.items()
        ),
        *(
            Command(
                "fouille|search",
                "search",
                Seq(
                    Test("searcher"),
                    place,
                    Maybe(Seq(Word("cache|hidden"), Difficulty("hidden_difficulty"))),
                ),
                "8+7 cadavre",
            )
            for place in (
                Choice(
                    "place",
                    {
                        "cadavre|corpse": CydoniaPlace.CORPSE.value,
                        "lieu|area": CydoniaPlace.AREA.value,
                    },
                ),
                Set("place", CydoniaPlace.AREA.value),
            )
        ),
        Command(
            "nego|bargain",
            "negotiation",
            Seq(
                Test("buyer"),
                _AGAINST,
                Test("merchant"),
                Maybe(Seq(Word("prix|price"), Int("price"))),
            ),
            "6+5 contre 4+5 prix 250",
        ),
        Command(
            "torture",
            "torture",
            Seq(Test("torturer"), Resist("victim", "resmen", _MIND), Bag(_life())),
            "5+3 resmen 4+5",
        ),
        Command(
            "piège|trap",
            "trap",
            Seq(
                Test("trapper"),
                _AGAINST,
                Test("victim"),
                Bag(Seq(Word(_DAMAGE), Formula("", "damage")), _armor(), _life()),
            ),
            "6+4 contre 5+6 dégâts 2d6",
        ),
        *(
            Command(
                words,
                "taming",
                Seq(
                    Set("task", task.value),
                    Test("handler"),
                    Word("diff"),
                    Int("animal_difficulty"),
                    Maybe(Seq(Word("a|owns"), Int("owned"))),
                ),
                "5+6 diff 10 a 1",
            )
            for words, task in TASKS.items()
        ),
        Command(
            "libérer|free",
            "opposition",
            Seq(
                Set("a.kind", _DOUBLE),
                Set("b.kind", _DOUBLE),
                Int("a.attribute"),
                _AGAINST,
                Int("b.attribute"),
            ),
            "6 contre 8",
        ),
        Command(
            "portance|load",
            "carrying",
            Seq(
                Int("physique"),
                Bag(
                    Seq(Word("petits|small"), Int("small")),
                    Seq(Word("gros|large"), Int("large")),
                ),
            ),
            "7 petits 20 gros 8",
        ),
        Command(
            "réput|renown",
            "reputation",
            Seq(Whole("level"), Whole("points"), Whole("award")),
            "3 2 -1",
        ),
        Command(
            "chance|luck",
            "luck",
            Seq(
                Choice(
                    "want",
                    {
                        "chanceux|luckiest": CydoniaWant.LUCKIEST.value,
                        "malchanceux|unluckiest": CydoniaWant.UNLUCKIEST.value,
                    },
                ),
                Items("characters", Seq(Person("id"), Mark("="), Int("luck"), glue="")),
            ),
            "chanceux A=4 B=7",
        ),
    ),
)
