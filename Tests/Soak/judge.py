"""Holds what Apple saw, what the phones show and what the ledger holds against what must always be true."""

import re
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path

from files import is_past, key_of, seconds

INVARIANTS = Path(__file__).with_name("invariants.sql")
HOURS_8 = 8 * 3_600
#: So long after a start's own expiration the phone has to have confirmed it.
CONFIRMATION = 300
UNTIL_APPLY = "a delivery that is still being dispatched"
#: Reasons for which a plan may leave a screen as it is, for good.
LASTING = {
    "unconfirmed", "start_target_pending", "rejected", "os_too_old", "no_start_target", "life_closed", "stale_at_passed",
    "started_by_app", "reauthorized",
}
#: Reasons that end by themselves: a launch that is not reported is unconfirmed in the end.
PASSING = {"launch_outstanding", "start_uncertain"}


class Wrong(Exception):
    """Something that must never happen."""


def expect(condition, *words):
    if not condition:
        raise Wrong(" ".join(str(word) for word in words))


# The ledger


def check_ledger(world, is_apply=True):
    with closing(sqlite3.connect(f"file:{world.ledger}?mode=ro", uri=True)) as ledger:
        expect(ledger.execute("PRAGMA integrity_check").fetchall() == [("ok",)], "the ledger is damaged")
        expect(not ledger.execute("PRAGMA foreign_key_check").fetchall(), "the ledger has dangling references")
        text = INVARIANTS.read_text()
        for what, query in re.findall(r"^-- (.*)\n((?:(?!--).*\n?)+)", text, re.MULTILINE):
            # Taking in reports does not ask what became of a run that died.
            if query.strip() and (is_apply or what != UNTIL_APPLY):
                rows = ledger.execute(query).fetchmany(3)
                expect(not rows, f"the ledger holds {what}: {rows}")
        attempts = ledger.execute("SELECT coalesce(sum(attempts), 0) FROM deliveries").fetchone()[0]
    expect(attempts >= len(world.requests), f"{len(world.requests)} requests, but {attempts} marks before sending")
    return attempts


# What Apple saw


class Activity:
    """One tile as the requests to it tell of it."""

    def __init__(self, key, device, life):
        self.key, self.device, self.life = key, device, life
        self.rung = set()
        self.timestamp = 0
        self.updates = Counter()
        self.touched = self.ends = 0
        self.may_have_ended = False
        #: The effect of the last push that Apple accepted.
        self.last_effect = "started"
        self.ended_effect = None


