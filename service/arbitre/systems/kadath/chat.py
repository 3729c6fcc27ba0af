"""The notation: ``/kadath Perception 3/1-``, and a word for each other resolver.

A skill of the book is named in French or English and becomes its identifier; any other name
stays as typed. To give up a position says that one is held, a Ralentissement that somebody
plays after; an armor is worn by somebody who has the Muscles for it.
"""

from dataclasses import dataclass, field
from typing import Any

from arbitre.rules.line import fold, write_name
from arbitre.rules.notation import (
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
    OneOf,
    Part,
    Quantity,
    Seq,
    Set,
    Told,
    Word,
    get,
    put,
)
from arbitre.systems.kadath.advancement import KadathAdvancementKind
from arbitre.systems.kadath.healing import KadathMethod, KadathPeriod
from arbitre.systems.kadath.incident import KadathIncidentKind
from arbitre.systems.kadath.life import KadathCondition
from arbitre.systems.kadath.screen_table import KadathScreenTable
from arbitre.systems.kadath.surprise import KadathSurpriseMode
from arbitre.systems.kadath.tables import (
    ARMORS,
    KadathArmorClass,
    KadathBox,
    KadathFire,
    KadathHazard,
    KadathPenalty,
    KadathPrime,
    KadathWeaponClass,
)
from arbitre.systems.kadath.versus import KadathInitiator

SKILLS = {
    "Acrobatie": "acrobatics",
    "Athlétisme": "athletics",
    "Combat": "combat",
    "Connaissance (Kadath)": "knowledge_kadath",
    "Défense": "defense",
    "Discrétion": "stealth",
    "Escamotage": "sleight_of_hand",
    "Muscles": "muscles",
    "Perception": "perception",
    "Psychologie": "psychology",
    "Réflexes": "reflexes",
    "Soins": "medicine",
    "Volonté": "willpower",
}
"""The skills that the book names, and their identifiers."""

KNOWN = {fold(name): id_ for name, id_ in SKILLS.items()} | {
    id_.replace("_", " "): id_ for id_ in SKILLS.values()
}
FRENCH = {id_: name for name, id_ in SKILLS.items()}

BOXES = {
    "blanche|white": KadathBox.WHITE.value,
    "gc|lg": KadathBox.LIGHT_GRAY.value,
    "gf|dg": KadathBox.DARK_GRAY.value,
    "noire|black": KadathBox.BLACK.value,
}

PRIMES = {
    "accélération|acceleration": KadathPrime.ACCELERATION.value,
    "meurtrière|deadly": KadathPrime.DEADLY_ATTACK.value,
    "précise|precise": KadathPrime.PRECISE_ATTACK.value,
    "efficacité|efficiency": KadathPrime.EFFICIENCY.value,
    "prudence|caution": KadathPrime.CAUTION.value,
}

PENALTIES = {
    "abandon": KadathPenalty.ABANDON_POSITION.value,
    "légère|light": KadathPenalty.LIGHT_WOUND.value,
    "danger": KadathPenalty.DANGER.value,
    "difficulté|difficulty": KadathPenalty.DIFFICULTY.value,
    "ralentissement|slowdown": KadathPenalty.SLOWDOWN.value,
    "risque|risk": KadathPenalty.RISK.value,
}

IMPLIED = {
    KadathPenalty.ABANDON_POSITION.value: "in_advantageous_position",
    KadathPenalty.SLOWDOWN.value: "opponent_acts_after",
}

ARMOR = {
    "légère|light": KadathArmorClass.LIGHT.value,
    "guerre|war": KadathArmorClass.WAR.value,
    "lourde|heavy": KadathArmorClass.HEAVY.value,
}


class Options(Bag):
    """Parts that each begin with a word or a sign: they may follow a number."""

    def read(self, line: Line, data: dict[str, Any]) -> bool:
        """Read as many of the parts as there are."""
        start = line.at
        while any(part.read(line, data) for part in self.parts):
            pass
        return line.at > start


@dataclass(frozen=True)
class SkillName(Name):
    """The name of a skill."""

    def read(self, line: Line, data: dict[str, Any]) -> bool:
        """Read a skill of the book, or any other name."""
        name = line.word(KNOWN) or line.name()
        if name is None:
            return False
        put(line, data, self.path, KNOWN.get(fold(name), name))
        return True

    def write(self, told: Told) -> str | None:
        """Write the French name of a skill of the book, or the name given."""
        name = get(told.full, self.path)
        return None if name is None else write_name(FRENCH.get(name, name), told.keywords)


