"""Swift in tokens."""

import re
from typing import NamedTuple


class Token(NamedTuple):
    """A word, a sign, a string without its interpolations, or a comment, with its first and its last line."""

    kind: str
    text: str
    line: int
    last: int


TOKEN = re.compile(
    r"""(?P<space>\s+)
    |(?P<comment>//[^\n]*)
    |(?P<block>/\*)
    |(?P<string>(?P<hashes>\#*)(?P<quotes>\"\"\"|"))
    |(?P<word>[A-Za-z_]\w*|`\w+`)
    |(?P<number>\d[\w.]*)
    |(?P<sign>->|.)""",
    re.VERBOSE,
)


class Lexer:
    """Swift in tokens. The code inside an interpolation follows the string that it stands in."""

    def __init__(self, text: str) -> None:
        self.text, self.position, self.line = text, 0, 1
        self.tokens: list[Token] = []
        self._code(in_string=False)

    def _code(self, in_string: bool) -> None:
        """Reads to the end of the text, or in a string to the parenthesis that closes the interpolation."""
        depth = 1
        while self.position < len(self.text):
            match = TOKEN.match(self.text, self.position)
            assert match
            kind = match.lastgroup if match.lastgroup != "quotes" else "string"
            self.position = match.end()
            if kind == "space":
                self.line += match.group().count("\n")
            elif kind == "block":
                self._block(match.start())
            elif match["string"]:
                self._string(match["hashes"], match["quotes"])
            else:
                text = match.group()
                depth += (text == "(") - (text == ")")
                if in_string and depth == 0:
                    return
                self.tokens.append(Token(str(kind), text.strip("`") if kind == "word" else text, self.line, self.line))

    def _block(self, start: int) -> None:
        """Reads a comment between /* and */, which may hold others."""
        depth = 1
        for match in re.compile(r"/\*|\*/").finditer(self.text, self.position):
            depth += 1 if match.group() == "/*" else -1
            self.position = match.end()
            if depth == 0:
                break
        self._add("comment", self.text[start:self.position])

    def _string(self, hashes: str, quotes: str) -> None:
        """Reads a string, and then what its interpolations hold."""
        first, place, pieces = self.line, len(self.tokens), []
        part = re.compile(rf"(?P<code>\\{hashes}\()|(?P<escape>\\{hashes}.)|(?P<end>{quotes}{hashes})", re.DOTALL)
        while match := part.search(self.text, self.position):
            piece = self.text[self.position:match.start()]
            pieces.append(piece)
            self.line += piece.count("\n") + match.group().count("\n")
            self.position = match.end()
            if match["end"]:
                break
            pieces.append(match.group())
            if match["code"]:
                self._code(in_string=True)
        self.tokens.insert(place, Token("string", "".join(pieces), first, self.line))

    def _add(self, kind: str, text: str) -> None:
        first = self.line
        self.line += text.count("\n")
        self.tokens.append(Token(kind, text, first, self.line))
