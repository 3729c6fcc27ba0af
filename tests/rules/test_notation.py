"""A line is a request, or it is refused: nothing is guessed and nothing is ignored."""

from decimal import Decimal
from types import SimpleNamespace
from typing import Annotated, Any

import pytest
from pydantic_core import to_json

import tiny_duel
from arbitre.dice import Dice
from arbitre.rules.fields import Hundredths
from arbitre.rules.line import one_word
from arbitre.rules.model import Frozen, Outcome, Request
from arbitre.rules.notation import (
    Attached,
    Bag,
    Choice,
    Command,
    Flag,
    Int,
    Items,
    Mark,
    Maybe,
    Name,
    Named,
    Notation,
    NotationError,
    OneOf,
    Quantity,
    Seq,
    Set,
    Signed,
    Word,
    get,
    parse,
    render,
)
from arbitre.rules.resolver import resolver


class Friend(Frozen):
    name: str
    pool: int = 7


class Picnic(Request):
    kind: str = "picnic"
    difficulty: int = 3
    trait: bool = False
    tags: int = 0
    pool: int = 7
    bonus: int = 0
    spice: str = "none"
    friends: tuple[Friend, ...] = ()
    where: str | None = None


class Fall(Request):
    height: Annotated[Decimal, Hundredths(0, 100)]
    scores: tuple[int, ...] = ()
    teams: tuple[Friend, ...] = ()


class Nothing(Outcome):
    pass


@resolver("picnic", rules=())
def picnic(request: Picnic, dice: Dice) -> Nothing:  # noqa: ARG001 - never resolved
    return Nothing()


@resolver("fall", rules=())
def fall(request: Fall, dice: Dice) -> Nothing:  # noqa: ARG001 - never resolved
    return Nothing()


SCORES = Items("scores", Int(""), ",")
FRIEND = Seq(Mark("@"), Name("name"), Maybe(Seq(Mark(":"), Int("pool"), glue="")), glue="")

CHAT = Notation(
    prefix="pq",
    commands=(
        Command(
            "",
            "picnic",
            Bag(
                Int("difficulty"),
                Seq(Flag("t", "trait"), Maybe(Attached("tags")), glue=""),
                Signed("bonus"),
                Named("réserve|pool", "pool"),
                Choice("spice", {"poivré|peppery": "pepper", "salé": "salt"}),
                Items("friends", FRIEND),
            ),
            "3 t2",
        ),
        Command(
            "chute|fall",
            "fall",
            Seq(
                Quantity("height"),
                Maybe(OneOf(Seq(Word("puis|then"), SCORES), SCORES)),
            ),
            "4,5",
        ),
        Command(
            "équipes|teams",
            "fall",
            Seq(Word("haut|high"), Quantity("height"), Mark(":"), Items("teams", FRIEND, ";")),
            "haut 2 : @Ada ; @Bo",
        ),
        Command(
            "fête|party",
            "picnic",
            OneOf(
                Seq(Set("kind", "garden"), Word("jardin"), Maybe(Name("where"))),
                Seq(Set("kind", "cellar"), Word("cave"), Int("pool"), Int("bonus")),
                Seq(Set("kind", "attic"), Word("cave"), Int("pool"), Word("haute")),
            ),
            "jardin",
        ),
        Command(
            "repos|rest",
            "picnic",
            Seq(Set("kind", "rest"), Bag(Named("pool", "pool"))),
            "pool=3",
        ),
        Command("silence", "picnic", Seq(Set("kind", "silence"), Maybe(Name("where"))), ""),
    ),
    faces="[",
    odds="?",
    odds_words=("proba", "odds"),
)  # fmt: skip

GAME = SimpleNamespace(chat=CHAT, by_id={"picnic": picnic, "fall": fall})
MUTE = SimpleNamespace(chat=None, by_id={})


FRIENDS = [{"name": "Ada", "pool": 5}, {"name": "Bo"}]


def wide(line: str) -> str:
    """Write a line as an East Asian keyboard may."""
    return "".join(chr(ord(sign) + 0xFEE0) if "!" <= sign <= "~" else sign for sign in line)


def asked(line: str) -> dict[str, Any]:
    return parse(GAME, line).request