@dataclass(frozen=True)
class FirstName(SkillName):
    """The name that opens a line: one in S that the book does not know needs quotes."""

    def read(self, line: Line, data: dict[str, Any]) -> bool:
        """Read a name; a lone S is kept for secret rolls."""
        if line.run.startswith("s") and line.run not in KNOWN:
            line.refuse("secret-reserved")
        return super().read(line, data)

    def write(self, told: Told) -> str | None:
        """Write a name, in quotes where it begins with S."""
        name = get(told.full, self.path)
        if name is None or name in FRENCH or not fold(name).startswith("s"):
            return super().write(told)
        return write_name(name, {fold(name): name})


@dataclass(frozen=True)
class Counted:
    """Circumstances of one kind: ``/2-`` or ``-2`` (KA-05)."""

    path: str
    sign: str
    words: tuple[str, ...] = ()

    def read(self, line: Line, data: dict[str, Any]) -> bool:
        """Read either form."""
        start = line.at
        number = line.number() if line.mark("/") else None
        found = number is not None and line.mark(self.sign)
        if not found:
            line.at = start
            number = line.number() if line.mark(self.sign) else None
            found = number is not None
        if not found:
            line.at = start
            return False
        put(line, data, self.path, number)
        return True

    def write(self, told: Told) -> str | None:
        """Write the form of the book."""
        number = get(told.full, self.path)
        return f"/{number}{self.sign}" if number else None


@dataclass(frozen=True)
class Silent:
    """A word that leaves no trace, and is no keyword: skills may bear it."""

    spelling: str
    words: tuple[str, ...] = ()

    def read(self, line: Line, data: dict[str, Any]) -> bool:  # noqa: ARG002 - it says nothing
        """Read the word."""
        return line.word([fold(word) for word in self.spelling.split("|")]) is not None

    def write(self, told: Told) -> str:  # noqa: ARG002 - likewise
        """Write its first spelling."""
        return self.spelling.split("|")[0]


@dataclass(frozen=True)
class Price:
    """A penalty, and what it supposes."""

    at: str
    choice: Choice = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "choice", Choice(f"{self.at}penalty", PENALTIES))

    @property
    def words(self) -> tuple[str, ...]:
        """The words of every penalty."""
        return self.choice.words

    def read(self, line: Line, data: dict[str, Any]) -> bool:
        """Read a penalty; it is there to be paid."""
        if not self.choice.read(line, data):
            return False
        implied = IMPLIED.get(get(data, self.choice.path))
        if implied:
            put(line, data, f"{self.at}{implied}", value=True)
        return True

    def write(self, told: Told) -> str | None:
        """Write the penalty."""
        return self.choice.write(told)


@dataclass(frozen=True)
class Worn:
    """The defender's armor, and the Muscles to wear it."""

    choice: Choice = field(default_factory=lambda: Choice("defender.armor.class", ARMOR))

    @property
    def words(self) -> tuple[str, ...]:
        """The words of every armor."""
        return ("armure", "armor", *self.choice.words)

    def read(self, line: Line, data: dict[str, Any]) -> bool:
        """Read an armor."""
        if line.word(self.words[:2]) is None:
            return False
        if not self.choice.read(line, data):
            line.refuse("missing")
        worn = ARMORS[KadathArmorClass(get(data, self.choice.path))]
        put(line, data, "defender.muscles", worn.muscles)
        return True

    def write(self, told: Told) -> str | None:
        """Write the armor."""
        worn = self.choice.write(told)
        return None if worn is None else f"armure {worn}"


def after(words: str, *parts: Part) -> Seq:
    """Return a word and what follows it."""
    return Seq(Word(words), *parts)


def pool(at: str = "", name: Part | None = None) -> Seq:
    """Return a test: ``Perception 3/1- actions 2 case gf``."""
    counted = Options(Counted(f"{at}unfavorable", "-"), Counted(f"{at}favorable", "+"))
    return Seq(
        name or Maybe(SkillName(f"{at}skill_name")),
        Seq(Int(f"{at}skill"), counted, glue=""),
        Options(
            after("actions", Int(f"{at}declared_actions")),
            after("case|box", Choice(f"{at}box", BOXES)),
        ),
    )


def pools(path: str) -> Items:
    """Return several tests: ``2,1/1-``."""
    return Items(path, pool(), ",")


def life(at: str) -> Seq:
    """Return a life line: ``1/3/2``."""
    boxes = (f"{at}white", f"{at}light_gray", f"{at}dark_gray")
    return Seq(Int(boxes[0]), Mark("/"), Int(boxes[1]), Mark("/"), Int(boxes[2]), glue="")


def boon(at: str = "") -> Seq:
    """Return a boon and its price: ``prime prudence pénalité risque``."""
    return Seq(
        Word("prime|boon"), Choice(f"{at}prime", PRIMES), Word("pénalité|penalty"), Price(at)
    )


CONTRE = Word("contre|vs")

