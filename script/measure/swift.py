"""Reads the facts of one file of Swift."""

import re
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Iterator

from .tokens import Lexer, Token

SQL = re.compile(r"\b(SELECT|INSERT|UPDATE|DELETE|CREATE)\b")
TRIGGER = re.compile(r"\bCREATE (TEMP |TEMPORARY )?TRIGGER\b")
QUESTION = r"(What|Whether|How|Why|Where|When|Which|Who|Whose|Whom)\b"
OPENING = re.compile(rf"(///?|/\*\*?)\s*{QUESTION}")
FIELD = re.compile(rf"///\s*- (Parameter )?\w+: {QUESTION}")


@dataclass
class Function:
    """A function, an initializer or a subscript. Its owner is a type, and empty for a local function or a free one."""

    name: str
    owner: str
    place: str
    parameters: int
    unlabelled: int
    lines: int


@dataclass
class Scope:
    """A pair of braces: the type that it is the body of, or is inside of."""

    type: str
    is_type: bool = False
    is_protocol: bool = False


@dataclass
class File:
    """The facts of one file of Swift. A use is the type in whose body a name stands, and the parts of that name."""

    target: str
    folder: str
    path: str
    functions: list[Function] = field(default_factory=list)
    types: dict[str, str] = field(default_factory=dict)
    extended: dict[str, str] = field(default_factory=dict)
    lines: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))
    uses: set[tuple[str, tuple[str, ...]]] = field(default_factory=set)
    imports: set[str] = field(default_factory=set)
    comments: list[str] = field(default_factory=list)
    statements: int = 0
    triggers: int = 0


TYPES = {"struct", "class", "enum", "actor", "protocol", "extension", "typealias"}
PAIRS = {"(": ")", "[": "]", "{": "}"}


