"""Holds what Apple saw against what may be sent."""

import re
from collections import Counter
from datetime import datetime

from files import HOURS_8, key_of, seconds
from rules import expect

#: So long after a start's own expiration the phone has to have confirmed it.
CONFIRMATION = 300


class Activity:
    """One tile as the requests to it tell of it."""

    def __init__(self, key, device, life):
        self.key, self.device, self.life = key, device, life
        self.rung = set()
        self.started = self.timestamp = 0
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
        #: Where the token of an activity that was to end was called dead.
        self.unended = set()
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
            # As a text, a moment with a fraction of a second would come before the whole second.
            at = datetime.fromisoformat(report["at"])
            if place not in self._owner_at or at >= self._owner_at[place]:
                owner = None if report["type"] == "subscriber.loggedOut" else report["subscriber"]
                self._belong(place, owner)
                self.owner[place], self._owner_at[place] = owner, at
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
        activity.started = activity.timestamp = launch["timestamp"] if launch else 0
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
            "launch": launch, "key": key, "life": edit["life"], "activity": edit["activity"], "attributes": attributes,
            "type": aps["attributes-type"], "owners": self.owner_changes[place], "rung": set(),
            "timestamp": aps["timestamp"], "request": request,
        }
        before = self.starts.get((key, place))
        if before:
            expect(before["launch"] != launch, f"{launch} was sent again although it may have arrived")
            same = all(before[part] == start[part] for part in ("life", "attributes", "type", "owners"))
            expect(not same or self._may_repeat(before, start),
                   f"{key} was started again on {place} as {launch}; {before['launch']} may have arrived")
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
            if request["status"] == 410:
                self.unended.add(place)

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
        owner = self.owner.get(place)
        expect(owner == key[0], f"a {what} of {key} goes to {place}, which is {owner}'s")
