"""What a project without troubles has to send, worked out from the edits and the phones alone.

The rules are read off the contract, not off the product's code. Where nothing goes wrong, every push is foretold.
"""

import copy
from collections import Counter

from files import HOURS_8, content, is_past, seconds


def version(text):
    return [int(part) for part in text.split(".")]


class Tile:
    def __init__(self, key, life, activity, started, shown):
        self.key, self.life, self.started, self.shown = key, life, started, shown
        #: When it was told something the last time.
        self.updated = None
        self.attributes, self.type = copy.deepcopy(activity["attributes"]), activity["attributesType"]
        #: Deleted with its app, which nobody reports: found out by the next push to it.
        self.is_deleted = False
        #: Why it is over: person, end, expired, gone, logout, removal, replaced, duplicate.
        self.over = None
        #: Whether its token changed while nobody was signed in who could report that.
        self.is_unreachable = False
        #: Whether its person left the phone before its 8 hours were over: the first cause counts.
        self.was_left = False
        #: Why it is to end, where that was tried in vain.
        self.ending = None
        #: The tile that was started to take its place.
        self.successor = None


class Phone:
    def __init__(self, setup, app, now):
        self.app, self.os, self.types = app["app"], setup["os"], app["attributesTypes"]
        self.owner = setup.get("subscriber") or f"anon_{setup['device']}"
        self.widgets = set(app["widgets"])
        self.tiles = []
        #: Whether it ever told its widgets' token, and whether a change of owner since then is owed a reload.
        self.has_registered = self.owes = False
        #: When its widgets' token was told last; `None` where there is none to reload by.
        self.registered_at = None
        self.can_start = False
        #: The last run that reloaded it, and when that was.
        self.reloaded, self.reloaded_at = 0, None
        self.register(now)

    def register(self, now):
        if self.owner is None:
            return
        self.can_start = self.can_start or version(self.os) >= [17, 2]
        if version(self.os) >= [26] and self.widgets:
            self.has_registered, self.registered_at = True, now

    def belong(self, owner, now):
        if owner == self.owner:
            return
        for tile in self.tiles:
            if now - tile.started < HOURS_8:
                tile.was_left = owner != tile.key[0]
        self.owes = self.owes or self.has_registered
        if self.owner is None or owner is None or not self.owner.startswith("anon_"):
            self.registered_at, self.can_start = None, False
        self.owner = owner


