"""A refusal by the rules: a code and values, never a sentence."""


class RuleRefused(Exception):  # noqa: N818 - it is no error: the rules say no
    """The request is well-formed, but the rules refuse it (409).

    ``code`` names the sentence in the game's labels, ``pointer`` the field at fault as a
    JSON pointer inside ``request`` ("" is the whole), ``values`` the numbers and choices of
    the sentence, ``rule`` the rule that refuses when there is one.
    """

    def __init__(
        self, code: str, *, pointer: str = "", rule: str | None = None, **values: object
    ) -> None:
        super().__init__(code)
        self.code, self.pointer, self.rule, self.values = code, pointer, rule, values
