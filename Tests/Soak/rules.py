"""What is said where a rule is broken."""


class Wrong(Exception):
    """Something that must never happen."""


def expect(condition, *words):
    if not condition:
        raise Wrong(" ".join(str(word) for word in words))