class Requests:
    """Judges the requests of one project, run by run."""

    def __init__(self, world, files, troubles):
        self.world, self.files, self.troubles = world, files, troubles
        self.activities = {}
        self.launches = {}
        self.starts = {}
        self.tokens = {}
        self.reloads, self.reload_allowance = Counter(), Counter()
        self.last_reload = {}
        #: (device, app) → how often it changed hands.
        self.owner_changes = Counter()
        #: What is paused and revoked now, by the id that the command took, and whether anything ever was revoked.
        self.paused, self.revoked, self.was_revoked = set(), set(), False
        #: The devices that Apple refused a push to.
        self.refused = set()
        self._seen_reports = 0
        self.owner, self._owner_at = {}, {}
        #: place → the attributes types that it can start, as its owner told since it is theirs.
        self.start_types = {}
        #: place → the widgets that it can reload, as its owner told since it is theirs.
        self.widgets = {}
        self._shown_widgets = {}

    # Reports

    def take_reports(self):
        """Whose each device is, by the reports that are in the spool."""
        for report in self.world.reports[self._seen_reports:]:
            place = (report["device"], report["app"])
            if report["type"] == "activity.registered":
                self.tokens[report["token"][:8]] = report["activityId"]
                activity = self.activities.get(report["activityId"])
                if activity is None:
                    self._register(report, place)
                elif activity.last_effect is None:
                    # Its token was dead, and it has another one: it lives after all.
                    activity.last_effect = "reported again"
            if report["at"] >= self._owner_at.get(place, ""):
                owner = None if report["type"] == "subscriber.loggedOut" else report["subscriber"]
                self._belong(place, owner)
                self.owner[place], self._owner_at[place] = owner, report["at"]
            if report["type"] == "start.registered" and report["subscriber"] == self.owner[place]:
                self.start_types.setdefault(place, set()).add(report["attributesType"])
            if report["type"].startswith("widgets.") and report["subscriber"] == self.owner[place]:
                self.widgets[place] = report.get("widgets", [])
        self._seen_reports = len(self.world.reports)

    def _belong(self, place, owner):
        former = self.owner.get(place)
        if owner == former:
            return
        self.owner_changes[place] += 1
        self.reload_allowance[place] += 1
        if owner is not None and (former or "").startswith("anon_"):
            self._identify(former, owner, place[1])
        else:
            self.start_types[place], self.widgets[place] = set(), []

    def _identify(self, anonymous, person, app):
        """What was an anonymous user's is the person's."""
        for activity in self.activities.values():
            if activity.key[:2] == (anonymous, app):
                activity.key = (person, *activity.key[1:])

    def _register(self, report, place):
        launch = self.launches.get(report.get("launchRequestId"))
        key = launch["key"] if launch else (report["subscriber"], report["app"], report.get("name", "?"))
        activity = Activity(key, place[0], launch["life"] if launch else self.files.lives.get(key, 0))
        activity.rung = launch["rung"] if launch else set()
        activity.timestamp = launch["timestamp"] if launch else 0
        activity.launch = launch
        self.activities[report["activityId"]] = activity

    def authorize(self, verb, subject):
        """A command changed what may be sent."""
        match verb:
            case "pause":
                self.paused.add(subject)
            case "resume":
                self.paused.discard(subject)
            case "revoke":
                self.revoked.add(subject)
                self.was_revoked = True
            case "reauthorize":
                self.revoked.discard(subject)
        for place in self.owner:
            # What was started before stays without authority, and is started again.
            self.owner_changes[place] += verb in ("revoke", "reauthorize")
            self.reload_allowance[place] += 1

    # Requests

    def before_run(self):
        self.take_reports()
        for place, owner in self.owner.items():
            widgets = {key: value for key, value in self.files.widgets().items() if key[:2] == (owner, place[1])}
            if self._shown_widgets.get(place) != repr(sorted(widgets.items())):
                self._shown_widgets[place] = repr(sorted(widgets.items()))
                self.reload_allowance[place] += 1

    def judge(self, run):
        """Judges the requests of one run; what a run that died had sent counts as touched."""
        for request in run.requests:
            if (request["status"] or 0) >= 400:
                self.refused.add(request.get("device"))
            request["touched"] = request["status"] != 200 or run.status not in (0, 3)
            aps = request["payload"]["aps"] if isinstance(request["payload"], dict) else {}
            place = (request.get("device"), re.sub(r"\.push-type\..*", "", request["headers"]["apns-topic"]))
            expect(request.get("reason") not in ("TooManyProviderTokenUpdates", "PayloadTooLarge", "BadTopic"), request)
            match aps.get("event", "reload"):
                case "reload":
                    self._judge_reload(request, place)
                case "start":
                    self._judge_start(request, aps, place)
                case event:
                    self._judge_activity(request, aps, event)

    def _may_have_arrived(self, request):
        if request["status"] is not None:
            return request["status"] == 200 or request["status"] == 500 and request.get("event") == "start"
        match request.get("fault"):
            case "goaway":
                return False
            case "reset":
                # The log does not tell a refused stream from another reset.
                return "refused-stream" not in self.troubles.faults
        return True

    def _judge_reload(self, request, place):
        self._expect_authority(self.owner.get(place), "reload")
        self.reloads[place] += 1
        self.reload_allowance[place] += request["touched"]
        if request["status"] == 200:
            self.last_reload[place] = request
        if request["status"] == 410:
            self.widgets[place] = []
        expect(self.reloads[place] <= self.reload_allowance[place],
               f"{place} was reloaded {self.reloads[place]} times for {self.reload_allowance[place]} reasons")

    def _judge_start(self, request, aps, place):
        attributes = dict(aps["attributes"])
        launch, key = attributes.pop("launchRequestId"), key_of(attributes)
        edit = self.files.edits[aps["content-state"]["n"]]
        expect(request["headers"].get("apns-collapse-id") == launch, f"{launch} travels under another collapse id")
        self._expect_owner(key, place, "start")
        self._expect_authority(key[0], "start")
        start = {
            "launch": launch, "key": key, "life": edit["life"], "attributes": attributes, "type": aps["attributes-type"],
            "activity": edit["activity"], "owners": self.owner_changes[place], "rung": set(), "timestamp": aps["timestamp"], "request": request,
        }
        before = self.starts.get((key, place))
        if before:
            expect(before["launch"] != launch, f"{launch} was sent again although it may have arrived")
            same = all(before[part] == start[part] for part in ("life", "attributes", "type", "owners"))
            expect(not same or self._may_repeat(before, start), f"{key} was started again on {place} as {launch}; {before['launch']} may have arrived")
        self._ring(start["rung"], aps, request)
        if self._may_have_arrived(request):
            self.starts[key, place] = start
        if request["status"] == 410:
            self.start_types[place].discard(start["type"])
        self.launches[launch] = start

    def _may_repeat(self, before, start):
        """Whether a policy allows a second start of the same life: unconfirmed in time, or 8 hours old."""
        age = start["timestamp"] - before["timestamp"]
        kept = seconds(before["activity"].get("expiresAfter", "1h"))
        restarts = start["activity"].get("restart") == "if-unconfirmed" and age >= kept + CONFIRMATION
        return restarts or start["activity"].get("renew") and age >= HOURS_8

    def _judge_activity(self, request, aps, event):
        token = request["path"].removeprefix("/3/device/")[:8]
        expect(token in self.tokens, f"{event} goes to a token that nobody reported: {token}")
        activity = self.activities[self.tokens[token]]
        place = (activity.device, activity.key[1])
        activity.touched += request["touched"]
        expect(aps["timestamp"] > activity.timestamp, f"the timestamp of {activity.key} on {place} does not grow")
        activity.timestamp = aps["timestamp"]
        if request["status"] in (200, 410):
            activity.last_effect = request.get("effect")
        if event == "update":
            self._judge_update(request, aps, activity, place)
        else:
            activity.ends += 1
            expect(activity.ends <= 1 + activity.touched, f"{activity.key} was ended {activity.ends} times on {place}")
            activity.may_have_ended = activity.may_have_ended or self._may_have_arrived(request)
            if request["status"] == 200:
                activity.ended_effect = request.get("effect")

    def _judge_update(self, request, aps, activity, place):
        expect(not activity.may_have_ended, f"{activity.key} is updated on {place} after its end")
        self._expect_owner(activity.key, place, "update")
        self._expect_authority(activity.key[0], "update")
        number = aps["content-state"]["n"]
        activity.updates[number] += 1
        most = self.files.entered.get((activity.key, number), 0) + activity.touched
        expect(activity.updates[number] <= most,
               f"{activity.key} was told its state {number} {activity.updates[number]} times on {place}")
        self._ring(activity.rung, aps, request)

    def check_quota(self):
        """Where no answer was lost and nothing sent again, a day has no more pushes than it may have."""
        if not self.troubles.quota or self.troubles.faults or self.troubles.kills or self.troubles.full_disk:
            return
        days = Counter(
            request["at"][:10] for request in self.world.requests
            if request["status"] == 200 and request["event"] != "end"
        )
        expect(max(days.values(), default=0) <= self.troubles.quota, f"{days} with a quota of {self.troubles.quota}")

    def _ring(self, rung, aps, request):
        alert = aps.get("alert")
        if not alert or aps["event"] == "start" and "sound" not in alert:
            return
        expect(alert["body"] not in rung, f"the alert {alert['body']} rings twice: {request}")
        if self._may_have_arrived(request):
            rung.add(alert["body"])

    def _expect_authority(self, subscriber, what):
        expect(subscriber not in self.paused | self.revoked, f"a {what} of {subscriber} goes out without authority")

    def _expect_owner(self, key, place, what):
        if self.troubles.clock:
            return
        expect(self.owner.get(place) == key[0], f"a {what} of {key} goes to {place}, which is {self.owner.get(place)}'s")


