"""The notation: ``/lb 3 t2 +3/7 @Naomi:5`` and a word for each other resolver."""

from dataclasses import dataclass

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
    Named,
    Notation,
    OneOf,
    Part,
    Seq,
    Set,
    Told,
    Word,
    get,
)
from arbitre.systems.lady_blackbird.condition import LadyBlackbirdConditionAction
from arbitre.systems.lady_blackbird.healing import LadyBlackbirdBenefit
from arbitre.systems.lady_blackbird.help import LadyBlackbirdStage
from arbitre.systems.lady_blackbird.key import LadyBlackbirdKeyAction
from arbitre.systems.lady_blackbird.roll import USUAL
from arbitre.systems.lady_blackbird.tables import (
    LadyBlackbirdCondition,
    LadyBlackbirdPurchaseKind,
    LadyBlackbirdReward,
)

UNNAMED = "Clé"
"""The key of a line that names none: the line rewards it all the same."""

REWARDS = {
    "xp": LadyBlackbirdReward.XP.value,
    "dés|dice": LadyBlackbirdReward.DICE.value,
    "mixte|split": LadyBlackbirdReward.SPLIT.value,
}

CONDITIONS = {
    "blessé|injured": LadyBlackbirdCondition.INJURED.value,
    "mort|dead": LadyBlackbirdCondition.DEAD.value,
    "fatigué|tired": LadyBlackbirdCondition.TIRED.value,
    "énervé|angry": LadyBlackbirdCondition.ANGRY.value,
    "perdu|lost": LadyBlackbirdCondition.LOST.value,
    "chassé|hunted": LadyBlackbirdCondition.HUNTED.value,
    "prisonnier|trapped": LadyBlackbirdCondition.TRAPPED.value,
}


@dataclass(frozen=True)
class Difficulty(Int):
    """The difficulty, always written: a line is never empty."""

    def write(self, told: Told) -> str:
        """Write the difficulty, the usual one too."""
        return str(get(told.full, self.path) or USUAL)


@dataclass(frozen=True)
class KeyName(Name):
    """The name of a key, or none."""

    def write(self, told: Told) -> str | None:
        """Write the name of a key that has one."""
        return None if get(told.full, self.path) == UNNAMED else super().write(told)


@dataclass(frozen=True)
class Unnamed:
    """A key that was not named gets the name of all keys."""

    words: tuple[str, ...] = ()

    def read(self, _line: Line, data: dict[str, object]) -> bool:
        """Name the key, if nothing did."""
        data.setdefault("key", UNNAMED)
        return True

    def write(self, _told: Told) -> str:
        """Write nothing."""
        return ""


def helper(start: str) -> Seq:
    """Return a helper and the pool: ``Naomi:5``."""
    pool = Seq(Mark(":"), Int("pool"), glue="")
    parts = (Mark(start), Name("name"), Maybe(pool)) if start else (Name("name"), pool)
    return Seq(*parts, glue="")


def purchase(word: str, kind: LadyBlackbirdPurchaseKind, name: Part) -> Seq:
    """Return what is bought: ``trait Pilote``."""
    return Seq(Set("kind", kind.value), Word(word), name)


TEST = Bag(
    Difficulty("difficulty"),
    Seq(Flag("t", "trait"), Maybe(Attached("tags")), glue=""),
    Seq(
        Maybe(Seq(Mark("+"), Int("pool_dice"), glue="")),
        Maybe(Seq(Mark("/"), Int("state.pool"), glue="")),
        glue="",
    ),
    Seq(Word("b"), Int("bonus_dice"), glue=""),
    Items("helpers", helper("@")),
)

TRIGGER = Seq(
    Set("action", LadyBlackbirdKeyAction.TRIGGER.value),
    Choice("reward", REWARDS),
    Bag(
        Flag("danger", "danger"),
        Named("réserve|pool", "state.pool"),
        Named("xp", "state.xp"),
        Named("aug|adv", "state.advances"),
        KeyName("key"),
    ),
    Unnamed(),
)

