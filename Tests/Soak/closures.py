"""Which lives of declarations people and time have closed, as far as anybody could know."""

from files import HOURS_8, key_of


class Closures:
    """Closed lives, as (declaration, life); rather one too many, because they excuse what a screen does not show."""

    def __init__(self, world, files, requests):
        self.world, self.files, self.requests = world, files, requests
        #: Closed by people, or by a declared end.
        self.lives = set()
        #: Older than 8 hours, which a declaration that renews does not mind.
        self.expired = set()
        #: Maybe gone from one phone: (declaration, life, (device, app)).
        self.places = set()

    def close(self, key):
        """Closes the life that a declaration is in, and the one that its tiles may still be in."""
        life = self.files.lives.get(key, 0)
        self.lives |= {(key, life), (key, life - 1)}
        if life == 0:
            # What the app started before anything was declared belongs to the first life.
            self.lives.add((key, 1))

    def close_tiles(self, place, owner):
        """Closes the lives of all tiles of an app on a phone."""
        for tile in self.world.screens()[place[0]]["apps"][place[1]]["tiles"]:
            if "launchRequestId" in tile:
                self.close(key_of(tile["attributes"]))
            elif tile.get("name"):
                self.close((owner, place[1], tile["name"]))

    def lose_tiles(self, places):
        """The tiles there may turn out to be gone."""
        self.places |= {(key, life, place) for key, life in self.files.lives.items() for place in places}

    def inherit(self, anonymous, person, app):
        """An anonymous user was that person all along."""
        for key, life in list(self.lives):
            if key[:2] == (anonymous, app):
                key = (person, *key[1:])
                self.lives |= {(key, life), (key, self.files.lives.get(key, 1))}

    def note_expired(self):
        """Eight hours close a life."""
        for start in self.requests.starts.values():
            if start["timestamp"] + HOURS_8 <= self.world.now:
                self.expired.add((start["key"], start["life"]))
        for activity in self.requests.activities.values():
            if activity.started + HOURS_8 <= self.world.now:
                self.expired.add((activity.key, max(activity.life, 1)))