ROLL = Seq(
    pool(name=Maybe(FirstName("skill_name"))),
    Options(
        after("aide|help", pools("helpers")),
        after("gêne|hinder", pools("hinderers")),
        boon(),
        after("gratuite|free", Items("free_primes", Choice("", PRIMES), ",")),
    ),
)

OPPOSITION = Seq(
    pool("a."),
    CONTRE,
    pool("b."),
    Options(
        after(
            "initie|initiator",
            Choice(
                "initiator",
                {
                    "a": KadathInitiator.A.value,
                    "b": KadathInitiator.B.value,
                    "deux|both": KadathInitiator.BOTH.value,
                },
            ),
        )
    ),
)

SURPRISE = Seq(
    Choice(
        "mode",
        {
            "embuscade|ambush": KadathSurpriseMode.AMBUSH.value,
            "dégaine|draw": KadathSurpriseMode.DRAW.value,
        },
    ),
    pool("ambusher."),
    CONTRE,
    pools("targets"),
)

COMBATANT = Seq(
    Name("id"),
    Mark(":"),
    Int("declared_actions"),
    Mark(":"),
    Int("reflexes"),
    Options(
        Seq(Mark(":a"), Int("acceleration"), glue=""),
        Seq(Mark(":r"), Int("slowdown"), glue=""),
    ),
    glue="",
)

INITIATIVE = Seq(
    Items("combatants", COMBATANT, ","), Options(after("passe|pass", Int("from_pass")))
)

WEAPON = OneOf(
    Choice(
        "attacker.weapon.class",
        {
            "guerre|war": KadathWeaponClass.WAR.value,
            "lourde|heavy": KadathWeaponClass.HEAVY.value,
        },
    ),
    Seq(
        Set("attacker.weapon.class", KadathWeaponClass.CUSTOM.value), Int("attacker.weapon.damage")
    ),
)

ATTACK = Seq(
    pool("attacker."),
    CONTRE,
    pool("defender."),
    Options(
        after("dégâts|damage", Int("attacker.character_damage")),
        after("arme|weapon", WEAPON),
        after("total", Int("attacker.total_damage")),
        after("muscles", Int("attacker.muscles")),
        Seq(
            Set("defender.armor.class", KadathArmorClass.CUSTOM.value),
            Word("protection"),
            Int("defender.armor.protection"),
        ),
        Worn(),
        after("adversaires|adversaries", Int("adversaries")),
        Flag("surpris|surprised", "surprised"),
        Flag("caché|hidden", "perceived", value=False),
        boon("attacker."),
    ),
)

DAMAGE = Seq(
    Items("hits", Int(""), ","),
    Word("ligne|line"),
    life("life_line."),
    Word("case|box"),
    Int("state.position"),
    Options(after("protection", Int("protection"))),
)

FIRST_AID = Seq(
    Set("method", KadathMethod.FIRST_AID.value),
    pool("healer."),
    Word("ligne|line"),
    life("patient.life_line."),
    OneOf(
        after("case|box", Int("patient.state.position")),
        Choice(
            "patient.state.condition",
            {
                "trauma": KadathCondition.TRAUMA.value,
                "coma": KadathCondition.COMA.value,
                "inconscient|unconscious": KadathCondition.UNCONSCIOUS.value,
            },
        ),
    ),
)

REST = Seq(
    Set("method", KadathMethod.NATURAL.value),
    Seq(Int("hours"), Word("h"), glue=""),
    Word("ligne|line"),
    life("patient.life_line."),
    Word("case|box"),
    Int("patient.state.position"),
)

CARE = Seq(
    Set("method", KadathMethod.CARE.value),
    Choice("period", {"heure|hour": KadathPeriod.HOUR.value, "jour|day": KadathPeriod.DAY.value}),
    pool("healer."),
    Word("patients"),
    Items("patients", Seq(life("life_line."), Mark(":"), Int("state.position"), glue=""), ","),
)

FALL = Seq(
    Set("kind", KadathHazard.FALL.value),
    Quantity("height"),
    Options(pool("acrobatics.", Silent("acrobatie|acrobatics"))),
)

FIRE = Seq(
    Set("kind", KadathHazard.FIRE.value),
    Choice(
        "size",
        {
            "torche|torch": KadathFire.TORCH.value,
            "camp|campfire": KadathFire.CAMPFIRE.value,
            "incendie|blaze": KadathFire.BLAZE.value,
        },
    ),
    Options(after("rounds", Int("rounds"))),
)

ASPHYXIA = Seq(
    Set("kind", KadathHazard.ASPHYXIA.value),
    Choice("active", {"actif|active": True, "immobile|motionless": False}),
    Word("air"),
    Int("air_used"),
    Word("tests"),
    Int("tests_made"),
    Options(OneOf(pool("test.", SkillName("test.skill_name")), after("avec|with", pool("test.")))),
)

