"""Holds what the phones show against the files, once everything is quiet."""

from collections import Counter

from files import is_past, key_of
from ledger import unconfirmed
from rules import expect

#: Reasons for which a plan may leave a screen as it is, for good.
LASTING = {
    "unconfirmed", "start_target_pending", "rejected", "os_too_old", "no_start_target", "life_closed",
    "stale_at_passed", "started_by_app", "reauthorized",
}
#: Reasons that end by themselves: a launch that is not reported is unconfirmed in the end.
PASSING = {"launch_outstanding", "start_uncertain"}


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
            # A 410 that is older than the token's report proves nothing: the end waits for another one, or for the 8 hours.
            waits = item["reason"] == "earlier_end" and (device, app) in self.requests.unended
            expect(item["reason"] in LASTING or waits, f"held for a reason that should have passed: {item}")
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
        # The unconfirmed one may be a later launch, whose start was marked and never written: a kill, or a full disk.
        is_meant = adopted and start["launch"] in unconfirmed(self.world)
        expect(not is_meant, f"the device reported {start['launch']}, and the plan says: {item}")

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
