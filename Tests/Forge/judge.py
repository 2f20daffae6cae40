"""Judges a GitHub workflow or a GitLab pipeline by the forge's schema, shellcheck and what docs/ci.md promises.

Prints what is wrong and ends with a status that is not 0, or prints how many scripts it has seen.

usage: judge.py FILE
"""

import os
import re
import subprocess
import sys

import yaml

PERMISSIONS = {"validate": {"contents": "read"}, "plan": {"pull-requests": "write"}, "apply": {}}


def schema(file, is_github):
    judge = os.path.join(os.path.dirname(sys.executable), "check-jsonschema")
    kind = ["vendor.github-workflows"] if is_github else ["vendor.gitlab-ci", "--data-transform", "gitlab-ci"]
    return subprocess.run([judge, "--builtin-schema", *kind, file], check=False).returncode == 0


def shellcheck(script):
    # Variables that the forge sets are not known to it, and what sudo writes is meant to belong to the runner.
    options = ["--shell", "bash", "--exclude", "SC2154,SC2024", "-"]
    return subprocess.run(["shellcheck", *options], input=script.encode(), check=False).returncode == 0


def github(workflow):
    """What is wrong, and the scripts."""
    wrong = []
    steps = [step for job in workflow["jobs"].values() for step in job["steps"]]
    if "pull_request_target" in workflow[True]:
        wrong.append("pull_request_target gives the secrets to what a stranger wrote")
    permissions = {name: job.get("permissions", {}) for name, job in workflow["jobs"].items()}
    if (workflow["permissions"], permissions) != ({}, PERMISSIONS):
        wrong.append(f"other permissions than are needed: {permissions}")
    if workflow["jobs"]["apply"]["concurrency"] != {"group": "lockstep-apply", "cancel-in-progress": False}:
        wrong.append("two applies at a time, or one that is cut off")
    actions = [step["uses"] for step in steps if "uses" in step]
    wrong += [f"{action} is not pinned" for action in actions if not re.search(r"@[0-9a-f]{40}$", action)]
    scripts = [step["run"] for step in steps if "run" in step]
    wrong += [f"an expression becomes a part of a script: {script}" for script in scripts if "${{" in script]
    return wrong, scripts


def gitlab(pipeline):
    """What is wrong, and the scripts."""
    apply = pipeline["apply"]
    alone = apply["resource_group"] == "lockstep-apply" and apply["interruptible"] is False
    wrong = [] if alone else ["two applies at a time, or one that is cut off"]
    base = pipeline[".host"].get("before_script", [])
    jobs = {"validate": [], "plan": base, "apply": base}
    return wrong, ["\n".join(before + pipeline[job]["script"]) for job, before in jobs.items()]


def main():
    with open(sys.argv[1], encoding="utf-8") as text:
        parsed = yaml.safe_load(text)
    is_github = "jobs" in parsed
    wrong, scripts = (github if is_github else gitlab)(parsed)
    print("\n".join(wrong))
    right = not wrong and schema(sys.argv[1], is_github) and all([shellcheck(script) for script in scripts])
    print(f"{len(scripts)} scripts, {'all right' if right else 'not all right'}")
    sys.exit(0 if right else 1)


if __name__ == "__main__":
    main()