DANGER = after("danger", Int("danger"))
PCS = after("pj|pc", Int("pc_count"))

CHECK = Seq(
    Set("kind", KadathIncidentKind.CHECK.value),
    pools("members"),
    Options(DANGER, after("groupe|group", Int("group_size"))),
)

THEFT = OneOf(
    Seq(
        Set("kind", KadathIncidentKind.PICKPOCKET.value),
        Word("dérobé|pickpocket"),
        pool("thief."),
        CONTRE,
        pool("victim."),
    ),
    Seq(
        Set("kind", KadathIncidentKind.SNATCH.value),
        Word("arraché|snatch"),
        pool("thief."),
        CONTRE,
        pools("characters"),
    ),
)

SHAKEDOWN = Seq(
    Set("kind", KadathIncidentKind.SHAKEDOWN.value),
    PCS,
    Options(DANGER, Choice("comply", {"cède|comply": True, "résiste|resist": False})),
)


def facing(kind: KadathIncidentKind, foes: str) -> Seq:
    """Return foes against each character: ``2 contre 3,1 pj 2 danger 1``."""
    return Seq(
        Set("kind", kind.value), pool(f"{foes}."), CONTRE, pools("characters"), Options(PCS, DANGER)
    )


CHASE = Seq(pools("pursuers"), CONTRE, pool("thief."))

MYTH = Seq(Int("myth"), Options(after("fois|times", Int("checks"))))

RAISES = Seq(
    Set("kind", KadathAdvancementKind.RAISE.value),
    Items(
        "raises",
        Seq(SkillName("skill_name"), Seq(Int("from"), Mark(">"), Int("to"), glue="")),
        ",",
    ),
    Word("réserve|reserve"),
    Int("experience"),
)

TABLE = Choice(
    "table",
    {
        "péril|peril": KadathScreenTable.PERIL.value,
        "show": KadathScreenTable.SHOW_MUST_GO_ON.value,
    },
)

CHAT = Notation(
    prefix="kadath",
    faces="=",
    odds_words=("chances", "odds"),
    commands=(
        Command("", "roll", ROLL, "Perception 3/1-"),
        Command("opp", "opposition", OPPOSITION, "3 contre 2"),
        Command("surprise", "surprise", SURPRISE, "embuscade 3 contre 2,4"),
        Command("init", "initiative", INITIATIVE, "Aya:2:3, Bor:1:4"),
        Command("attaque|attack", "attack", ATTACK, "4 contre 3 dégâts 2 arme guerre muscles 2"),
        Command("dégâts|damage", "damage", DAMAGE, "2,2 ligne 1/3/2 case 2"),
        Command(
            "grâce|finish",
            "final-blow",
            Seq(Set("target.condition", KadathCondition.UNCONSCIOUS.value), pool("attacker.")),
            "3",
        ),
        Command(
            "trauma",
            "trauma",
            Seq(pool("test."), Word("rounds"), Int("trauma_rounds")),
            "3 rounds 2",
        ),
        Command("soins|aid", "healing", FIRST_AID, "3 ligne 1/3/2 coma"),
        Command("repos|rest", "healing", REST, "50h ligne 1/3/2 case 5"),
        Command("veille|care", "healing", CARE, "jour 3 patients 1/3/2:5"),
        Command("chute|fall", "hazard", FALL, "10 acrobatie 3"),
        Command("feu|fire", "hazard", FIRE, "camp rounds 3"),
        Command("asphyxie|asphyxia", "hazard", ASPHYXIA, "actif air 8 tests 0"),
        Command("incident", "incident", CHECK, "3,3,2,2 danger 1"),
        Command("vol|theft", "incident", THEFT, "dérobé 3 contre 3"),
        Command("cogne|shakedown", "incident", SHAKEDOWN, "pj 4 danger 2 cède"),
        Command(
            "vindicte|harassment",
            "incident",
            facing(KadathIncidentKind.HARASSMENT, "harassers"),
            "2 contre 3,1 danger 1",
        ),
        Command(
            "châtiment|punishment",
            "incident",
            Seq(Set("kind", KadathIncidentKind.PUNISHMENT.value), PCS, Options(DANGER)),
            "pj 4 danger 1",
        ),
        Command(
            "croisade|crusade",
            "incident",
            facing(KadathIncidentKind.CRUSADE, "ambushers"),
            "3 contre 2,4 danger 2",
        ),
        Command("poursuite|chase", "chase", CHASE, "3,2 contre 3"),
        Command("mythe|myth", "myth", MYTH, "6 fois 3"),
        Command("xp", "advancement", RAISES, "Perception 0>1 réserve 4"),
        Command("table", "screen-table", TABLE, "péril"),
    ),
)
