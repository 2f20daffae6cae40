"""Holds the limits of the house."""

from typing import NamedTuple


class Rule(NamedTuple):
    """A limit of the house, the words for passing it, and the way back."""

    limit: int
    words: str
    remedy: str


RULES = {
    "functions of a type": Rule(30, "{name} has {figure} functions", "divide it by what it knows"),
    "lines of a type": Rule(600, "{name} has {figure} lines", "divide it by what it knows"),
    "lines of a function": Rule(60, "{name} has {figure} lines", "give its steps names of their own"),
    "parameters": Rule(5, "{name} takes {figure} parameters", "make one value of what travels together"),
    "unlabelled parameters": Rule(2, "{name} takes {figure} parameters without a label", "give them labels"),
    "folders in circles": Rule(0, "{name} has {figure} folders in circles", "let the use go one way"),
    "folders that use each other": Rule(0, "{name} use each other's types", "move what both use below both"),
    "imports": Rule(0, "{name} in {figure} files", "move the code to a target that may, or hand the value in"),
    "comments": Rule(0, "{figure} comments or fields of comments begin with What, Whether, How, Why, Where, When, Which or Who",
                     "begin with the noun or the verb; script/shape --all lists them"),
    "SQL outside its rooms": Rule(0, "{figure} literals of SQL stand outside of their rooms",
                                  "SQL belongs to Ledger/SQLite, Source/Index and a sorter"),
    "triggers": Rule(0, "{figure} triggers", "let Diff decide what a row becomes, and write that"),
}

#: The modules that each target may import (ARCHITECTURE.md). Foundation is for nobody, and C is for Foreign and Git.
IMPORTS = {
    "JSON": "",
    "Time": "",
    "Diff": "JSON Time",
    "Foreign": "JSON Time Glibc Synchronization CSQLite CCurl COpenSSL CJansson CNGHTTP2 CLinux CValijson",
    "Git": "JSON Time Glibc CGit2",
    "APNs": "JSON Time Foreign",
    "Source": "JSON Time Diff Foreign Git",
    "Ledger": "JSON Time Diff Foreign",
    "Reconcile": "JSON Time Diff Foreign Git APNs Source Ledger",
    "Simulator": "JSON Time Foreign",
    "lockstep": "JSON Time Diff Foreign Git APNs Source Ledger Reconcile Simulator",
}
