#!/usr/bin/env python3
"""Shows that every fault and variation changes something a client can see.

Each entry gets a server of its own and one fixed conversation with it; the
record is compared with that of the server without options. It says nothing on
whether a difference is allowed. `selfcheck.py [-j JOBS] [NAME]...`
"""

import concurrent.futures
import http.client
import json
import os
import re
import subprocess
import sys
import threading
import time
import urllib.parse

import deviations

HERE = os.path.dirname(os.path.abspath(__file__))
NAME = "X-Requested-With"


class Peer:
    def __init__(self, kind, name):
        command = [sys.executable, os.path.join(HERE, "server.py")] + (["--" + kind, name] if name else [])
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.ready = json.loads(self.process.stdout.readline())
        self.tokens, self.port = self.ready["tokens"], int(self.ready["url"].rsplit(":", 1)[1])

    def ask(self, method, path, role="owner", body=None, scheme="token", client="self check/1 2.0", raw=None, **headers):
        """Status, headers, text and whether much of the time passed before the first or before the last byte."""
        link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        if role:
            headers["Authorization"] = "%s %s" % (scheme, self.tokens.get(role, role))
        if client:
            headers[NAME] = client
        data = raw if raw is not None else None if body is None else json.dumps(body)
        link.request(method, path, data, headers)
        start = time.time()
        answer = link.getresponse()
        text = answer.read().decode("latin-1" if answer.getheader("Content-Encoding") else "utf-8")
        link.close()
        return answer.status, answer.getheaders(), text, time.time() - start

    def end(self):
        self.process.stdin.close()
        self.process.wait(5)
        return self.process.stderr.read().decode()


def plain(text, peer):
    """Takes out what differs from run to run."""
    text = text.replace(str(peer.port), "PORT")
    text = re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d", "DATE", text)
    text = re.sub(r"(DATE:)\d\d((\.)\d+)?", lambda m: m.group(1) + ("s.%d" % len(m.group(2)) if m.group(2) else "s"), text)
    text = re.sub(r'("durationMs":)\d+\.\d+', r"\1FLOAT", text)
    text = re.sub(r'("durationMs" ?: ?)\d+(?=[,} ])', r"\1INT", text)
    text = re.sub(r'("time_millis":)\d+\b', r"\1INT", text)
    text = re.sub(r"trace/[0-9a-f]+", "trace/T", text)
    text = re.sub(r'("timestamp":|"trace":|"reset_time":|"created_at":)(\d+)', lambda m: m.group(1) + "N%d" % len(m.group(2)), text)
    return text


def show(record, peer, label, answer, slow=0.2):
    status, headers, text, took = answer
    kept = [h for h in headers if h[0].lower() not in ("date", "content-length")]
    record.append((label, status, str(kept), plain(text, peer), took > slow))


