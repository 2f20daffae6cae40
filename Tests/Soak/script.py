"""What happens in one project: made of nothing but a seed, and replayed from it.

A script is a list of steps that stand on their own, so that any of them can be left out: a step that finds nothing to
act on does nothing.
"""

import random
from dataclasses import dataclass, field

APPS = ["com.example.courier", "com.example.games"]
PEOPLE = ["anna", "ben", "céline"]
WIDGETS = ["Stats", "Map"]
ACTIVITIES = ["order", "ride"]
TYPES = ["DeliveryAttributes", "RideAttributes"]
SYSTEMS = ["26.0", "26.0", "26.0", "18.4", "17.5", "17.0", "16.2"]

#: Faults of Apple's side; each happens to one request in so many.
FAULTS = {
    "429": {"answer": {"status": 429, "reason": "TooManyRequests"}},
    "500": {"answer": {"status": 500, "reason": "InternalServerError"}},
    "500-processed": {"answer": {"status": 500, "reason": "InternalServerError", "processed": True}},
    "503": {"answer": {"status": 503, "reason": "ServiceUnavailable"}},
    "refused-payload": {"answer": {"status": 400, "reason": "BadMessageId"}},
    "delay": {"delay": 20},
    "cut-before": {"cut": "before"},
    "cut-after": {"cut": "after"},
    "refused-stream": {"reset": "REFUSED_STREAM"},
    "reset": {"reset": "CANCEL"},
    "goaway": {"goaway": {"reason": "Shutdown"}},
    "goaway-processed": {"goaway": {"reason": "Shutdown", "processed": True}},
    "streams": {"streams": 3},
}

#: System calls that change what a run leaves behind, and up to which of them a kill at random is worth a try.
KILLS = {
    "pwrite64": 160, "fdatasync": 24, "fsync": 2, "syncfs": 1, "write": 10, "ftruncate": 8, "rename": 5, "unlink": 8,
    "mkdir": 3, "fchmod": 3, "connect": 3, "openat": 300, "read": 250,
}


@dataclass
class Troubles:
    """What goes wrong in a project, and how often."""

    faults: dict = field(default_factory=dict)
    reports: dict = field(default_factory=dict)
    kills: float = 0
    full_disk: float = 0
    distance: bool = False
    clock: bool = False
    quota: int = 0
    authority: bool = False

    @property
    def none(self):
        """Whether every push can be foretold."""
        return self == Troubles()


@dataclass
class Script:
    seed: int
    troubles: Troubles
    devices: list
    steps: list
    people: list
    apps: list
    quiet_runs: int


def make(seed):
    """The script of a seed. Every third is free of troubles: its pushes can be foretold one by one."""
    dice = random.Random(f"lockstep {seed}")
    troubles = Troubles() if seed % 3 == 0 else _troubles(dice)
    people = PEOPLE[: dice.randint(1, 3)]
    apps = APPS[: dice.choice([1, 1, 2])]
    devices = [_device(number, dice, people, apps) for number in range(1, dice.randint(1, 4) + 1)]
    steps = [dict(_step(dice, troubles, people, apps, devices), id=number) for number in range(dice.randint(12, 45))]
    steps.append({"do": "run", "id": len(steps), "pass": 5})
    return Script(seed, troubles, devices, steps, people, apps, 100 if seed % 50 == 7 else 3)


def _troubles(dice):
    rate = dice.choice([0.03, 0.1, 0.3])
    names = dice.sample(sorted(FAULTS), dice.randint(0, 4))
    troubles = Troubles(faults={name: round(rate * dice.random(), 3) for name in names})
    if dice.random() < 0.5:
        troubles.reports = {kind: round(dice.random() * 0.2, 3) for kind in dice.sample(["lost", "late", "doubled"], 2)}
    if dice.random() < 0.5:
        troubles.kills = dice.choice([0.1, 0.3, 0.6])
    if dice.random() < 0.25:
        troubles.full_disk = dice.choice([0.1, 0.3])
    troubles.distance = dice.random() < 0.5
    troubles.clock = dice.random() < 0.15
    if dice.random() < 0.2:
        troubles.quota = dice.choice([3, 8, 20])
    troubles.authority = dice.random() < 0.2
    return troubles


def _device(number, dice, people, apps):
    installed = [
        {
            "app": app,
            "widgets": dice.sample(WIDGETS, dice.randint(0, 2)),
            "attributesTypes": dice.sample(TYPES, dice.randint(1, 2)),
            "reportsEnds": dice.random() < 0.3,
        }
        for app in apps
    ]
    owner = dice.choice([*people, *people, None])
    device = {"device": f"d{number}", "os": dice.choice(SYSTEMS), "apps": installed}
    return {**device, "subscriber": owner} if owner else device


