"""A project directory, the simulated Apple and phones beside it, and one clock for all of them."""

import json
import os
import random
import shutil
import subprocess
import tempfile
import time
from datetime import datetime, timezone
from pathlib import Path

from script import KILLS

ROOT = Path(__file__).resolve().parents[2]
FAKETIME = next(Path("/usr/lib").glob("*-linux-gnu/faketime/libfaketime.so.1"), None)
BEGIN = int(datetime(2026, 11, 30, 10, tzinfo=timezone.utc).timestamp())
#: A run that takes so many seconds hangs. Nothing waits for a peer here, so that is never a matter of the machine.
HANGS = 120


def program():
    """The built program."""
    return os.environ.get("LOCKSTEP", str(ROOT / ".build/debug/lockstep"))


class Ended(Exception):
    """The simulator ended, or refused a command."""


class Run:
    """What one run of the program left."""

    def __init__(self, status, stdout, stderr, requests):
        self.status, self.stdout, self.stderr, self.requests = status, stdout, stderr, requests

    @property
    def was_killed(self):
        return self.status == -9

    def events(self, kind):
        lines = [json.loads(line) for line in self.stdout.splitlines() if line.startswith("{")]
        return [line for line in lines if line.get("type") == kind]


class World:
    """A project; `now` is its time, in seconds since 1970, which stands still unless it is moved."""

    def __init__(self, seed, apps, disk=None):
        """A world of a seed with these apps; `disk` is the size of one of its own for ledger and published files."""
        memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        self.directory = Path(tempfile.mkdtemp(prefix=f"lockstep-soak-{seed}-", dir=memory))
        self.now = self.latest = BEGIN
        self.requests = []
        #: Every report line that reached the spool, in that order.
        self.reports = []
        #: Reports that are to arrive later: the time, the file's name and its text.
        self.late = []
        self.lost = []
        self._log = None
        self._partial = ""
        self._files = 0
        self.environment = {
            **os.environ, "LD_PRELOAD": str(FAKETIME), "FAKETIME_TIMESTAMP_FILE": str(self.directory / "clock"),
            "FAKETIME_NO_CACHE": "1", "DONT_FAKE_MONOTONIC": "1", "TZ": "UTC", "LC_ALL": "C.UTF-8",
        }
        self._set_clock()
        for name in ["state", "reports", "disk"]:
            (self.directory / name).mkdir()
        self._disk = self.directory / "disk"
        self._has_disk = disk is not None
        if self._has_disk:
            subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={disk}k", "tmpfs", self._disk], check=True)
        options = [option for app in apps for option in ("--app", f"{app}=ABCDE12345")] + ["--public", "disk/public"]
        self.simulator = subprocess.Popen(
            [program(), "simulate", "--until-eof", "--ready-file", "ready.json", "--seed", str(seed + 1), *options],
            cwd=self.directory, env=self.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=(self.directory / "simulator.log").open("w"),
        )
        while not (self.directory / "ready.json").exists():
            if self.simulator.poll() is not None:
                raise Ended((self.directory / "simulator.log").read_text())
            time.sleep(0.002)
        ready = json.loads((self.directory / "ready.json").read_text())
        configuration = json.loads(Path(ready["config"]).read_text())
        configuration["ledger"] = "disk/lockstep.db"
        # Small projects reach percentages with a single edit; the limits have tests of their own.
        configuration["safety"] = {"maxRemovedPercent": 100, "maxReplacedPercent": 100}
        self._configuration = configuration
        self.configure()

    def close(self, keep=False):
        self.simulator.stdin.close()
        self.simulator.wait()
        self.simulator.stdout.close()
        if self._has_disk:
            subprocess.run(["umount", "--lazy", self._disk], check=True)
        if not keep:
            shutil.rmtree(self.directory, ignore_errors=True)

    def configure(self, **keys):
        """Writes the configuration, with more keys."""
        self._configuration.update(keys)
        (self.directory / "lockstep.json").write_text(json.dumps(self._configuration))

    # Time

    def _set_clock(self):
        text = datetime.fromtimestamp(self.now, timezone.utc).strftime("%Y-%m-%d %H:%M:%S\n")
        partial = self.directory / "clock.tmp"
        partial.write_text(text)
        partial.rename(self.directory / "clock")

    def let_pass(self, seconds):
        self.now += seconds
        self.latest = max(self.latest, self.now)
        self._set_clock()

    # Phones

    def send(self, command):
        self.simulator.stdin.write((json.dumps(command) + "\n").encode())
        self.simulator.stdin.flush()
        line = self.simulator.stdout.readline()
        if not line:
            raise Ended((self.directory / "simulator.log").read_text())
        answer = json.loads(line)
        if not answer["ok"]:
            raise Ended(f"{command}: {answer}")
        return answer

    def screens(self):
        self.send({"do": "screens"})
        return json.loads((self.directory / "simulator/screens.json").read_text())["devices"]

    def deliver_reports(self, rates, dice: random.Random):
        """Lets reports that just reached the spool arrive late, twice or never, and those that are due arrive."""
        spool = self.directory / "reports"
        for file in sorted(spool.glob("sim-*.ndjson")):
            for line in file.read_text().splitlines():
                self._arrive(line, rates, dice)
            file.unlink()
        for due, line in [late for late in self.late if late[0] <= self.now]:
            self.late.remove((due, line))
            self._write(line)

    def _arrive(self, line, rates, dice):
        chance = dice.random()
        for kind, rate in sorted(rates.items()):
            if chance < rate:
                if kind == "lost":
                    self.lost.append(json.loads(line))
                    return
                due = self.now + dice.choice([30, 1_000, 8_000])
                if kind == "late":
                    self.late.append((due, line))
                    return
                self.late.append((due, line))
                break
            chance -= rate
        self._write(line)

    def _write(self, line):
        self._files += 1
        self.reports.append(json.loads(line))
        name = self.directory / f"reports/r{self._files:06}"
        name.with_suffix(".tmp").write_text(line + "\n")
        name.with_suffix(".tmp").rename(name.with_suffix(".ndjson"))

    # Runs

    # Where a container forbids it, runs are neither killed at a system call nor told that the disk is full.
    CAN_TRACE = subprocess.run(["strace", "-o", "/dev/null", "true"], capture_output=True, check=False).returncode == 0

    def command(self, *arguments):
        """The command line of the program with these arguments."""
        return [program(), *arguments]

    def run(self, *arguments, kill=None, full=None, space=None, trace=None):
        """Runs the program to its end, or until it is killed at a system call: its name, and which one of them.

        `full` is from which write on there is no space left, `space` how many kilobytes of its disk are free, `trace`
        a file that the system calls go to.
        """
        before = len(self.requests)
        command = self.command(*arguments)
        launcher = []
        if not self.CAN_TRACE:
            kill = full = None
        if kill:
            launcher = self._strace(kill[0], f"signal=KILL:when={kill[1]}")
        elif full is not None:
            # From so many writes on there is no space left, wherever it would be taken.
            launcher = self._strace("pwrite64,ftruncate,mkdir", f"error=ENOSPC:when={full}+")
        elif trace:
            launcher = [*self._strace(",".join(KILLS), None), "-y", "-o", str(trace)]
        if space is not None:
            self._fill(space)
        process = subprocess.run(
            [*launcher, *command], cwd=self.directory, env=self._launch_environment(bool(launcher)),
            capture_output=True, stdin=subprocess.DEVNULL, timeout=HANGS, check=False,
        )
        (self._disk / "filler").unlink(missing_ok=True)
        self.read_requests()
        status = -9 if process.returncode in (-9, 137) else process.returncode
        return Run(status, process.stdout.decode(), process.stderr.decode(), self.requests[before:])

    def _strace(self, calls, injection):
        preload = [f"--env={name}={value}" for name, value in self._fake().items()]
        # Without --seccomp-bpf, with which strace 6.1 injects errors and no signals.
        command = ["strace", "-f", "-qq", *preload, "-e", f"trace={calls}"]
        return [*command, "-o", "/dev/null", "-e", f"inject={calls}:{injection}"] if injection else command

    def _fill(self, kilobytes):
        """Leaves so much of the disk free."""
        facts = os.statvfs(self._disk)
        size = facts.f_bavail * facts.f_frsize - kilobytes * 1024
        (self._disk / "filler").write_bytes(bytes(max(0, size)))

    def _fake(self):
        return {name: self.environment[name] for name in ("LD_PRELOAD",)}

    def _launch_environment(self, is_traced):
        if not is_traced:
            return self.environment
        return {name: value for name, value in self.environment.items() if name not in self._fake()}

    def read_requests(self):
        path = self.directory / "simulator/requests.ndjson"
        self.send({"do": "counters"})
        if not path.exists():
            return
        if self._log is None:
            self._log = path.open()
        for line in self._log.read().splitlines():
            self.requests.append(json.loads(line))

    @property
    def ledger(self):
        return self.directory / "disk/lockstep.db"