def stream(peer, record):
    for role, scheme in (("owner", "token"), ("oauth", "Bearer"), ("user_all", "token"), ("oauth_unscoped", "Bearer"),
                         ("read", "token"), (None, "token"), ("nobody", "token")):
        show(record, peer, "stream as %s" % role, peer.ask("GET", "/.api/search/stream?q=ledger&v=V3", role, scheme=scheme), 2)
    for query in ("q=test", "q=test&v=V3", "", "q=test&cl=x", "q=error+count:3", "q=error+count:all+type:content",
                  "q=bulkword+count:all", "q=bulkword", "q=tick", "q=samplerow", "q=error&display=2", "q=error&display=-1",
                  "q=error&cm=true", "q=error&cm=true&cl=0", "q=error&cm=true&cl=2", "q=caf%C3%A9&cm=true&max-line-len=20",
                  "q=too+small&cm=true&max-line-len=-1", "q=too+small&cm=false&cl=3", "q=too+small&max-line-len=9",
                  "q=too+small&cm=true&max-line-len=9", "q=repo:acme+return", "q=re.urn", "q=re.urn&t=regexp",
                  "q=test+error&t=keyword", "q=gateway+caf%C3%A9&t=keyword", "q=re.urn+patternType:regexp&t=standard", "q=type:diff+error", "q=type:symbol+step",
                  "q=type:path+test", "q=type:repo+acme", "q=type:commit+error", "q=/(/", "q=attic+archived:yes",
                  "q=type:path+file:ledger", "q=path"):
        show(record, peer, "stream " + query, peer.ask("GET", "/.api/search/stream?" + query), 2)
    show(record, peer, "packed", peer.ask("GET", "/.api/search/stream?q=ledger", **{"Accept-Encoding": "gzip"}), 2)
    # What arrives when: the time of the first matches event against that of the end.
    link = http.client.HTTPConnection("127.0.0.1", peer.port, timeout=20)
    start = time.time()
    link.request("GET", "/.api/search/stream?q=error&v=V3", headers={"Authorization": "token " + peer.tokens["owner"]})
    answer = link.getresponse()
    sizes, early = [], False
    while True:
        part = answer.read1(65536)
        if not part:
            break
        sizes.append(len(part) // 200)
        early = early or b"lineMatches" in part and time.time() - start < 0.1
    record.append(("pieces", early, len(sizes), time.time() - start > 1, time.time() - start < 0.03))


def legacy(peer, record):
    base = "/.api/deepsearch/v1"

    def do(label, method, path, role="owner", body=None, **more):
        answer = peer.ask(method, base + path, role, body, **more)
        show(record, peer, label, answer)
        try:
            return json.loads(answer[2])
        except ValueError:
            return {}
    record.append(("sharing", peer.ready["sharing"]))
    do("list before", "GET", "")
    big = 1 << 40 if "legacy-big-ids" in peer.ready["variations"] else 0
    ids = [8 + i if not big else big + 17 + 7 * i for i in range(4)]
    first, second, third = ids[0], ids[1], ids[2]
    made = do("create", "POST", "", body={"question": "Where Is the error"})
    token = made.get("read_token") or "none"
    if "legacy-seeded" in peer.ready["variations"]:
        return
    do("get early", "GET", "/%d" % first)
    do("add early", "POST", "/%d/questions" % first, body={"conversation_id": first, "question": "Then early"})
    time.sleep(0.13)
    do("get midway", "GET", "/%d" % first)
    do("create second", "POST", "", body={"question": "Second one"})
    do("create other's", "POST", "", "other", body={"question": "Not yours"})
    time.sleep(0.4)
    for _ in range(3):
        do("get done", "GET", "/%d" % first)
    time.sleep(0.01)
    do("add", "POST", "/%d/questions" % first, body={"conversation_id": first, "question": "And THEN"})
    do("list fresh", "GET", "")
    do("get during", "GET", "/%d" % first)
    time.sleep(0.35)
    do("get added", "GET", "/%d" % first)
    for words in peer.ready["failing_questions"].values():
        do("create failing", "POST", "", body={"question": words})
    time.sleep(0.35)
    for number in range(11, 15):
        do("get failed", "GET", "/%d" % number)
    do("create for cancel", "POST", "", body={"question": "cancel me"})
    do("add for cancel", "POST", "/15/questions", body={"conversation_id": 15, "question": "second to cancel"})
    do("cancel of other", "POST", "/15/questions/%d/cancel" % (made.get("_", 95) + 8), "other")
    do("cancel", "POST", "/15/questions/%d/cancel" % 104)
    do("cancel", "POST", "/15/questions/%d/cancel" % 105)
    do("cancel done", "POST", "/%d/questions/95/cancel" % first)
    do("cancel unknown", "POST", "/%d/questions/99999/cancel" % first)
    time.sleep(0.35)
    do("get cancelled", "GET", "/15")
    for query in ("", "sort=id", "sort=-id", "sort=created_at", "sort=-created_at", "sort=updated_at", "sort=-updated_at",
                  "sort=odd", "filter_id=%d" % second, "filter_user_id=102", "filter_id=%d&filter_user_id=102" % first,
                  "filter_is_starred=true", "filter_is_starred=false", "page_first=2&sort=id",
                  "page_first=2&sort=id&page_after=%d" % second, "page_first=2&sort=id&filter_id=9999&page_after=%d" % second):
        do("list " + query, "GET", "?" + query)
    do("by token", "GET", "?filter_read_token=" + token, "other")
    do("by token own", "GET", "?filter_read_token=" + token)
    do("by odd token", "GET", "?filter_read_token=odd", "other")
    do("get of other", "GET", "/%d" % first, "other")
    do("add to other", "POST", "/%d/questions" % second, "other", {"conversation_id": second, "question": "hm"})
    do("mismatch", "POST", "/%d/questions" % second, body={"conversation_id": 4, "question": "hm"})
    do("no question", "POST", "/%d/questions" % second, body={"conversation_id": second})
    for body in ({}, {"question": 5}):
        do("bad create", "POST", "", body=body)
    do("not json", "POST", "", raw="{")
    for role, scheme in ((None, "token"), ("nobody", "token"), ("unscoped", "token"), ("owner", "Bearer")):
        for path in ("", "/%d" % first):
            do("access", "GET", path, role, scheme=scheme)
        do("access", "POST", "", role, {"question": "who"}, scheme=scheme)
    for client in (None, "name", "name 1"):
        do("client", "GET", "/%d" % first, client=client)
    got = {}
    threads = [threading.Thread(target=lambda n=n: got.update({n: peer.ask("GET", base + "/%d" % n)[2][:40]}))
               for n in (first, second)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    record.append(sorted(got.items()))
    do("delete of other", "DELETE", "/%d" % second, "other")
    do("delete", "DELETE", "/%d" % first)
    do("delete again", "DELETE", "/%d" % first)
    do("get deleted", "GET", "/%d" % first)
    do("add to deleted", "POST", "/%d/questions" % first, body={"conversation_id": first, "question": "gone"})
    do("list after", "GET", "")
    do("token after", "GET", "?filter_read_token=" + token)
    do("create after", "POST", "", body={"question": "again"})


def current(peer, record):
    def do(label, operation, body, role="owner", method="POST", **more):
        more.setdefault("client", None)
        answer = peer.ask(method, "/api/deepsearch.v1.Service/" + operation, role, body, **more)
        show(record, peer, label, answer)
        try:
            value = json.loads(answer[2])
        except ValueError:
            return {}
        return value.get("conversation", value) if isinstance(value, dict) else {}

    def nested(text):
        return {"parent": "users/~self", "conversation": {"questions": [{"input": [{"question": {"text": text}}]}]}}

    def create(text, role="owner"):
        return do("create " + text[:9], "CreateConversation", nested(text), role).get("name", "users/~self/conversations/8")
    name = create("where is it")
    question = {"input": [{"question": {"text": "and then"}}]}
    do("get", "GetConversation", {"name": name})
    time.sleep(0.35)
    for _ in range(3):
        do("get done", "GetConversation", {"name": name})
    do("add", "AddConversationQuestion", {"parent": name, "question": question})
    do("get during", "GetConversation", {"name": name})
    time.sleep(0.35)
    do("get added", "GetConversation", {"name": name})
    failing = [create(w) for w in peer.ready["failing_questions"].values()]
    time.sleep(0.35)
    for one in failing:
        do("get failed", "GetConversation", {"name": one})
    theirs = create("of another", "other")
    to_cancel = create("to cancel")
    do("cancel of other", "CancelConversation", {"name": to_cancel}, "other")
    do("cancel", "CancelConversation", {"name": to_cancel})
    do("get cancelled", "GetConversation", {"name": to_cancel})
    time.sleep(0.35)
    do("get cancelled", "GetConversation", {"name": to_cancel})
    do("cancel idle", "CancelConversation", {"name": name})
    do("flat", "CreateConversation", {"question": "flat"})
    do("list", "ListConversationSummaries", {"parent": "users/~self"})
    do("list of other", "ListConversationSummaries", {"parent": "users/~self"}, "other")
    do("old list", "ListConversations", {"parent": "users/~self"})
    for role in ("read", "write", "user_all", "unscoped", None):
        do("list as", "ListConversationSummaries", {"parent": "users/~self"}, role)
        do("create as", "CreateConversation", nested("scopes"), role)
    do("bearer", "GetConversation", {"name": name}, scheme="Bearer")
    do("get", "GetConversation?name=" + urllib.parse.quote(name if isinstance(name, str) else ""), None, method="GET")
    do("get other's", "GetConversation", {"name": theirs})
    do("add other's", "AddConversationQuestion", {"parent": theirs, "question": question})
    do("delete other's", "DeleteConversation", {"name": theirs})
    do("delete unscoped", "DeleteConversation", {"name": failing[0]}, "unscoped")
    running = create("still running")
    do("delete running", "DeleteConversation", {"name": running})
    do("delete", "DeleteConversation", {"name": name})
    do("get deleted", "GetConversation", {"name": name})
    do("list after", "ListConversationSummaries", {"parent": "users/~self"})


def migration(peer, record):
    for path in ("/api-reference", "/api-reference/index.html", "/api-reference/openapi.json", "/api-reference/openapi.yaml"):
        show(record, peer, path, peer.ask("GET", path, None))
    show(record, peer, "legacy", peer.ask("POST", "/.api/deepsearch/v1", body={"question": "please exceed the quota"}))
    show(record, peer, "add", peer.ask("POST", "/.api/deepsearch/v1/8/questions", body={"conversation_id": 8, "question": "x"}))
    time.sleep(0.35)
    show(record, peer, "got", peer.ask("GET", "/.api/deepsearch/v1/8"))
    show(record, peer, "new", peer.ask("POST", "/api/deepsearch.v1.Service/GetConversation",
                                       body={"name": "users/~self/conversations/8"}))


def run(api, kind=None, name=None):
    peer, record = Peer(kind, name), []
    try:
        {"stream": stream, "legacy": legacy, "current": current, "migration": migration}[api](peer, record)
    except (http.client.HTTPException, OSError, UnicodeError) as problem:
        record.append(("broken off", repr(problem)))
    return record, peer.end()


def differences(one, other):
    return [a[0] for a, b in zip(one, other) if a != b] + ["length"] * (len(one) != len(other))


def main():
    names, jobs = sys.argv[1:], 4
    if names[:1] == ["-j"]:
        jobs, names = int(names[1]), names[2:]
    rows = [r for r in deviations.table() if not names or r["name"] in names]
    failed = 0
    base = {}
    for api in sorted({r["api"] for r in rows}):
        base[api], again = run(api)[0], run(api)[0]
        for label in differences(base[api], again):
            print("not repeatable:", api, label)
            failed += 1

    def one(row):
        record, errors = run(row["api"], row["kind"], row["name"])
        return row, differences(record, base[row["api"]]), errors, record
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for row, labels, errors, record in pool.map(one, rows):
            if not labels or errors or any("broken off" in str(r[0]) for r in record):
                print("look:", row["name"], labels[:3], errors[:300], [r for r in record if "broken off" in str(r[0])])
                failed += 1
            elif names:
                print(row["name"], labels)
    print("%d entries, %d to look at" % (len(rows), failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
