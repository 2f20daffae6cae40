"""Judges what the JSON tests write, with implementations that are not ours: Python's json and the package jsonpatch.

    json_judge.py patches FILE   each line {"old", "new", "patch"}: applying the patch to old must give new
    json_judge.py texts FILE     each line {"hex", "taken", "canonical"?}: json must take the same texts, with the same value

Prints what it disagrees with and ends with a status that is not 0, or prints how much it has judged.
"""
import json
import sys


def same(left, right):
    """Equality of JSON values: Python's own takes true for 1."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    return type(left) is type(right) and left == right or isinstance(left, (int, float)) and left == right


def patches(case):
    import jsonpatch

    result = jsonpatch.apply_patch(case["old"], jsonpatch.JsonPatch(case["patch"]))
    return None if same(result, case["new"]) else f"gives {json.dumps(result)}"


class Refused(Exception):
    pass


def strictly(data):
    """Python's json, without what it takes beyond RFC 8259, and with the limits of Lockstep:
    keys that come twice or look the same, NaN and Infinity, lone surrogates, NUL in a key, integers beyond 64 bits,
    reals beyond a double, more than 128 levels."""
    import unicodedata

    def members(pairs):
        forms = [unicodedata.normalize("NFC", key) for key, _ in pairs]
        if len(set(forms)) < len(forms) or any("\0" in key for key, _ in pairs):
            raise Refused
        return dict(pairs)

    def constant(_):
        raise Refused

    def integer(text):
        value = int(text)
        if not -(2**63) <= value < 2**63:
            raise Refused
        return value

    def real(text):
        value = float(text)
        if value in (float("inf"), float("-inf")):
            raise Refused
        return int(value) if value.is_integer() and -(2**63) <= value < 2**63 else value

    def depth(value):
        children = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
        return 0 if children is None else 1 + max(map(depth, children), default=0)

    text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8")
    value = json.loads(text, object_pairs_hook=members, parse_constant=constant, parse_int=integer, parse_float=real)
    json.dumps(value, ensure_ascii=False).encode("utf-8")  # fails on lone surrogates
    if depth(value) > 128:
        raise Refused
    return value


def texts(case):
    try:
        value = strictly(bytes.fromhex(case["hex"]))
    except (ValueError, Refused, RecursionError) as error:
        return f"Python does not take it: {error!r}" if case["taken"] else None
    if not case["taken"]:
        return "Python takes it"
    return None if same(value, json.loads(case["canonical"])) else f"Python reads {value!r}"


def main():
    judge = {"patches": patches, "texts": texts}[sys.argv[1]]
    count = 0
    wrong = 0
    with open(sys.argv[2], encoding="utf-8") as lines:
        for line in lines:
            count += 1
            objection = judge(json.loads(line))
            if objection:
                wrong += 1
                print(f"{objection}: {line.strip()[:2000]}")
    print(f"judged {count}")
    sys.exit(1 if wrong or not count else 0)


main()