def refused(line: str) -> NotationError:
    with pytest.raises(NotationError) as error:
        parse(GAME, line)
    return error.value


@pytest.mark.parametrize(
    ("line", "request_"),
    [
        ("/pq 3", {"difficulty": 3}),
        ("PQ3", {"difficulty": 3}),
        ("4", {"difficulty": 4}),
        ("/pq 3 t2", {"difficulty": 3, "trait": True, "tags": 2}),
        ("pq3,t2,+3", {"difficulty": 3, "trait": True, "tags": 2, "bonus": 3}),
        ("pq3t2+3", {"difficulty": 3, "trait": True, "tags": 2, "bonus": 3}),
        ("/pq t -2", {"trait": True, "bonus": -2}),
        ("/pq t \N{MINUS SIGN} 2", {"trait": True, "bonus": -2}),
        (wide("/PQ 3\N{NO-BREAK SPACE}T2"), {"difficulty": 3, "trait": True, "tags": 2}),
        ("/pq RESERVE=4", {"pool": 4}),
        ("/pq re\N{COMBINING ACUTE ACCENT}serve = 4", {"pool": 4}),
        ("/pq peppery t", {"spice": "pepper", "trait": True}),
        ("/pq sale", {"spice": "salt"}),
        ("/pq @Ada:5 t @Bo", {"trait": True, "friends": FRIENDS}),
        ('/pq @"Ada la Brave":5', {"friends": [{"name": "Ada la Brave", "pool": 5}]}),
        ("/pq @« Ada la Brave »:5", {"friends": [{"name": "Ada la Brave", "pool": 5}]}),
        ("/pq @Ada_la_Brave:5", {"friends": [{"name": "Ada la Brave", "pool": 5}]}),
        ('/pq @"a__b ""c"""', {"friends": [{"name": 'a_b "c"'}]}),
        ("/pq @«a ««b»»»", {"friends": [{"name": "a «b»"}]}),
        ("/pq fete jardin", {"kind": "garden"}),
        ("/pq fete jardin l'étang", {"kind": "garden", "where": "l'étang"}),
        ("/pq fete cave 3 4", {"kind": "cellar", "pool": 3, "bonus": 4}),
        ("/pq fete cave 3 haute", {"kind": "attic", "pool": 3}),
        ("/pq repos", {"kind": "rest"}),
        ("/pq rest pool=2", {"kind": "rest", "pool": 2}),
        ("/pq silence", {"kind": "silence"}),
    ],
)  # fmt: skip
def test_a_line_says_a_request(line: str, request_: dict[str, Any]) -> None:
    said = parse(GAME, line)
    assert (said.resolver, said.request, said.faces, said.odds) == ("picnic", request_, None, False)


@pytest.mark.parametrize(
    ("line", "request_"),
    [
        ("/pq chute 4,5", {"height": "4.5"}),
        ("/pq chute 4.25", {"height": "4.25"}),
        ("/pq chute4,1", {"height": "4.1"}),
        ("/pq chute4puis1,2", {"height": "4", "scores": [1, 2]}),
        ("/pq fall 4 then 1, 2,3", {"height": "4", "scores": [1, 2, 3]}),
        ("/pq fall 4,,1", None),
        ("/pq fall 4 1, 2", None),
        ("/pq chute 4.125", None),
        ("/pq teams high 2 : @Ada:5 ; @Bo", {"height": "2", "teams": FRIENDS}),
        ("/pq teams high 2 : @Ada ;", None),
    ],
)  # fmt: skip
def test_lists_and_decimals(line: str, request_: dict[str, Any] | None) -> None:
    if request_ is None:
        refused(line)
        return
    said = parse(GAME, line)
    assert said.resolver == "fall"
    assert said.request == request_


