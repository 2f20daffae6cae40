"""The sweep: what a small run does is stopped at every place where it touches the world, and done again.

Each place is a project of its own, which the rules of the model test judge.
"""

import argparse
import concurrent.futures
import os
import subprocess
import sys
import traceback
from collections import Counter
from dataclasses import replace

from play import Play
from rules import Wrong
from script import APPS, TYPES, Script, Troubles

#: How big the disk is that runs full, and how much of it is free when they begin, in kilobytes.
DISK = 2_048
SPACES = [*range(0, 100, 4), *range(100, 400, 20)]
#: A project is small, and a place in a run may move a little from run to run: so many of a hundred have to be hit.
HIT = 90


def _devices():
    app = {"app": APPS[0], "widgets": ["Stats"], "attributesTypes": TYPES, "reportsEnds": False}
    owners = ["anna", "anna", "ben"]
    return [
        {"device": f"d{number}", "os": "26.0", "subscriber": owner, "apps": [app]}
        for number, owner in enumerate(owners, 1)
    ]


def _edit(subscriber, what, name="order", value=None):
    return {"do": "edit", "subscriber": subscriber, "app": APPS[0], "what": what, "widget": "Stats", "name": name,
            "value": value}


def _phone(verb, device):
    return {"do": verb, "device": device, "app": APPS[0]}


DECLARED = [_edit("anna", "widget"), _edit("anna", "state"), _edit("ben", "state", "ride"), _edit("ben", "widget")]
CHANGED = [
    _edit("anna", "widget"), _edit("anna", "state"), _edit("anna", "state", "ride"), _edit("ben", "gone", "ride"),
    _phone("dismiss", "d2"), _phone("rotate", "d1"), _edit("ben", "state", "order"),
]
#: What was done before, and the command that is stopped.
SCENES = {
    "first apply": (DECLARED, "apply"),
    "apply": ([*DECLARED, {"do": "run"}, *CHANGED], "apply"),
    "ingest": ([*DECLARED, {"do": "run"}, *CHANGED], "ingest"),
}


def scene(name, **mishap):
    """The script of a scene that ends with a mishap."""
    steps, command = SCENES[name]
    steps = [*steps, {"do": "run", "command": command, **mishap}]
    steps = [{"pass": 2, **step, "id": number} for number, step in enumerate(steps)]
    # Not free of troubles: what a stopped run had sent cannot be foretold.
    troubles = replace(Troubles(), kills=1)
    return Script(0, troubles, _devices(), steps, ["anna", "ben"], APPS[:1], 1)


def play(place, disk=None):
    """Plays a scene with a mishap; returns whether it struck, and what is wrong."""
    name, mishap = place
    play = Play(scene(name, **mishap), disk=disk)
    try:
        play.play()
    except Wrong as wrong:
        return True, str(wrong)
    except Exception:  # a fault of the test itself is worth as much as one of the product
        return True, traceback.format_exc()
    return play.mishap.status not in (0, 3), None


def places(name):
    """Every system call of a scene's run that changes the project or uses a socket: its name, and which one of them."""
    trace = f"/tmp/lockstep-sweep-{os.getpid()}"
    quiet = Play(scene(name, trace=trace))
    quiet.play()
    seen, found = Counter(), []
    with open(trace, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            call = line.split(maxsplit=1)[1].partition("(")[0]
            if not call.isidentifier():
                continue
            seen[call] += 1
            is_file = str(quiet.world.directory) in line and "O_RDONLY" not in line and call != "read"
            if is_file or "<socket:" in line:
                found.append((call, seen[call]))
    os.unlink(trace)
    return found


def kills(names):
    return [(name, {"kill": list(place)}) for name in names for place in places(name)]


def full_disks(names):
    return [(name, {"space": space}) for name in names for space in SPACES]


def _in_a_world_of_mounts():
    """Starts again where mounting is allowed and nobody else sees it."""
    if os.environ.get("LOCKSTEP_SWEEP_MOUNTS"):
        return
    os.environ["LOCKSTEP_SWEEP_MOUNTS"] = "1"
    command = ["unshare", "--mount", "--map-root-user", sys.executable, "-B", *sys.argv]
    sys.exit(subprocess.run(command, check=False).returncode)


def main():
    parser = argparse.ArgumentParser(prog="script/kill-sweep", description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("scenes", nargs="*", choices=[[], *SCENES], help=f"of {', '.join(SCENES)} (all of them)")
    parser.add_argument("--full-disk", action="store_true", help="let the disk run full instead of killing the run")
    parser.add_argument("--every", type=int, default=1, help="only every so many places (1)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many at a time")
    options = parser.parse_args()
    if options.full_disk:
        _in_a_world_of_mounts()
    names = options.scenes or list(SCENES)
    todo = (full_disks(names) if options.full_disk else kills(names))[:: options.every]
    disk = DISK if options.full_disk else None
    struck = failed = 0
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        for place, (hit, message) in zip(todo, pool.map(play, todo, [disk] * len(todo))):
            struck += hit
            if message:
                failed += 1
                print(f"{place}: {message}\n", flush=True)
    print(f"{len(todo)} places, {struck} stopped the run, {failed} failed")
    if not options.full_disk and struck * 100 < len(todo) * HIT:
        print("too few of them stopped the run: the sweep misses what it is for")
        return 1
    return 1 if failed or not struck else 0


if __name__ == "__main__":
    sys.exit(main())
