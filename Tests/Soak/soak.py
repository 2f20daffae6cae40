"""The model test: random projects and random troubles, driven through the real program and the real simulator."""

import argparse
import concurrent.futures
import os
import sys
import traceback
from dataclasses import replace

import script as scripts
from play import Play
from rules import Wrong


def play(seed, steps=None, without=(), keep=False, verbose=False):
    """Plays one seed; returns what is wrong, or `None`."""
    script = scripts.make(seed)
    if steps is not None:
        script.steps = [step for step in script.steps if step["id"] in steps]
    script.troubles = _without(script.troubles, without)
    try:
        Play(script, keep, verbose).play()
    except Wrong as wrong:
        return str(wrong)
    except Exception:  # a fault of the test itself is worth as much as one of the product
        return traceback.format_exc()
    return None


def _without(troubles, kinds):
    """Leaves kinds of troubles out, without turning the project into one whose pushes are foretold."""
    return replace(
        troubles,
        faults={name: rate for name, rate in troubles.faults.items() if name not in kinds},
        reports={name: rate for name, rate in troubles.reports.items() if name not in kinds},
    )


def shrink(seed, message):
    """Leaves out as much as can be left out for the same thing to go wrong; returns steps and troubles to leave out."""
    script = scripts.make(seed)
    what = _kind(message)
    troubles = [*script.troubles.faults, *script.troubles.reports]
    without = []
    steps = [step["id"] for step in script.steps]
    for trouble in troubles:
        if _kind(play(seed, steps, [*without, trouble])) == what:
            without.append(trouble)
    size = len(steps) // 2
    while size:
        start = 0
        while start < len(steps):
            fewer = steps[:start] + steps[start + size:]
            if _kind(play(seed, fewer, without)) == what:
                steps = fewer
            else:
                start += size
        size //= 2
    return steps, without


def _kind(message):
    """What went wrong, without the names and numbers that differ from run to run."""
    if message is None:
        return None
    return "".join(character for character in message.splitlines()[0] if character.isalpha())[:25]


def _numbers(text):
    numbers = set()
    for part in filter(None, text.split(",")):
        first, _, last = part.partition("-")
        numbers |= set(range(int(first), int(last or first) + 1))
    return numbers


def main():
    parser = argparse.ArgumentParser(prog="script/soak", description=__doc__)
    parser.add_argument("count", nargs="?", type=int, default=50, help="how many seeds (50)")
    parser.add_argument("--first", type=int, default=1, help="the first of them (1)")
    parser.add_argument("--seed", type=int, help="only this one, with its story")
    parser.add_argument("--steps", type=_numbers, help="only these steps of it, such as 0-4,9")
    parser.add_argument("--without", default="", help="kinds of troubles to leave out, such as cut-after,lost")
    parser.add_argument("--shrink", action="store_true", help="leave out of a failing seed all that can be left out")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many at a time")
    parser.add_argument("--keep", action="store_true", help="keep the project of a failing seed, and say where it is")
    options = parser.parse_args()
    without = [kind for kind in options.without.split(",") if kind]
    if options.seed is not None:
        return _one(options, without)
    seeds = range(options.first, options.first + options.count)
    failed = []
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        for seed, message in zip(seeds, pool.map(play, seeds)):
            if message:
                failed.append(seed)
                print(f"seed {seed}: {message}\n  replay: script/soak --seed {seed}\n", flush=True)
    print(f"{len(seeds)} seeds, {len(failed)} failed" + (f": {failed}" if failed else ""))
    return 1 if failed else 0


def _one(options, without):
    message = play(options.seed, options.steps, without, options.keep, verbose=not options.shrink)
    if message is None:
        print(f"seed {options.seed}: nothing wrong")
        return 0
    print(message)
    if options.shrink:
        steps, without = shrink(options.seed, message)
        print(play(options.seed, steps, without))
        parts = f" --without {','.join(without)}" if without else ""
        print(f"replay: script/soak --seed {options.seed} --steps {','.join(map(str, steps))}{parts}")
    return 1


if __name__ == "__main__":
    sys.exit(main())
