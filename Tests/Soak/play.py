"""Plays a script in a world, and judges it on the way and at the end."""

import random
from collections import Counter

from apple import Requests
from closures import Closures
from files import Files
from ledger import check_ledger, find_id
from rules import Wrong, expect
from screens import PASSING, Screens
from script import ACTIVITIES, FAULTS, SYSTEMS
from twin import Twin, version
from world import World

#: The limits have tests of their own; here nothing may be refused by them.
GENEROUS = ["--allow-removed", "10000", "--allow-replaced", "10000", "--allow-empty"]
GENEROUS += [option for name in ACTIVITIES for option in ("--allow-protected", name)]
#: After so many runs with time in between, a project without troubles has to be quiet.
PATIENCE = 24


class Play:
    def __init__(self, script, keep=False, verbose=False, disk=None):
        self.script, self.keep, self.verbose = script, keep, verbose
        self.troubles = script.troubles
        self.world = World(script.seed, script.apps, disk)
        self.files = Files(self.world)
        self.requests = Requests(self.world, self.files, self.troubles)
        #: (device, app) → who is signed in.
        self.owners = {}
        self.closures = Closures(self.world, self.files, self.requests)
        self.twin = Twin() if self.troubles.none else None
        self.systems = {}
        self.history = []
        #: The last run of the script.
        self.mishap = None

    def play(self):
        """Plays everything; raises `Wrong` with what happened where something is wrong."""
        try:
            self._set_up()
            for step in self.script.steps:
                self._play(step)
            self._end_troubles()
            self._judge_screens(self._come_to_rest(), is_strict=False)
            self._heal()
            self._judge_screens(self._come_to_rest(), is_strict=True)
            self._stay_quiet()
            self.keep = False
        except Wrong as wrong:
            story = "\n".join(f"    {line}" for line in self.history[-40:])
            raise Wrong(f"{wrong}\n{story}") from None
        finally:
            self.world.close(self.keep)

    def _say(self, *words):
        line = f"{self.world.now} " + " ".join(str(word) for word in words)
        self.history.append(line)
        if self.verbose:
            print(line, flush=True)

    def _set_up(self):
        for device in self.script.devices:
            self.world.send({"do": "add", **device})
            self.systems[device["device"]] = device["os"]
            owner = device.get("subscriber") or f"anon_{device['device']}"
            for app in device["apps"]:
                self.owners[device["device"], app["app"]] = owner
            if self.twin:
                self.twin.add(device, self.world.now)
        self._deliver(random.Random(0), {})
        if self.troubles.quota:
            self.world.configure(quota={"dailyPushes": self.troubles.quota})
        for name, chance in self.troubles.faults.items():
            self.world.send({"do": "fault", **FAULTS[name], "chance": chance, "on": {}})

    def _deliver(self, dice, rates):
        self.world.deliver_reports(rates, dice)

    # Steps

    def _play(self, step):
        dice = random.Random(f"{self.script.seed} {step['id']}")
        self.world.let_pass(step["pass"])
        self.closures.note_expired()
        did = getattr(self, "_do_" + step["do"].replace("-", "_"), self._do_phone)(step)
        if did is not False:
            self._say(step["id"], {key: value for key, value in step.items() if key not in ("id", "pass")})
        self._deliver(dice, self.troubles.reports)

    def _do_wait(self, step):
        pass

    def _do_edit(self, step):
        return self.files.edit(step)

    def _do_clock(self, step):
        self.world.let_pass(-step["back"])

    def _do_goaway(self, step):
        self.world.send({"do": "goaway", "reason": "Shutdown"})

    def _do_cut(self, step):
        self.world.send({"do": "cut"})

    def _do_phone(self, step):
        command = {key: value for key, value in step.items() if key not in ("id", "pass")}
        places = [
            (device, app) for device, app in self.owners
            if device == step["device"] and app == step.get("app", app)
        ]
        place = (step["device"], step.get("app"))
        match step["do"]:
            case "update-os":
                if version(step["os"]) <= version(self.systems[step["device"]]):
                    return False
                self.systems[step["device"]] = step["os"]
            case "identify":
                if not (self.owners[place] or f"anon_{step['device']}").startswith("anon_"):
                    return False
                self._sign_in(place, step["as"])
            case "sign-in":
                self._sign_in(place, step["as"])
            case "sign-out":
                self.owners[place] = None
            case "dismiss" | "end":
                self.closures.close_tiles(place, self.owners[place])
            case "reinstall" | "rotate" | "out-of-reach":
                self.closures.lose_tiles(places)
        self.world.send(command)
        if self.twin:
            self.twin.happen(step, self.world.now)
        return True

    def _sign_in(self, place, person):
        former, self.owners[place] = self.owners[place], person
        if (former or "").startswith("anon_"):
            self.closures.inherit(former, person, place[1])

    def _do_start(self, step):
        place = (step["device"], step["app"])
        owner = self.owners[place]
        if owner is None:
            return False
        key = (owner, step["app"], step["name"])
        activity = self.files.activities().get(key, {})
        attributes = activity.get("attributes", {"order": "/".join(key), "v": 0})
        self.world.send({
            "do": "start", "device": step["device"], "app": step["app"], "name": step["name"],
            "attributesType": activity.get("attributesType", step["type"]), "attributes": attributes, "state": {"n": 0},
        })
        return True

    def _do_authority(self, step):
        verb, subject = step["verb"], self._subject(step)
        held = {"resume": self.requests.paused, "reauthorize": self.requests.revoked}.get(verb)
        if subject is None or held is not None and subject not in held:
            return False
        return self._authorize(verb, subject, ["--keep"] if verb == "revoke" and step["keep"] else [])

    def _subject(self, step):
        return step["subscriber"] if step["of"] == "subscriber" else find_id(self.world, step)

    def _authorize(self, verb, subject, options=()):
        if not self.world.ledger.exists():
            return False
        run = self.world.run(verb, *options, subject)
        if run.status == 65 and subject in self.script.people:
            # Nothing was ever committed or reported of that subscriber.
            return False
        expect(run.status == 0 and not run.requests, f"{verb} {subject} ended with {run.status}: {run.stderr}")
        self.requests.authorize(verb, subject)
        return True

    # Runs

    def _do_run(self, step):
        mishaps = {kind: step[kind] for kind in ("kill", "full", "space", "trace") if kind in step}
        self.mishap = self._run(step.get("command", "apply"), **mishaps)

    def _run(self, command="apply", **mishap):
        world = self.world
        arguments = [command, "--format", "json"]
        if command == "apply":
            arguments += ["--yes", *GENEROUS]
            self.files.note_attempt()
        if command in ("apply", "ingest") and not world.ledger.exists():
            if command == "ingest":
                return None
            arguments.append("--new-ledger")
        self.requests.before_run()
        before = {path: path.read_bytes() for path in [world.ledger] if command == "plan" and path.exists()}
        run = world.run(*arguments, **mishap)
        self._say(" ", command, "→", run.status, [_words(request) for request in run.requests], run.stderr.strip())
        self.requests.judge(run)
        if command == "plan":
            expect(not run.requests, "a plan sent something")
            expect(all(path.read_bytes() == bytes for path, bytes in before.items()), "a plan changed the ledger")
            return run
        if "kill" in mishap and run.was_killed:
            return run
        if run.status == 1 and ("full" in mishap or "space" in mishap):
            return run
        if run.status == 1 and "set the clock and run again" in run.stderr and not self.twin:
            # The clock went back far behind the last push that APNs took: nothing is taken in or sent.
            expect(not run.requests, "a run that was refused sent something")
            return run
        allowed = (0,) if self.twin or command == "ingest" else (0, 3)
        expect(run.status in allowed, f"{command} ended with {run.status}: {run.stderr}")
        if command == "apply":
            self._judge_apply(run)
        attempts = check_ledger(world, is_apply=command == "apply")
        if self.twin:
            expect(attempts == len(world.requests), f"{attempts} marks for {len(world.requests)} requests")
        self._deliver(random.Random(0), {})
        return run

    def _judge_apply(self, run):
        self.files.note_run()
        for key, activity in self.files.activities().items():
            if "end" in activity:
                self.closures.close(key)
        if self.twin:
            expected = self.twin.apply(self.files, self.world.now)
            sent = Counter(
                (request["payload"]["aps"].get("event", "reload"), request["device"], _app(request))
                for request in run.requests
            )
            expect(sent == expected, f"expected {dict(expected - sent)} more, and {dict(sent - expected)} less")

    # The end

    def _end_troubles(self):
        self.requests.check_quota()
        if self.troubles.quota:
            self.world.configure(quota={"dailyPushes": 1_000_000})
        for subject in list(self.requests.paused):
            self._authorize("resume", subject)
        for subject in list(self.requests.revoked):
            self._authorize("reauthorize", subject)
        self.world.send({"do": "clear-faults"})
        self.world.send({"do": "streams", "limit": 1000})
        self.world.let_pass(self.world.latest - self.world.now + 1)
        for device in self.script.devices:
            self.world.send({"do": "in-reach", "device": device["device"]})
        self.world.late = [(0, line) for _, line in self.world.late]
        self._deliver(random.Random(0), {})
        self._say("troubles end")

    def _plan(self):
        self.requests.before_run()
        run = self._run("plan")
        return run.events("action"), run.events("change_summary")[-1]

    def _come_to_rest(self):
        for number in range(PATIENCE):
            run = self._run()
            self.world.let_pass(1_300 if number < PATIENCE / 3 else 7_200)
            self.closures.note_expired()
            if run.requests:
                continue
            items, summary = self._plan()
            passing = [item for item in items if item["reason"] in PASSING]
            if not summary["hasChanges"] and not summary["waiting"] and not passing:
                return items
        expect(False, f"not quiet after {PATIENCE} runs")

    def _judge_screens(self, items, is_strict):
        Screens(self.world, self.files, self.requests, self.closures, items, is_strict).check()

    def _heal(self):
        """Every app reports all it knows, and every activity starts a new life."""
        self.world.let_pass(60)
        for device in self.script.devices:
            for app in device["apps"]:
                place = (device["device"], app["app"])
                if self.owners[place] is None:
                    self._phone({"do": "sign-in", "device": place[0], "app": place[1], "as": self.script.people[0]})
                    self.owners[place] = self.script.people[0]
            self.systems[device["device"]] = SYSTEMS[0]
            self.world.let_pass(1)
            self._phone({"do": "update-os", "device": device["device"], "os": SYSTEMS[0]})
            self.world.let_pass(1)
            self._phone({"do": "rotate", "device": device["device"]})
        self._deliver(random.Random(0), {})
        for owner, app, name in list(self.files.activities()):
            step = {"subscriber": owner, "app": app, "name": name, "value": None}
            self.files.edit({**step, "what": "generation"})
            self.files.edit({**step, "what": "stale"})
            self.files.edit({**step, "what": "renew"})
            self.files.edit({**step, "what": "interval"})
        self._say("everything is reported anew, and every activity has a new generation")

    def _phone(self, command):
        self.world.send(command)
        if self.twin:
            self.twin.happen(command, self.world.now)

    def _stay_quiet(self):
        for _ in range(self.script.quiet_runs):
            self.world.let_pass(600)
            run = self._run()
            expect(not run.requests, f"a quiet project sends {[_words(request) for request in run.requests]}")
        expect(self._run("plan").status == 0, "a quiet project cannot plan")


def _app(request):
    return request["headers"]["apns-topic"].split(".push-type.")[0]


def _words(request):
    aps = request["payload"]["aps"]
    number = aps.get("content-state", {}).get("n", "")
    outcome = request.get("fault") or request["status"]
    event, device, effect = aps.get("event", "reload"), request.get("device"), request.get("effect", "")
    return f"{event} {device} {number} {outcome} {effect}".strip()