@pytest.mark.parametrize(
    ("line", "code", "word", "nearest"),
    [
        ("", "empty", "", "/pq 3 t2"),
        ("  , ", "empty", "", "/pq 3 t2"),
        ("/pq", "bare-prefix", "", "/pq 3 t2"),
        ("PQ?", "bare-prefix", "", "/pq 3 t2"),
        ("/pq proba", "bare-prefix", "", "/pq 3 t2"),
        ("/pq 3 hélas", "unknown-word", "hélas", "/pq 3 t2"),
        ("/pq 3 poivr", "unknown-word", "poivr", "poivré"),
        ("/pq zut", "unknown-word", "zut", "/pq 3 t2"),
        ("/pq +", "unknown-word", "+", "/pq 3 t2"),
        ("/pq 3 +x", "unknown-word", "+", "/pq 3 t2"),
        ("/pq s3", "secret-reserved", "s", "/pq 3 t2"),
        ("spq 3", "secret-reserved", "spq", "/pq 3 t2"),
        ("/pq 3 4", "ambiguous", "4", "/pq 3 t2"),
        ("/pq t1 3", "ambiguous", "3", "/pq 3 t2"),
        ("/pq t 3", "ambiguous", "3", "/pq 3 t2"),
        ("/pq?3", "ambiguous", "?", "/pq 3 t2"),
        ("/pq 3 t +1 salé t", "given-twice", "t", "/pq 3 t2"),
        ("/pq réserve=3 pool=4", "given-twice", "4", "/pq 3 t2"),
        ("/pq réserve 3", "missing", "3", "/pq 3 t2"),
        ("/pq 1234567890", "long-number", "1234567890", "/pq 3 t2"),
        ('/pq @"Ada', "open-quote", '"', "/pq 3 t2"),
        ("/pq @poivr", "quote-name", "poivr", '"poivr"'),
        ("/pq @salé:3", "missing", "salé", "/pq 3 t2"),
        ("/pq @Adasalé:3", "quote-name", "Adasalé", '"Adasalé"'),
        ("/pq @saléAda:3", "quote-name", "saléAda", '"saléAda"'),
        ("/pq chute", "missing", "", "/pq chute 4,5"),
        ("/pq chute x", "unknown-word", "x", "/pq chute 4,5"),
        ("/pq équipes haut 2 : x", "missing", "x", "/pq équipes haut 2 : @Ada ; @Bo"),
        ("/pq fête cave 3", "missing", "", "/pq fête jardin"),
        ("/pq fête", "missing", "", "/pq fête jardin"),
        ("/pq 3 [3", "missing", "", "]"),
        ("/pq 3 [3] 4", "unknown-word", "4", "/pq 3 t2"),
    ],
)
def test_what_is_not_understood_is_named(line: str, code: str, word: str, nearest: str) -> None:
    error = refused(line)
    assert (error.code, error.word, error.nearest) == (code, word, nearest)
    assert line.startswith(word, error.position)


def test_a_list_with_separators_is_given_once() -> None:
    form = Bag(Items("scores", Int(""), ","), Word("puis"))
    twice = Notation("pq", (Command("", "fall", form, "1"),))
    assert twice.parse("1, 2 puis").request == {"scores": [1, 2]}
    with pytest.raises(NotationError, match="given-twice"):
        twice.parse("1, 2 puis 3")


def test_faces_odds_and_comments_stand_beside_the_request() -> None:
    said = parse(GAME, "/pq? 3 t2 [3, 5 6] # pour Ada, # ou non")
    assert said == ("picnic", asked("/pq 3 t2"), (3, 5, 6), True, "pour Ada, # ou non")
    assert parse(GAME, "/pq odds 3").odds
    assert parse(GAME, '/pq @"a # b"' + wide(" # note")).comment == wide("note")


def test_a_comment_alone_rolls_nothing() -> None:
    assert refused("/pq # 3").code == "bare-prefix"