# What the phones show


class Screens:
    """Holds the screens against the files, once everything is quiet."""

    def __init__(self, world, files, requests, closures, plan, is_strict):
        self.files, self.requests, self.closures = files, requests, closures
        self.world, self.is_strict = world, is_strict
        self.devices = world.screens()
        self.excuses = {(item["device"], item["app"], item["subscriber"], item.get("name")): item for item in plan}
        self.lost_by = Counter((report["device"], report["app"]) for report in world.lost)

    def check(self):
        self._check_excuses()
        for device, phone in self.devices.items():
            for app, screen in phone["apps"].items():
                self._check((device, app), screen)

    def _check_excuses(self):
        for (device, app, _, name), item in self.excuses.items():
            expect(item["status"] in ("held", "blocked"), f"still planned: {item}")
            expect(item["reason"] in LASTING, f"held for a reason that should have passed: {item}")
            if item["reason"] == "unconfirmed":
                self._check_uncertainty(item, (item["subscriber"], app, name), (device, app))
            if item["reason"] == "rejected":
                expect(device in self.requests.refused, f"nobody refused: {item}")

    def _check_uncertainty(self, item, key, place):
        """A launch may be uncertain, but not once its report was taken in."""
        start = self.requests.starts.get((key, place))
        if not start:
            return
        adopted = [activity for activity in self.requests.activities.values()
                   if getattr(activity, "launch", None) is start]
        expect(not adopted, f"the device reported {start['launch']}, and the plan says: {item}")

    def _check(self, place, screen):
        app, owner = place[1], screen["subscriber"]
        # What the ledger cannot know: reports about the owner of this phone that never arrived.
        knows = self.requests.owner.get(place) == owner
        running = [tile for tile in screen["tiles"] if not tile["ended"]]
        by_key = {}
        for tile in running:
            key = key_of(tile["attributes"]) if "launchRequestId" in tile else (owner, app, tile.get("name"))
            by_key.setdefault(key, []).append(tile)
        # What was started or registered before a revocation has no authority, and is left as it is.
        knows = knows and (self.is_strict or not self.requests.was_revoked)
        for key, tiles in by_key.items():
            if knows:
                self._check_tiles(key, tiles, place, owner)
        if owner is None or not knows:
            return
        for key, activity in self.files.activities().items():
            if key[:2] == (owner, app) and key not in by_key:
                self._check_absence(key, activity, place, owner)
        self._check_widgets(place, owner, screen)

    def _check_tiles(self, key, tiles, place, owner):
        activity = self.files.activities().get(key)
        told = [tile for tile in tiles if self._is_told(tile)]
        if not told or self._excuse(place, key) or key not in self.files.lives:
            return
        words = f"{place} of {owner} shows {[(tile['attributes'], tile['state']) for tile in told]} of {key}"
        expect(key[0] == owner, f"{words}, which is somebody else's")
        expect(activity is not None, f"{words}, which is not declared")
        expect("end" not in activity, f"{words}, which is declared over")
        expect(len(told) == 1, f"{words}: two tiles")
        tile = told[0]
        if "launchRequestId" in tile:
            shown = {name: value for name, value in tile["attributes"].items() if name != "launchRequestId"}
            expect(shown == activity["attributes"], f"{words}, declared {activity['attributes']}")
        expect(tile["state"] == activity["state"], f"{words}, declared {activity['state']}")
        expect(tile.get("relevanceScore") == activity.get("relevanceScore"), f"{words}: another relevance")
        expect(tile["stale"] == is_past(activity.get("staleAt"), self.world.now), f"{words}: stale or not")

    def _is_told(self, tile):
        """Whether the ledger can know what this tile shows: it was reported, and Apple did not lose its last push."""
        activity = self.requests.activities.get(tile["activityId"])
        if activity is None:
            return False
        if activity.ended_effect not in (None, "ended"):
            return False
        return activity.last_effect in ("started", "updated", "ended", "reported again")

    def _check_absence(self, key, activity, place, owner):
        if "end" in activity or self._excuse(place, key) or is_past(activity.get("staleAt"), self.world.now):
            return
        if activity["attributesType"] not in self.requests.start_types.get(place, ()):
            return
        life = self.files.lives[key]
        if (key, life) in self.closures.expired and not activity.get("renew"):
            return
        if (key, life) in self.closures.lives or (key, life, place) in self.closures.places:
            return
        start = self.requests.starts.get((key, place))
        if start and start["life"] == life and start["request"].get("effect") not in ("started", None):
            return
        expect(False, f"{place} of {owner} does not show {key}, and the plan does not say why")

    def _check_widgets(self, place, owner, screen):
        if self._excuse(place, None, owner) or self.lost_by[place] and not self.is_strict:
            return
        if self.requests.last_reload.get(place, {}).get("effect", "reloaded") != "reloaded" and not self.is_strict:
            return
        for name, shown in screen["widgets"].items():
            widget = self.files.widgets().get((owner, place[1], name))
            if widget and name in self.requests.widgets.get(place, ()):
                expect(shown["state"] == widget["state"],
                       f"{place} of {owner} shows {name} as {shown}, declared {widget}")

    def _excuse(self, place, key, owner=None):
        return self.excuses.get((*place, key[0] if key else owner, key[2] if key else None))