class Twin:
    def __init__(self):
        self.phones = {}
        #: What was committed: key → declaration, its life; a removed one keeps its life.
        self.committed, self.life = {}, {}
        self.widgets = {}
        self.commit = 0

    # Phones

    def add(self, setup, now):
        for app in setup["apps"]:
            self.phones[setup["device"], app["app"]] = Phone(setup, app, now)

    def happen(self, step, now):
        """What a step does to phones."""
        for (device, app), phone in self.phones.items():
            if device == step.get("device") and app == step.get("app", app):
                self._happen(phone, step, now)

    def _happen(self, phone, step, now):
        match step["do"]:
            case "sign-in":
                phone.belong(step["as"], now)
                phone.register(now)
            case "sign-out":
                phone.belong(None, now)
            case "identify":
                phone.belong(step["as"], now)
            case "rotate":
                phone.register(now)
                for tile in phone.tiles:
                    self._rotate(tile, phone)
            case "reinstall":
                for tile in phone.tiles:
                    tile.is_deleted = True
                phone.register(now)
            case "update-os":
                phone.os = step["os"]
                phone.register(now)
            case "widgets":
                phone.widgets = (phone.widgets | set(step.get("add", []))) - set(step.get("remove", []))
                phone.register(now)
                if not phone.widgets:
                    phone.registered_at = None
            case "dismiss" | "end":
                self._close(phone, now)

    def _rotate(self, tile, phone):
        if tile.is_unreachable and phone.owner and tile.over not in (None, "person", "expired"):
            # It was thought to be over, and reports another token.
            tile.ending, tile.over = (None if tile.over == "gone" else tile.over), None
        tile.is_unreachable = phone.owner is None and (not tile.over or tile.is_unreachable)

    def _close(self, phone, now):
        for tile in phone.tiles:
            if tile.over or tile.is_deleted:
                continue
            if phone.owner is None:
                # Nobody is signed in who could report it.
                tile.is_deleted = True
            else:
                tile.over = "expired" if now - tile.started >= HOURS_8 - 300 else "person"

    # Runs

    def apply(self, files, now):
        """What a run sends: how often which event to which device and app."""
        pushes = Counter()
        self.commit += 1
        self._reload(files, pushes, now)
        self._commit(files)
        for (device, app), phone in sorted(self.phones.items()):
            for tile in phone.tiles:
                if not tile.over and now - tile.started >= HOURS_8:
                    tile.over = "logout" if tile.was_left else "expired"
        for (device, app), phone in sorted(self.phones.items()):
            self._end_foreign(phone, (device, app), pushes)
        for key, activity in sorted(files.activities().items()):
            for place, phone in sorted(self.phones.items()):
                if place[1] == key[1]:
                    self._pass(key, activity, phone, place, pushes, now)
        for place, phone in sorted(self.phones.items()):
            for tile in phone.tiles:
                if not tile.over and tile.key not in self.committed:
                    self._end(tile, "removal", place, pushes)
        return pushes

    def _commit(self, files):
        declared = files.activities()
        for key, activity in declared.items():
            before = self.committed.get(key)
            if before is None or before.get("generation") != activity.get("generation"):
                self.life[key] = self.life.get(key, 0) + 1
        self.committed = copy.deepcopy(declared)

    def _reload(self, files, pushes, now):
        declared = files.widgets()
        for key, widget in declared.items():
            before = self.widgets.get(key)
            is_news = before is None or any(before[0].get(part) != widget.get(part) for part in ("state", "reload"))
            self.widgets[key] = (copy.deepcopy(widget), *((self.commit, now) if is_news else before[1:]))
        for key in set(self.widgets) - set(declared):
            del self.widgets[key]
        for (device, app), phone in self.phones.items():
            if phone.registered_at is None:
                continue
            news = [
                widget for key, (widget, commit, at) in self.widgets.items()
                if key[:2] == (phone.owner, app) and key[2] in phone.widgets
                and commit > phone.reloaded and at >= phone.registered_at
            ]
            rest = min((seconds(widget.get("minInterval")) for widget in news), default=0)
            if not phone.owes and phone.reloaded_at is not None and now < phone.reloaded_at + rest:
                continue
            if news or phone.owes:
                pushes["reload", device, app] += 1
                phone.reloaded, phone.reloaded_at, phone.owes = self.commit, now, False

    def _end(self, tile, cause, place, pushes):
        pushes["end", *place] += 1
        tile.over = cause

    def _update(self, tile, activity, place, pushes, now):
        if tile.shown == content(activity):
            return
        is_silent = tile.shown["alert"] == activity.get("alert")
        if is_silent and tile.updated is not None and now < tile.updated + seconds(activity.get("minInterval")):
            return
        tile.updated = now
        pushes["update", *place] += 1
        if tile.is_deleted or tile.is_unreachable:
            tile.over = "gone"
        tile.shown = content(activity)

    def _end_foreign(self, phone, place, pushes):
        for tile in phone.tiles:
            if not tile.over and tile.key[0] != phone.owner:
                self._end(tile, "logout", place, pushes)

    def _pass(self, key, activity, phone, place, pushes, now):
        ending = [tile for tile in phone.tiles if tile.key == key and not tile.over and tile.ending]
        for tile in ending:
            self._end(tile, tile.ending, place, pushes)
        tiles = [tile for tile in phone.tiles if tile.key == key and not tile.over]
        if "end" in activity:
            for tile in tiles:
                self._end(tile, "end", place, pushes)
            return
        current = [tile for tile in tiles if self._is_current(tile, activity)]
        if current:
            for tile in tiles:
                if tile is not current[-1]:
                    self._end(tile, "replaced", place, pushes)
            self._update(current[-1], activity, place, pushes, now)
            return
        former = tiles.pop() if tiles else None
        for tile in tiles:
            self._end(tile, "duplicate", place, pushes)
        if former and former.successor and former.successor.over:
            # What took its place was seen, and is over already.
            self._end(former, "replaced", place, pushes)
            return
        may_start = not ending and phone.owner == key[0] and self._may_start(key, activity, phone, now)
        if former and former.type == activity["attributesType"]:
            self._update(former, activity, place, pushes, now)
        if may_start:
            pushes["start", *place] += 1
            phone.tiles.append(Tile(key, self.life[key], activity, now, content(activity)))
            if former:
                former.successor = phone.tiles[-1]

    def _is_current(self, tile, activity):
        return (tile.life == self.life[tile.key] and tile.type == activity["attributesType"]
                and tile.attributes == activity["attributes"])

    def _may_start(self, key, activity, phone, now):
        if not phone.can_start or activity["attributesType"] not in phone.types:
            return False
        here = [tile for tile in phone.tiles if tile.key == key and tile.life == self.life[key]]
        shown = [tile for tile in here if tile.over not in ("replaced", "duplicate")]
        expiry = () if activity.get("renew") else ("expired",)
        if shown:
            if any(tile.over in ("person", "end", "gone", "removal", *expiry) for tile in shown):
                return False
        elif any(tile.over in ("person", "end", *expiry) for other in self.phones.values() if other.app == key[1]
                 for tile in other.tiles if tile.key == key and tile.life == self.life[key]):
            return False
        return not is_past(activity.get("staleAt"), now)
