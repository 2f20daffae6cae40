"""The state files of a project, their history, and how a declaration is told again on a screen or in a push."""

import copy
import json
from datetime import datetime, timezone


#: How long an activity lives, in seconds.
HOURS_8 = 8 * 3_600
INTERVALS = {None: None, 1: "2m", 2: "30m", 3: "2h"}


def seconds(duration):
    """How long a declared time is; 0 where there is none."""
    return 0 if duration is None else int(duration[:-1]) * {"s": 1, "m": 60, "h": 3_600}[duration[-1]]


def set_or_remove(declaration, key, value):
    if value is None:
        declaration.pop(key, None)
    else:
        declaration[key] = value


class Files:
    """What the files declare now, and what every number in them stood for.

    Every edit of an activity puts a number of its own into the declared state, so that a push and a tile tell which
    edit they show; `attributes` name the declaration.
    """

    def __init__(self, world):
        self.world = world
        #: (subscriber, app) → {"widgets": {name: …}, "activities": {name: …}}
        self.owners = {}
        #: state number → the edit that made it: key, life, attributes, type, content.
        self.edits = {}
        #: (key, number) → how often the files came to show it.
        self.entered = {}
        #: key → counts what lets a declaration start anew: another generation, or a return after a run without it.
        self.lives = {}
        self._number = 0
        self._gone, self._committed = set(), set()
        self._history = {}

    def activities(self):
        return {(owner, app, name): value for (owner, app), document in self.owners.items()
                for name, value in document["activities"].items()}

    def widgets(self):
        return {(owner, app, name): value for (owner, app), document in self.owners.items()
                for name, value in document["widgets"].items()}

    def note_attempt(self):
        """A run may have committed what the files declare."""
        self._committed |= set(self.activities())

    def note_run(self):
        """A run saw the files: what they do not declare any more is gone, and comes back as a new life."""
        self._gone |= self._committed - set(self.activities())

    def next_number(self):
        self._number += 1
        return self._number

    def edit(self, step):
        """Makes the edit of a step; returns whether anything changed."""
        owner = (step["subscriber"], step["app"])
        document = self.owners.setdefault(owner, {"widgets": {}, "activities": {}})
        before = copy.deepcopy(document)
        if step["what"] in ("widget", "reload", "no-widget", "rest"):
            self._edit_widget(document["widgets"], step)
        else:
            self._edit_activity(document["activities"], owner, step)
        if document == before:
            return False
        self.write(owner)
        return True

    def _edit_widget(self, widgets, step):
        name = step["widget"]
        if step["what"] == "no-widget":
            widgets.pop(name, None)
            return
        widget = widgets.setdefault(name, {"state": {"n": self.next_number()}})
        match step["what"]:
            case "widget":
                widget["state"] = {"n": self.next_number()}
            case "reload":
                widget["reload"] = f"r{self.next_number()}"
            case "rest":
                set_or_remove(widget, "minInterval", INTERVALS[step["value"]])
                widget["state"] = {"n": self.next_number()}

    def _edit_activity(self, activities, owner, step):
        name, what, value = step["name"], step["what"], step["value"]
        key = (*owner, name)
        if what == "gone":
            activities.pop(name, None)
            return
        activity = activities.get(name)
        is_known = activity is not None
        if not is_known:
            if what in ("go-on", "end", "revert"):
                return
            activity = activities[name] = self._new(key, step)
        match what:
            case "end":
                state = {"n": self._number + 1}
                activity["end"] = {} if value is None else {"state": state}
                if value == 2:
                    activity["end"]["dismissAt"] = "now"
            case "go-on":
                if activity.pop("end", None) is None:
                    return
            case "alert":
                activity["alert"]["body"] = f"a{self._number + 1}"
            case "attributes":
                activity["attributes"]["v"] = self._number + 1
            case "type":
                activity["attributesType"] = step.get("type", "RideAttributes" if value == 1 else "DeliveryAttributes")
            case "generation":
                activity["generation"] = f"g{self._number + 1}"
                activity.pop("end", None)
                self.lives[key] += is_known
            case "stale":
                ahead = {None: None, 1: -60, 2: 1_800, 3: 36_000}[value]
                activity.pop("staleAt", None)
                if ahead is not None:
                    moment = datetime.fromtimestamp(self.world.now + ahead, timezone.utc)
                    activity["staleAt"] = moment.strftime("%Y-%m-%dT%H:%M:%SZ")
            case "relevance":
                activity["relevanceScore"] = 50 + (value or 0)
            case "priority":
                activity["priority"] = "high" if value else "normal"
            case "restart":
                activity["restart"] = "if-unconfirmed" if value else "never"
            case "renew":
                activity["renew"] = bool(value)
            case "protect":
                activity["protect"] = bool(value)
            case "interval":
                set_or_remove(activity, "minInterval", INTERVALS[value])
            case "expiry":
                set_or_remove(activity, "expiresAfter", {None: None, 1: "20s", 2: "10m", 3: "6h"}[value])
            case "revert":
                history = self._history[key]
                if len(history) > 1:
                    activity["state"] = {"n": history[-2]}
                    self._enter(key, activity)
                    return
        activity["state"] = {"n": self.next_number()}
        self._enter(key, activity)

    def _new(self, key, step):
        self.lives[key] = self.lives.get(key, 0) + (key in self._gone or key not in self.lives)
        self._gone.discard(key)
        number = self.next_number()
        return {
            "attributesType": "DeliveryAttributes" if (step["value"] or 0) < 2 else "RideAttributes",
            "attributes": {"order": "/".join(key), "v": number},
            "state": {"n": number},
            "alert": {"title": key[2], "body": f"a{number}", "sound": "default"},
        }

    def _enter(self, key, activity):
        number = activity["state"]["n"]
        self._history.setdefault(key, []).append(number)
        self.entered[key, number] = self.entered.get((key, number), 0) + 1
        self.edits[number] = {"key": key, "life": self.lives[key], "activity": copy.deepcopy(activity)}

    def write(self, owner):
        subscriber, app = owner
        document = self.owners[owner]
        path = self.world.directory / f"state/{subscriber}-{app}.json"
        text = {"subscriber": subscriber, "app": app, "widgets": document["widgets"],
                "liveActivities": document["activities"]}
        path.write_text(json.dumps(text))


def content(activity):
    """What an update to a declaration shows, beside which no push is needed."""
    return copy.deepcopy({key: activity.get(key) for key in ("state", "staleAt", "relevanceScore", "alert")})


def key_of(attributes):
    """The declaration that a tile or a start names: (subscriber, app, name)."""
    return tuple(attributes.get("order", "?/?/?").split("/"))


def is_past(moment, now):
    """Whether a declared time, if there is one, lies in the past."""
    return moment is not None and datetime.fromisoformat(moment).timestamp() <= now
