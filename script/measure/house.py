"""Counts the figures of all files."""

import re
from collections import Counter, defaultdict
from itertools import combinations
from typing import Iterable, Iterator, NamedTuple

from .rules import IMPORTS, RULES
from .swift import File

SQL_ROOMS = re.compile(r"Sources/(Ledger/SQLite/|Source/Index/|Foreign/(.*/)?Sorter)")


class Measure(NamedTuple):
    """A figure, the place to look at, and lines that explain it."""

    figure: int
    place: str
    details: tuple[str, ...] = ()


Measures = dict[str, dict[str, Measure]]


class House:
    """The figures of all files. One name in two targets counts with its worse figure, so that a type may move."""

    def __init__(self, files: list[File]) -> None:
        self.files = files
        self.measures: Measures = {rule: {} for rule in RULES}
        self.targets: dict[str, list[File]] = defaultdict(list)
        for file in files:
            self.targets[file.target].append(file)
        for target, members in self.targets.items():
            self._types(members)
            self._circles(target, members)
            self._imports(target, members)
        self._functions()
        self._texts()

    def _note(self, rule: str, name: str, measure: Measure) -> None:
        known = self.measures[rule].get(name)
        if known is None or known.figure < measure.figure:
            self.measures[rule][name] = measure

    def _types(self, files: list[File]) -> None:
        functions: Counter[str] = Counter()
        lines: Counter[str] = Counter()
        places: dict[str, str] = {}
        for file in files:
            functions.update(function.owner for function in file.functions)
            lines.update({name: len(found) for name, found in file.lines.items()})
            places.update(file.extended)
        for file in files:
            places.update(file.types)
        for name, place in places.items():
            self._note("functions of a type", name, Measure(functions[name], place))
            self._note("lines of a type", name, Measure(lines[name], place))

    def _functions(self) -> None:
        for function in (function for file in self.files for function in file.functions):
            self._note("parameters", function.name, Measure(function.parameters, function.place))
            self._note("unlabelled parameters", function.name, Measure(function.unlabelled, function.place))
            self._note("lines of a function", function.name, Measure(function.lines, function.place))

    def _circles(self, target: str, files: list[File]) -> None:
        uses = folder_uses(files)
        circle = sorted(folder for folder in uses if folder in reach(folder, uses))
        place = f"Sources/{target}"
        self._note("folders in circles", target, Measure(len(circle), place, (", ".join(circle),)))
        for one, other in combinations(circle, 2):
            if uses[one][other] and uses[other][one]:
                ways = (one, other), (other, one)
                details = tuple(f"{user} uses of {used}: {', '.join(sorted(uses[user][used]))}" for user, used in ways)
                self._note("folders that use each other", f"{target}: {one} and {other}", Measure(1, place, details))

    def _imports(self, target: str, files: list[File]) -> None:
        allowed = IMPORTS.get(target, "").split()
        for file in files:
            for name in file.imports - set(allowed):
                known = self.measures["imports"].get(f"{target} imports {name}", Measure(0, file.path))
                self._note("imports", f"{target} imports {name}", known._replace(figure=known.figure + 1))

    def _texts(self) -> None:
        outside = [file for file in self.files if not SQL_ROOMS.match(file.path)]
        figures = {
            "comments": counted((file.target, len(file.comments)) for file in self.files),
            "SQL outside its rooms": counted((f"{file.target}/{file.folder}", file.statements) for file in outside),
            "triggers": counted((file.path, file.triggers) for file in self.files),
        }
        for rule, counter in figures.items():
            details = tuple(f"{count} in {name}" for name, count in counter.most_common() if count)
            self._note(rule, "Sources", Measure(counter.total(), "Sources", details))


def counted(pairs: Iterable[tuple[str, int]]) -> Counter[str]:
    """The sum of each name's figures."""
    counter: Counter[str] = Counter()
    for name, figure in pairs:
        counter[name] += figure
    return counter


def folder_uses(files: list[File]) -> dict[str, dict[str, set[str]]]:
    """The types that the files of each folder use of each other folder of their target."""
    homes: dict[str, set[str]] = defaultdict(set)
    for file in files:
        for name in file.types:
            homes[name].add(file.folder)
    uses: dict[str, dict[str, set[str]]] = {file.folder: defaultdict(set) for file in files}
    for file in files:
        for scope, parts in file.uses:
            for name in resolve(scope, parts, homes):
                # A name that stands in two folders is private to both.
                if file.folder not in homes[name] and len(homes[name]) == 1:
                    uses[file.folder][next(iter(homes[name]))].add(name)
    return uses


def resolve(scope: str, parts: tuple[str, ...], homes: dict[str, set[str]]) -> Iterator[str]:
    """The types that a name means in a scope: the nearest that is nested, or one of the target; then its parts."""
    around = scope.split(".") if scope else []
    if parts[0] == "Self":
        around, parts = [], (*around, *parts[1:])
    for size in range(len(around), -1, -1):
        base = ".".join((*around[:size], *parts[:1]))
        if base in homes:
            yield base
            for part in parts[1:]:
                base = f"{base}.{part}"
                if base not in homes:
                    break
                yield base
            return


def reach(start: str, uses: dict[str, dict[str, set[str]]]) -> set[str]:
    """The folders that a folder needs, through others too."""
    reached: set[str] = set()
    waiting = [start]
    while waiting:
        for folder, types in uses[waiting.pop()].items():
            if types and folder not in reached:
                reached.add(folder)
                waiting.append(folder)
    return reached
