"""The comments of a pull request, as GitHub and GitLab keep them, for a test on this machine.

Serves both interfaces over one list of comments, which it writes to FILE after every change. Begins with a full page of
other people's comments, the first of which imitates the mark. Prints its port, and ends with its standard input.

usage: api.py FILE
"""

import json
import os
import re
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

TOKEN = "forge-token"
BOT = "github-actions[bot]"
GITHUB_LIST = r"/github/repos/shop/state/issues/7/comments"
GITHUB_ONE = r"/github/repos/shop/state/issues/comments/(\d+)"
GITLAB_LIST = r"/gitlab/projects/11/merge_requests/7/notes"
GITLAB_ONE = GITLAB_LIST + r"/(\d+)"

comments = [{"id": n, "author": "mallory", "body": f"<!-- lockstep plan -->\n{n}"} for n in range(1, 102)]


def shown(comment, gitlab):
    name = comment["author"]
    author = {"author": {"id": 3 if name == BOT else 4, "username": name}} if gitlab else {"user": {"login": name}}
    return {"id": comment["id"], "body": comment["body"], **author}


class Handler(BaseHTTPRequestHandler):
    def answer(self, status, value):
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def take(self):
        url = urlsplit(self.path)
        gitlab = url.path.startswith("/gitlab/")
        token = self.headers.get("PRIVATE-TOKEN") if gitlab else self.headers.get("Authorization")
        if token != (TOKEN if gitlab else f"Bearer {TOKEN}"):
            return self.answer(401, {"message": "Bad credentials"})
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.command == "GET" and url.path == "/gitlab/user":
            return self.answer(200, {"id": 3, "username": BOT})
        if re.fullmatch(GITLAB_LIST if gitlab else GITHUB_LIST, url.path):
            return self.read(parse_qs(url.query), gitlab) if self.command == "GET" else self.write(None, body, gitlab)
        one = re.fullmatch(GITLAB_ONE if gitlab else GITHUB_ONE, url.path)
        if one and self.command == ("PUT" if gitlab else "PATCH"):
            return self.write(int(one[1]), body, gitlab)
        self.answer(404, {"message": "Not Found"})

    do_GET = do_POST = do_PUT = do_PATCH = take

    def read(self, query, gitlab):
        size, page = int(query.get("per_page", ["30"])[0]), int(query.get("page", ["1"])[0])
        part = comments[size * (page - 1) : size * page]
        self.answer(200, [shown(comment, gitlab) for comment in part])

    def write(self, number, body, gitlab):
        if gitlab and self.headers.get("Content-Type") != "application/json":
            return self.answer(400, {"error": "body is missing"})
        text = json.loads(body)["body"]
        if not text or len(text) > (1_000_000 if gitlab else 65_536):
            return self.answer(422, {"message": "body is too long (maximum is 65536 characters)"})
        if number is None:
            comments.append({"id": len(comments) + 1, "author": BOT, "body": text})
        else:
            comments[number - 1]["body"] = text
        save()
        self.answer(200 if number else 201, shown(comments[number - 1 if number else -1], gitlab))

    def log_message(self, *_):
        pass


def save():
    with open(sys.argv[1] + ".tmp", "w", encoding="utf-8") as file:
        json.dump(comments, file)
    os.replace(sys.argv[1] + ".tmp", sys.argv[1])


if __name__ == "__main__":
    save()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(server.server_address[1], flush=True)
    sys.stdin.read()