def _step(dice, troubles, people, apps, devices):
    """One step; `pass` is how many seconds go by before it."""
    kind = dice.choices(["run", "edit", "phone", "wait", "odd"], [30, 36, 20, 6, 8])[0]
    step = {"pass": dice.choice([1, 2, 7, 61, 400])}
    if kind == "run":
        return {**step, "do": "run", **_mishap(dice, troubles)}
    if kind == "edit":
        return {**step, **_edit(dice, people, apps)}
    if kind == "wait":
        return {**step, "do": "wait", "pass": dice.choice([900, 3_600, 4 * 3_600, 9 * 3_600, 26 * 3_600])}
    place = {"device": dice.choice(devices)["device"], "app": dice.choice(apps)}
    if troubles.authority and dice.random() < 0.5:
        return {**step, **_authority(dice, people, place)}
    if kind == "phone":
        return {**step, **_phone(dice, people, place)}
    return {**step, **_odd(dice, troubles, place)}


def _mishap(dice, troubles):
    if dice.random() < troubles.kills:
        call = dice.choice(sorted(KILLS))
        kill = [call, 1 + int(KILLS[call] * dice.random() ** 2)]
        return {"command": dice.choice(["apply"] * 4 + ["ingest"]), "kill": kill}
    if dice.random() < troubles.full_disk:
        return {"command": dice.choice(["apply"] * 4 + ["ingest"]), "full": 1 + int(150 * dice.random() ** 2)}
    return {"command": dice.choice(["apply"] * 12 + ["ingest", "plan"])}


def _edit(dice, people, apps):
    owner = {"subscriber": dice.choice(people), "app": dice.choice(apps)}
    what = dice.choices(
        ["widget", "reload", "no-widget", "state", "alert", "attributes", "type", "generation", "end", "go-on", "gone",
         "stale", "relevance", "revert", "priority", "restart", "renew", "interval", "rest", "expiry", "protect"],
        [14, 3, 3, 30, 6, 6, 2, 6, 4, 3, 6, 3, 3, 4, 2, 5, 3, 3, 2, 3, 1],
    )[0]
    return {
        "do": "edit", **owner, "what": what, "widget": dice.choice(WIDGETS), "name": dice.choice(ACTIVITIES),
        "value": dice.choice([None, 1, 2, 3]),
    }


def _phone(dice, people, place):
    verb = dice.choices(
        ["dismiss", "end", "sign-out", "sign-in", "rotate", "reinstall", "update-os", "widgets", "identify"],
        [5, 2, 3, 6, 4, 2, 2, 4, 1],
    )[0]
    match verb:
        case "sign-in" | "identify":
            return {"do": verb, **place, "as": dice.choice(people)}
        case "update-os":
            return {"do": verb, "device": place["device"], "os": dice.choice(SYSTEMS)}
        case "widgets":
            key = dice.choice(["add", "remove"])
            return {"do": verb, **place, key: dice.sample(WIDGETS, dice.randint(1, 2))}
        case "end":
            return {"do": verb, **place, "atOnce": dice.random() < 0.5}
    return {"do": verb, **place}


def _authority(dice, people, place):
    verb = dice.choice(["pause", "resume", "revoke", "revoke", "reauthorize", "reauthorize"])
    return {
        "do": "authority", "verb": verb, "of": dice.choice(["subscriber", "subscriber", "tgt", "stt", "wgt"]), **place,
        "subscriber": dice.choice(people), "name": dice.choice(ACTIVITIES), "keep": dice.random() < 0.3,
    }


def _odd(dice, troubles, place):
    """What only happens where not every push can be foretold."""
    odd = ["start"] if not troubles.none else []
    if troubles.distance:
        odd += ["out-of-reach", "in-reach", "in-reach", "rotate silently"]
    if troubles.clock:
        odd += ["clock"]
    if troubles.faults:
        odd += ["goaway", "cut"]
    if not odd:
        return {"do": "wait"}
    verb = dice.choice(odd)
    match verb:
        case "start":
            return {"do": verb, **place, "name": dice.choice([*ACTIVITIES, "other"]), "type": dice.choice(TYPES)}
        case "rotate silently":
            return {"do": "rotate", **place, "silently": True}
        case "out-of-reach" | "in-reach":
            return {"do": verb, "device": place["device"]}
        case "clock":
            return {"do": "clock", "back": dice.choice([30, 240, 3_000, 7_000])}
    return {"do": verb}
