"""Runs jobs of a GitHub workflow or a GitLab pipeline on this machine, as far as the examples use the two languages.

Reads { "jobs", "event", "settings" } from standard input, and writes { JOB: { "status", "log" } } for those that ran.
"event" holds what expressions, rules and jobs know, by name: "github.event_name", "secrets.NAME", GitLab's variables.
What is named "production.…" is known to jobs of that environment only. "settings" replaces what users of an example
fill in. "clone" of the event is what a checkout clones.

usage: runner.py FILE DIRECTORY
"""

import json
import os
import re
import subprocess
import sys

import yaml


def holds(condition, value):
    """Whether 'A == B && C == D' holds; value() gives what a name means."""

    def side(text):
        text = text.strip()
        return text[1:-1] if text[0] in "'\"" else value(text)

    return all(side(a) == side(b) for a, b in (part.split("==") for part in condition.split("&&")))


class Job:
    """A directory, and what the job knows."""

    def __init__(self, directory, event, settings, environment):
        self.directory, self.settings, self.output = directory, settings, directory + ".output"
        os.makedirs(directory)
        here = f"{environment}."
        own = {name.removeprefix(here): value for name, value in event.items() if name.startswith(here)}
        self.names = {name: value for name, value in event.items() if not name.startswith("production.")} | own

    def filled(self, values):
        """A block of variables with its expressions replaced; what is not known is empty."""

        def text(value):
            return re.sub(r"\$\{\{ (\S+) \}\}", lambda match: self.names.get(match[1], ""), str(value))

        return {name: self.settings.get(name, text(value)) for name, value in (values or {}).items()}

    def run(self, command, variables):
        forge = {name: value for name, value in os.environ.items() if name.startswith("FORGE_")}
        done = subprocess.run(
            command, cwd=self.directory, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            env={**forge, "PATH": os.environ["PATH"], "HOME": self.directory, **variables}, check=False,
        )
        return done.returncode, done.stdout.decode(errors="replace")

    def shell(self, script, variables):
        """Runs a script as both forges do."""
        return self.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script], variables)

    def checkout(self, commit):
        script = 'git clone --quiet "$1" . && git checkout --quiet "$2"'
        return self.run(["sh", "-c", script, "sh", self.names["clone"], commit], {})


def github(workflow, what, job):
    """A job of GitHub: its steps, up to the first that fails."""
    if not holds(what["if"], lambda name: job.names.get(name, "")):
        return None
    status, log = 0, ""
    for step in what["steps"]:
        open(job.output, "w").close()
        if step.get("uses", "").startswith("actions/checkout@"):
            status, text = job.checkout(job.filled(step["with"])["ref"])
        else:
            variables = job.filled(workflow["env"]) | job.filled(step.get("env")) | {"GITHUB_OUTPUT": job.output}
            variables["GITHUB_WORKSPACE"] = job.directory
            known = {name: value for name, value in job.names.items() if name.startswith("GITHUB_")}
            status, text = job.shell(step["run"], known | variables)
        log += text
        if status:
            break
        with open(job.output) as lines:
            for name, value in (line.rstrip("\n").split("=", 1) for line in lines):
                job.names[f"steps.{step['id']}.outputs.{name}"] = value
    return {"status": status, "log": log}


def gitlab(pipeline, what, job):
    """A job of GitLab: what it extends, its rules, and one script."""
    base = pipeline.get(what.get("extends"), {})
    job.names |= job.filled(pipeline["variables"])
    if not any(holds(rule["if"], lambda name: job.names.get(name[1:], "")) for rule in what["rules"]):
        return None
    if base.get("variables", {}).get("GIT_STRATEGY") != "none":
        job.checkout(job.names["CI_COMMIT_SHA"])
    variables = {name: value for name, value in job.names.items() if re.fullmatch(r"\w+", name)}
    status, log = job.shell("\n".join(base.get("before_script", []) + what["script"]), variables)
    return {"status": status, "log": log}


def main():
    file, directory = sys.argv[1:]
    asked = json.load(sys.stdin)
    with open(file, encoding="utf-8") as text:
        pipeline = yaml.safe_load(text)
    run, jobs = (github, pipeline["jobs"]) if "jobs" in pipeline else (gitlab, pipeline)
    done = {}
    for name in asked["jobs"]:
        what = jobs[name]
        job = Job(os.path.join(directory, name), asked["event"], asked["settings"], what.get("environment"))
        done[name] = run(pipeline, what, job)
    json.dump({name: outcome for name, outcome in done.items() if outcome}, sys.stdout)


if __name__ == "__main__":
    main()
