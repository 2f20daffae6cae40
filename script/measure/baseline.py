"""Compares the figures with those that are allowed for now."""

import json
from dataclasses import dataclass
from typing import Iterator

from .house import Measure, Measures
from .rules import RULES

#: The most exceptions that stay for good.
EXCEPTIONS = 5


@dataclass
class Baseline:
    """The figures beyond the limits that are allowed for now, and the exceptions that stay, each with its reason."""

    figures: dict[str, dict[str, int]]
    exceptions: dict[str, str]

    def worse(self, measures: Measures) -> list[str]:
        """The complaints: figures that grew, and exceptions that do not hold."""
        found = []
        for rule, name, measure in beyond(measures):
            known = self.figures.get(rule, {}).get(name)
            if f"{rule}: {name}" not in self.exceptions and (known is None or measure.figure > known):
                found.append(complaint(rule, name, measure, known))
        live = {f"{rule}: {name}" for rule, name, _ in beyond(measures)}
        for key, reason in self.exceptions.items():
            if key not in live:
                found.append(f"script/shape.json: the exception '{key}' is about nothing any more: remove it")
            elif not reason.strip():
                found.append(f"script/shape.json: the exception '{key}' has no reason: give one")
        if len(self.exceptions) > EXCEPTIONS:
            count = f"{len(self.exceptions)} exceptions ({EXCEPTIONS} allowed)"
            found.append(f"script/shape.json: {count}: mend one of them")
        return found

    def tightened(self, measures: Measures) -> "Baseline":
        """The figures that are lower now, and those that stayed. Nothing is raised and nothing is added."""
        figures: dict[str, dict[str, int]] = {}
        for rule, name, measure in beyond(measures):
            known = self.figures.get(rule, {}).get(name)
            if known is not None and f"{rule}: {name}" not in self.exceptions:
                figures.setdefault(rule, {})[name] = min(known, measure.figure)
        return Baseline(figures, self.exceptions)

    def text(self) -> str:
        return json.dumps(vars(self), indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def beyond(measures: Measures) -> Iterator[tuple[str, str, Measure]]:
    """The figures that are beyond the limits of the house."""
    for rule, named in measures.items():
        for name, measure in sorted(named.items()):
            if measure.figure > RULES[rule].limit:
                yield rule, name, measure


def complaint(rule: str, name: str, measure: Measure, known: int | None) -> str:
    limit, words, remedy = RULES[rule]
    allowed = f"{known} allowed by script/shape.json, {limit} by the house" if known is not None else f"{limit} allowed"
    first = f"{measure.place}: {words.format(name=name, figure=measure.figure)} ({allowed}): {remedy}"
    return "\n".join((first, *(f"    {detail}" for detail in measure.details)))
