"""Reads the ledger, and holds it against what must always be true of one."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

from rules import expect

INVARIANTS = Path(__file__).with_name("invariants.sql")
#: Taking in reports does not ask what became of a run that died.
UNTIL_APPLY = "a delivery that is still being dispatched"


def check_ledger(world, is_apply=True):
    with closing(sqlite3.connect(f"file:{world.ledger}?mode=ro", uri=True)) as ledger:
        expect(ledger.execute("PRAGMA integrity_check").fetchall() == [("ok",)], "the ledger is damaged")
        expect(not ledger.execute("PRAGMA foreign_key_check").fetchall(), "the ledger has dangling references")
        text = INVARIANTS.read_text()
        for what, query in re.findall(r"^-- (.*)\n((?:(?!--).*\n?)+)", text, re.MULTILINE):
            if query.strip() and (is_apply or what != UNTIL_APPLY):
                rows = ledger.execute(query).fetchmany(3)
                expect(not rows, f"the ledger holds {what}: {rows}")
        attempts = ledger.execute("SELECT coalesce(sum(attempts), 0) FROM deliveries").fetchone()[0]
    expect(attempts >= len(world.requests), f"{len(world.requests)} requests, but {attempts} marks before sending")
    return attempts


def find_id(world, step):
    """What the ledger calls a target, a start target or the widgets of a phone: the first one there is, or `None`."""
    if not world.ledger.exists():
        return None
    table, where = {
        "tgt": ("instances", "AND name = :name ORDER BY sequence DESC"),
        "stt": ("start_targets", ""),
        "wgt": ("widget_registrations", ""),
    }[step["of"]]
    query = f"SELECT id FROM {table} WHERE app = :app AND device = :device {where} LIMIT 1"
    with closing(sqlite3.connect(f"file:{world.ledger}?mode=ro", uri=True)) as ledger:
        values = {key: step[key] for key in ("app", "device", "name")}
        return next((row[0] for row in ledger.execute(query, values)), None)
