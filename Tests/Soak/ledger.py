"""Reads the ledger in words, and holds it against what must always be true of one."""

import json
import re
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

from rules import expect

INVARIANTS = Path(__file__).with_name("invariants.sql")
#: Taking in reports does not ask what became of a run that died.
UNTIL_APPLY = "a delivery that is still being dispatched"
#: Members of the records that the rules ask for: each type of record is a table of these columns.
MEMBERS = {
    "ledger": ["step"],
    "run": ["id"],
    "device": ["app", "device", "subscriber"],
    "widgetRegistration": ["id", "app", "device", "subscriber", "token"],
    "startTarget": ["id", "app", "device", "subscriber", "attributesType", "token"],
    "widget": ["id", "subscriber", "app", "name", "changedStep"],
    "instance": ["id", "launchRequestId", "app", "device", "name", "origin", "launchSequence",
                 "phase", "closedBy", "activityId", "token", "registeredAt"],
    "resolution": ["launchRequestId", "targetId", "runId"],
    "operation": ["id", "kind", "app", "runId"],
    "delivery": ["id", "operationId", "kind", "app", "device", "targetId", "registrationId", "status", "open", "step",
                 "attempts", "apnsStatus"],
}


def read_ledger(world):
    """The dump of the ledger as tables in memory."""
    process = subprocess.run(
        world.command("state", "dump", "--show-tokens"), cwd=world.directory, env=world.environment,
        capture_output=True, check=False,
    )
    expect(process.returncode == 0, f"no dump: {process.stderr.decode()}")
    ledger = sqlite3.connect(":memory:")
    for kind, members in MEMBERS.items():
        ledger.execute(f"CREATE TABLE {kind} ({', '.join(members)})")
    for line in process.stdout.splitlines():
        record = json.loads(line)
        members = MEMBERS.get(record["type"])
        if members:
            places = ", ".join("?" * len(members))
            values = [record.get(member) for member in members]
            ledger.execute(f"INSERT INTO {record['type']} VALUES ({places})", values)
    return ledger


def invariants():
    """What is wrong, and the query that finds it."""
    for what, query in re.findall(r"^-- (.*)\n((?:(?!--).*\n?)+)", INVARIANTS.read_text(), re.MULTILINE):
        if query.strip():
            yield what, query


def check_ledger(world, is_apply=True):
    """Holds the ledger against every rule; returns how often deliveries were marked before they were sent."""
    with closing(sqlite3.connect(f"file:{world.ledger}?mode=ro", uri=True)) as file:
        expect(file.execute("PRAGMA integrity_check").fetchall() == [("ok",)], "the ledger is damaged")
    with closing(read_ledger(world)) as ledger:
        for what, query in invariants():
            if is_apply or what != UNTIL_APPLY:
                rows = ledger.execute(query).fetchmany(3)
                expect(not rows, f"the ledger holds {what}: {rows}")
        attempts = ledger.execute("SELECT coalesce(sum(attempts), 0) FROM delivery").fetchone()[0]
    expect(attempts >= len(world.requests), f"{len(world.requests)} requests, but {attempts} marks before sending")
    return attempts


def unconfirmed(world):
    """The launches that the ledger holds for unconfirmed."""
    with closing(read_ledger(world)) as ledger:
        return {row[0] for row in ledger.execute("SELECT launchRequestId FROM instance WHERE phase = 'unconfirmed'")}


def find_id(world, step):
    """What the ledger calls a target, a start target or the widgets of a phone: the first one there is, or `None`."""
    if not world.ledger.exists():
        return None
    table, where = {
        "tgt": ("instance", "AND name = :name ORDER BY launchSequence DESC, id"),
        "stt": ("startTarget", "ORDER BY attributesType"),
        "wgt": ("widgetRegistration", ""),
    }[step["of"]]
    query = f"SELECT id FROM {table} WHERE app = :app AND device = :device {where} LIMIT 1"
    with closing(read_ledger(world)) as ledger:
        values = {key: step[key] for key in ("app", "device", "name")}
        return next((row[0] for row in ledger.execute(query, values)), None)