class Reader:
    """Reads the facts out of the tokens of one file."""

    def __init__(self, path: str, text: str) -> None:
        parts = path.split("/")
        self.file = File(parts[1], "/".join(parts[2:-1]) or parts[1], path)
        tokens = Lexer(text).tokens
        self._comments(tokens)
        self._strings(tokens)
        self.tokens = [token for token in tokens if token.kind != "comment"]
        self.closing = self._closing()
        #: The scopes that begin at a brace, by the brace's index. Every other brace is a block of the scope around it.
        self.bodies: dict[int, Scope] = {}
        self._walk()

    def _comments(self, tokens: list[Token]) -> None:
        """Notes the comments, and their parameters and results, that begin with a question's word.

        The lines of one comment follow each other.
        """
        before = Token("", "", 0, 0)
        starts_line = True
        for token in tokens:
            is_alone = token.line > before.last
            if token.kind == "comment":
                marker = token.text[:3] == "///"
                goes_on = (before.kind == "comment" and starts_line and is_alone and token.line == before.last + 1
                           and marker == (before.text[:3] == "///"))
                if FIELD.match(token.text) or not goes_on and OPENING.match(token.text):
                    self.file.comments.append(f"{self.file.path}:{token.line}: {token.text}")
                starts_line = is_alone
            before = token

    def _strings(self, tokens: list[Token]) -> None:
        for token in tokens:
            if token.kind == "string" and SQL.search(token.text):
                self.file.statements += 1
                self.file.triggers += len(TRIGGER.findall(token.text))

    def _closing(self) -> dict[int, int]:
        """The index of the sign that closes each parenthesis, bracket and brace."""
        opened, closing = [], {}
        for index, token in enumerate(self.tokens):
            if token.kind != "sign":
                continue
            if token.text in PAIRS:
                opened.append(index)
            elif token.text in PAIRS.values() and opened:
                closing[opened.pop()] = index
        return closing

    def _text(self, index: int) -> str:
        """The word or sign at an index; nothing for a string, and past the end."""
        if not 0 <= index < len(self.tokens) or self.tokens[index].kind == "string":
            return ""
        return self.tokens[index].text

    def _is_word(self, index: int) -> bool:
        return 0 <= index < len(self.tokens) and self.tokens[index].kind == "word"

    def _walk(self) -> None:
        scopes = [Scope("")]
        for index, token in enumerate(self.tokens):
            text = self._text(index)
            if text == "{":
                scopes.append(self.bodies.get(index) or Scope(scopes[-1].type))
            self.file.lines[scopes[-1].type].update(range(token.line, token.last + 1))
            if text == "}" and len(scopes) > 1:
                scopes.pop()
            elif token.kind == "word" and self._text(index - 1) != ".":
                self._word(index, scopes[-1])

    def _word(self, index: int, scope: Scope) -> None:
        text = self._text(index)
        if text[0].isupper():
            self.file.uses.add((scope.type, self._chain(index)[0]))
        elif text in TYPES and self._is_word(index + 1) and self._text(index + 1) not in ("func", "var", "let"):
            if self._text(index - 1) != "import":
                self._type(index, scope)
        elif text == "func" or text in ("init", "subscript") and scope.is_type:
            self._function(index, scope)
        elif text == "import" and self._is_word(index + 1):
            names = self._text(index + 1), self._text(index + 2)
            self.file.imports.add(names[1] if names[0] in TYPES | {"func", "var", "let"} else names[0])

    def _chain(self, index: int) -> tuple[tuple[str, ...], int]:
        """The parts of a name such as Outer.Inner, and the index behind it."""
        parts = [self._text(index)]
        while self._text(index + 1) == "." and self._is_word(index + 2) and self._text(index + 2)[0].isupper():
            index += 2
            parts.append(self._text(index))
        return tuple(parts), index + 1

    def _type(self, index: int, scope: Scope) -> None:
        keyword = self._text(index)
        parts, behind = self._chain(index + 1)
        name = ".".join(parts) if not scope.type else ".".join((scope.type, *parts))
        place = f"{self.file.path}:{self.tokens[index].line}"
        if keyword == "extension":
            self.file.extended.setdefault(name, place)
        else:
            self.file.types.setdefault(name, place)
        if keyword != "typealias":
            self._body(behind, Scope(name, is_type=True, is_protocol=keyword == "protocol"))

    def _body(self, index: int, scope: Scope) -> int:
        """Finds the brace that opens a body, from an index on, and gives it a scope."""
        while index < len(self.tokens) and self._text(index) != "{":
            index = self.closing.get(index, index) + 1
        self.bodies[index] = scope
        return index

    def _function(self, index: int, scope: Scope) -> None:
        keyword, name, opening = self._text(index), self._text(index), index + 1
        if keyword == "func":
            name, opening = self._text(index + 1), index + 2
            while not self._is_word(index + 1) and self._text(opening) not in ("(", ""):
                name, opening = name + self._text(opening), opening + 1
        while opening < len(self.tokens) and self._text(opening) != "(":
            opening += 1
        if opening not in self.closing:
            return
        parameters = list(self._parameters(opening))
        labels = [names[0] if len(names) > 1 or keyword != "subscript" else "_" for names in parameters]
        last = self.closing[opening]
        is_memberwise = False
        if not scope.is_protocol:
            body = self._body(last + 1, Scope(scope.type))
            last = self.closing.get(body, last)
            is_memberwise = keyword == "init" and self._only_stores(body + 1, last)
        signature = f"{name}({''.join(label + ':' for label in labels)})"
        first = self.tokens[index].line
        self.file.functions.append(Function(
            name=f"{scope.type}.{signature}" if scope.type else signature,
            owner=scope.type if scope.is_type else "",
            place=f"{self.file.path}:{first}",
            parameters=0 if is_memberwise else len(labels),
            unlabelled=labels.count("_"),
            lines=0 if is_memberwise else self.tokens[last].line - first + 1,
        ))

    def _only_stores(self, begin: int, end: int) -> bool:
        """True for the body of an initializer that only stores its arguments: its parameters are the fields of its type."""
        for index in range(begin, end, 5):
            words = [self._text(at) for at in range(index, index + 5)]
            if words != ["self", ".", words[2], "=", words[2]]:
                return False
        return begin < end

    def _parameters(self, opening: int) -> Iterator[list[str]]:
        """The one or two names of each parameter."""
        names: list[str] = []
        index, depth, is_named = opening + 1, 0, False
        while index < self.closing[opening]:
            text = self._text(index)
            depth += (text == "<") - (text == ">")
            if text == "," and depth == 0:
                yield names
                names, is_named = [], False
            elif text == ":":
                is_named = True
            elif not is_named and self._is_word(index) and self._text(index - 1) != "@":
                names.append(text)
            index = self.closing.get(index, index) + 1
        if names:
            yield names