@pytest.mark.parametrize(
    ("resolver_id", "request_", "line"),
    [
        ("picnic", {"difficulty": 4, "trait": True}, "/pq 4 t"),
        ("picnic", {"trait": True, "tags": 2, "bonus": -1}, "/pq t2 -1"),
        ("picnic", {"pool": 3, "spice": "salt"}, "/pq réserve=3 salé"),
        ("picnic", {"friends": [{"name": "Ada"}, {"name": "A B", "pool": 2}]}, '/pq @Ada @"A B":2'),
        ("picnic", {"friends": [{"name": "Salé"}]}, '/pq @"Salé"'),
        ("picnic", {"friends": [{"name": 'a_"b'}]}, '/pq @"a__""b"'),
        ("picnic", {"kind": "garden"}, "/pq fête jardin"),
        ("picnic", {"kind": "garden", "where": "là"}, "/pq fête jardin là"),
        ("picnic", {"kind": "cellar", "pool": 7}, "/pq fête cave 7 0"),
        ("picnic", {"kind": "rest"}, "/pq repos"),
        ("fall", {"height": "4.5"}, "/pq chute 4.5"),
        ("fall", {"height": 4, "scores": [1, 2]}, "/pq chute 4 puis 1, 2"),
        ("fall", {"height": 2, "teams": FRIENDS}, "/pq équipes haut 2 : @Ada:5; @Bo"),
    ],
)  # fmt: skip
def test_a_request_is_written_as_a_line(
    resolver_id: str, request_: dict[str, Any], line: str
) -> None:
    model = GAME.by_id[resolver_id].request
    wanted = model.model_validate_json(to_json(request_))
    assert render(GAME, resolver_id, request_) == line
    assert render(GAME, resolver_id, wanted) == line
    for said in (line, one_word(line)):
        assert model.model_validate_json(to_json(parse(GAME, said).request)) == wanted


@pytest.mark.parametrize(
    "request_",
    [
        {"kind": "unheard of"},
        {"where": "ici"},
        {"spice": "curry"},
        {"friends": [{"name": " padded"}]},
        {"difficulty": -1},
    ],
)
def test_what_a_line_cannot_say_is_not_written(request_: dict[str, Any]) -> None:
    with pytest.raises(NotationError, match="no-notation"):
        render(GAME, "picnic", request_)


def test_a_game_without_notation_says_so() -> None:
    with pytest.raises(NotationError, match="no-notation"):
        parse(MUTE, "3")
    with pytest.raises(NotationError, match="no-notation"):
        render(MUTE, "picnic", {})


def test_a_line_that_says_too_little_is_not_written() -> None:
    short = Notation("pq", (Command("", "fall", Word("tomber"), "tomber"),))
    with pytest.raises(NotationError, match="no-notation"):
        render(SimpleNamespace(chat=short, by_id=GAME.by_id), "fall", {"height": 2})


def test_a_list_whose_items_cannot_be_said_is_not_written() -> None:
    item = Choice("name", {"ada": "Ada"})
    form = Seq(Quantity("height"), Mark(":"), Items("teams", item))
    game = SimpleNamespace(
        chat=Notation("pq", (Command("", "fall", form, "2 : ada"),)), by_id=GAME.by_id
    )
    assert render(game, "fall", {"height": 2, "teams": [{"name": "Ada"}]}) == "/pq 2 : ada"
    with pytest.raises(NotationError, match="no-notation"):
        render(game, "fall", {"height": 2, "teams": [{"name": "Bo"}]})


def test_a_game_may_want_a_word_first() -> None:
    wordy = Notation("pq", (Command("chute", "fall", Quantity("height"), "2"),))
    assert wordy.parse("/pq chute 2").request == {"height": "2"}
    with pytest.raises(NotationError, match="unknown-word") as error:
        wordy.parse("/pq 2")
    assert error.value.nearest == "/pq chute 2"


def test_nested_fields_have_dotted_paths() -> None:
    nested = Notation("pq", (Command("", "x", Seq(Int("a.b.c"), Maybe(Int("a.d"))), "2"),))
    assert nested.parse("2").request == {"a": {"b": {"c": 2}}}
    assert get({"a": None}, "a.b") is None


def test_one_word_has_no_blank() -> None:
    assert one_word('/pq 3 t2 @"Ada la Brave":5 / 2 , 3') == '/pq,3,t2,@"Ada_la_Brave":5/2,3'


def test_a_plugin_brings_its_notation() -> None:
    said = parse(tiny_duel.SYSTEM, "/td 3 lame / 2 = 1 2 3 4 5")
    assert said.request == {"a": {"skill": 3, "weapon": "blade"}, "b": {"skill": 2}}
    assert said.faces == (1, 2, 3, 4, 5)
    assert render(tiny_duel.SYSTEM, "duel", said.request) == "/td 3 lame / 2"