BUYBACK = Seq(
    Set("action", LadyBlackbirdKeyAction.BUYBACK.value),
    Name("key"),
    Bag(
        Named("réserve|pool", "state.pool"),
        Named("xp", "state.xp"),
        Named("aug|adv", "state.advances"),
        Seq(Word("clés|keys"), Mark("="), Items("state.keys", Name(""), ","), glue=""),
    ),
)


@dataclass(frozen=True)
class Removed:
    """``-fatigué``: the condition to remove, which the character has."""

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the conditions."""
        return Choice("condition", CONDITIONS).words

    def read(self, line: Line, data: dict[str, object]) -> bool:
        """Read a dash and a condition."""
        if not Seq(Mark("-"), Choice("condition", CONDITIONS)).read(line, data):
            return False
        Set("benefit", LadyBlackbirdBenefit.REMOVE_CONDITION.value).read(line, data)
        Set("state.conditions", [data["condition"]]).read(line, data)
        return True

    def write(self, told: Told) -> str | None:
        """Write a dash and a condition."""
        return Seq(Mark("-"), Choice("condition", CONDITIONS), glue="").write(told)


@dataclass(frozen=True)
class Recovered:
    """``secret NAME``: the secret to recover, which the character has used up."""

    words: tuple[str, ...] = ("secret",)

    def read(self, line: Line, data: dict[str, object]) -> bool:
        """Read the word and a name."""
        if not Seq(Word("secret"), Name("secret")).read(line, data):
            return False
        Set("benefit", LadyBlackbirdBenefit.RECOVER_SECRET.value).read(line, data)
        used_up = {"name": data["secret"], "available": False}
        Set("state.secrets", [used_up]).read(line, data)
        return True

    def write(self, told: Told) -> str | None:
        """Write the word and a name."""
        return Seq(Word("secret"), Name("secret")).write(told)


HELP = OneOf(
    Seq(
        Set("stage", LadyBlackbirdStage.SETTLE.value),
        Choice("success", {"réussite|success": True, "échec|failure": False}),
        Items("helpers", helper("")),
    ),
    Seq(Set("stage", LadyBlackbirdStage.OFFER.value), Items("helpers", helper(""))),
)

PURCHASES = Items(
    "purchases",
    OneOf(
        purchase("trait", LadyBlackbirdPurchaseKind.TRAIT, Name("name")),
        purchase(
            "tag",
            LadyBlackbirdPurchaseKind.TAG,
            Seq(Name("trait"), Mark("/"), Name("name"), glue=""),
        ),
        purchase("clé|key", LadyBlackbirdPurchaseKind.KEY, Name("name")),
        purchase("secret", LadyBlackbirdPurchaseKind.SECRET, Name("name")),
    ),
    ";",
)

CHAT = Notation(
    prefix="lb",
    commands=(
        Command("", "roll", TEST, "3 t2 +3/7"),
        Command("clé|key", "key", TRIGGER, "xp"),
        Command("rachat|buyback", "key", BUYBACK, '"Clé du secret" aug=1'),
        Command(
            "scène|refresh",
            "healing",
            Seq(Int("state.pool"), Bag(Removed(), Recovered(), Flag("flashback", "flashback"))),
            "3 -fatigué",
        ),
        Command(
            "condition",
            "condition",
            Seq(
                Set("action", LadyBlackbirdConditionAction.INFLICT.value),
                Choice("condition", CONDITIONS),
                Maybe(Flag("définitif|final", "death_is_final")),
            ),
            "perdu",
        ),
        Command("aide|help", "help", HELP, "Naomi:5 Kale:1"),
        Command(
            "aug|adv",
            "advancement",
            Seq(Int("state.advances"), Maybe(Named("xp", "state.xp")), Maybe(PURCHASES)),
            "2 trait Pilote; tag Pilote/Voltige",
        ),
    ),
)
