"""What the document leaves open, in other ways than the server itself has chosen."""

import base64, json, random, time
from faults import (
    V,
    put,
    rm,
    done,
    proc,
    fu,
    fudone,
    inlist,
    onget,
    O,
    src,
    turn,
    stat,
    quota,
    lerr,
    cerr,
    status,
    ok,
    cdone,
    L_,
)
from server import CONV, Err, H, S, STATS, TOK, iso

V("read-writes", "5: scope read OR write must be carried", flags=["read-writes"])
V("create-200", "7: 200 success", resp=status(200, lambda x: L_(x) and x.st == 202))
V("all-202", "7: 202 accepted", resp=status(202, lambda x: L_(x) and ok(x) and x.op in ("delete", "cancel")))
V(
    "get-202-proc",
    "202 while processing (202 accepted, asynchronous)",
    resp=lambda x: (
        setattr(x, "st", 202)
        if L_(x) and x.op == "get" and ok(x) and any(q["status"] == "processing" for q in x.out["questions"])
        else None
    ),
)
V(
    "cancel-nobody",
    "response body: not shown",
    resp=lambda x: setattr(x, "raw", b"") if x.op == "cancel" and ok(x) else None,
)
V(
    "delete-nobody",
    "response body: not shown",
    resp=lambda x: setattr(x, "raw", b"") if x.op == "delete" and ok(x) else None,
)
V("delete-null", "body not shown", resp=lambda x: setattr(x, "raw", b"null") if x.op == "delete" and ok(x) else None)
V(
    "delete-true",
    "body not shown",
    resp=lambda x: setattr(x, "raw", b"true") if x.op in ("delete", "cancel") and ok(x) else None,
)
V(
    "delete-204",
    "7: status of DELETE (204 not among the codes; doubtful)",
    resp=status(204, lambda x: L_(x) and x.op in ("delete",) and ok(x)),
)
V(
    "cancel-question",
    "cancel answers the question",
    resp=lambda x: setattr(x, "out", x.out["questions"][-1]) if x.op == "cancel" and ok(x) else None,
)
V("cancel-empty", "cancel answers {}", resp=lambda x: setattr(x, "out", {}) if x.op == "cancel" and ok(x) else None)
V(
    "cancel-pending",
    "3.1: state after cancellation not shown: pending",
    lq=put("status", "pending", lambda x, c, q, d: q.st == "canceled"),
)


def vanish(x, c, d):
    d["questions"] = [a for a, q in zip(d["questions"], c.qs) if q.st != "canceled"]


V("cancel-removes-l", "3.1 state after cancellation not shown: question removed", lc=vanish)
V(
    "cancel-cancelled",
    "2.2 status one of three (so this is a doubtful variation): cancelled",
    lq=put("status", "cancelled", lambda x, c, q, d: q.st == "canceled"),
)
V(
    "cancel-processing",
    "3.1 stays processing in legacy",
    lq=put("status", "processing", lambda x, c, q, d: q.st == "canceled"),
)
V(
    "cancel-completed-answer",
    "completed with answer",
    lq=lambda x, c, q, d: (
        (d.pop("error", None), d.update(answer="Canceled.", sources=[], suggested_followups=[]))
        if q.st == "canceled"
        else None
    ),
)
V(
    "cancel-no-error-no-answer",
    "completed without answer or error",
    lq=lambda x, c, q, d: (d.pop("error", None), d.pop("title", None)) if q.st == "canceled" else None,
)
V(
    "cancel-partial",
    "a canceled current question carries a partial answer",
    cq=put("answer", "part", lambda x, c, q, d: q.st == "canceled"),
)
V(
    "list-bare",
    "list shape not shown: bare array",
    resp=lambda x: setattr(x, "out", x.out["conversations"]) if L_(x) and x.op == "list" and ok(x) else None,
)


def wrap(**m):
    def f(x):
        if L_(x) and x.op == "list" and ok(x):
            o = x.out
            c = o["page_info"]
            x.out = {m.get("w", "conversations"): o["conversations"]}
            if m.get("c"):
                x.out[m["c"]] = c["end_cursor"]

    return f


V("list-items", "wrapper items", resp=wrap(w="items", c="next_cursor"))
V("list-data", "wrapper data", resp=wrap(w="data", c="next"))
V("list-results", "wrapper", resp=wrap(w="results"))
V("list-nodes", "wrapper", resp=wrap(w="nodes", c="endCursor"))
V("list-odd", "wrapper", resp=wrap(w="gespraeche", c="weiter"))
V(
    "list-null-empty",
    "empty list is null",
    resp=lambda x: (
        x.out.__setitem__("conversations", None)
        if L_(x) and x.op == "list" and ok(x) and not x.out["conversations"]
        else None
    ),
)


def graph(x):
    if L_(x) and x.op == "list" and ok(x):
        o = x.out
        x.out = {"conversations": {"nodes": o["conversations"], "pageInfo": o["page_info"]}}


V("list-nested", "wrapper nested", resp=graph)
V(
    "list-slim",
    "list shape not shown: no questions in lists",
    lc=lambda x, c, d: [d.pop(k) for k in ("questions", "viewer", "quota_usage")] if x.op == "list" else None,
)
V(
    "list-slim2",
    "lists of ids only",
    lc=lambda x, c, d: (
        [d.pop(k) for k in list(d) if k not in ("id", "created_at", "updated_at")] if x.op == "list" else None
    ),
)
V(
    "no-viewer-but-get",
    "viewer present on retrieval only",
    lc=lambda x, c, d: [d.pop(k) for k in ("viewer", "quota_usage")] if x.op != "get" else None,
)
V(
    "viewer-extra",
    "additional members",
    lc=lambda x, c, d: d.update(x=1, viewer={"is_owner": c.u is x.u, "can": ["a"]}, starred=False, questions_count=9),
    lq=put("extra", {"a": [1]}),
    cq=put("extra", {"a": 1}),
    cc=put("zzz", [1]),
)
V(
    "members-sorted",
    "order of members",
    resp=lambda x: (
        setattr(x, "raw", json.dumps(x.out, sort_keys=True, indent=2).encode())
        if x.raw is None and x.i != "r"
        else None
    ),
)
V(
    "members-reversed",
    "order of members",
    resp=lambda x: (
        setattr(x, "raw", json.dumps(json.loads(json.dumps(x.out), object_pairs_hook=lambda p: dict(p[::-1]))).encode())
        if x.raw is None and x.i != "r"
        else None
    ),
)
V(
    "utf8-raw",
    "not escaped",
    resp=lambda x: (
        setattr(x, "raw", json.dumps(x.out, ensure_ascii=False).encode()) if x.raw is None and x.i != "r" else None
    ),
)
V(
    "esc-all",
    "letters escaped",
    resp=lambda x: (
        setattr(x, "raw", json.dumps(x.out).replace("test", "\\u0074est").replace("/", "\\/").encode())
        if x.raw is None and x.i != "r"
        else None
    ),
)
V("ct-charset", "charset", resp=lambda x: setattr(x, "ct", "application/json; charset=utf-8"))
V("ct-upper", "case", resp=lambda x: setattr(x, "ct", 'Application/JSON;Charset="UTF-8"'))
V(
    "ct-problem",
    "errors as problem+json",
    resp=lambda x: setattr(x, "ct", "application/problem+json") if x.st >= 400 else None,
)
V(
    "ct-text-errors",
    "shape of errors not shown: plain text",
    resp=lambda x: (
        (setattr(x, "ct", "text/plain; charset=utf-8"), setattr(x, "raw", b"no such conversation or no right to it\n"))
        if x.st >= 400
        else None
    ),
)
V(
    "err-str",
    "body of errors: a JSON string",
    resp=lambda x: setattr(x, "out", "not found or not allowed") if x.st >= 400 else None,
)
V(
    "err-nested",
    "errors nested",
    resp=lambda x: setattr(x, "out", {"error": {"code": 4, "detail": {"message": "why not"}}}) if x.st >= 400 else None,
)
V("err-list", "errors as list", resp=lambda x: setattr(x, "out", [{"message": "bad thing"}]) if x.st >= 400 else None)
V(
    "err-de",
    "message in other member",
    resp=lambda x: setattr(x, "out", {"meldung": "nicht gefunden, geht nicht"}) if x.st >= 400 else None,
)
V("id-big", "ids beyond 2^53", set={"first_id": 2**53 + 1, "step": 1})
V("id-2-31", "ids beyond 2^31", set={"first_id": 2**31 + 5, "step": 3})
V("id-neg", "negative ids, falling", set={"first_id": -5, "step": -1})
V("id-zero", "id 0", set={"first_id": 0})
V("id-fall", "ids fall", set={"first_id": 90000, "step": -7})
V(
    "id-exp",
    "integer as 4.1e1",
    resp=lambda x: (
        setattr(x, "raw", json.dumps(x.out).replace('"total_quota": ', '"total_quota": 0.1e1, "x": ').encode())
        if L_(x) and ok(x) and x.raw is None
        else None
    ),
)
V("id-dot0", "integer as 5.0", lc=quota("quota_limit", 1000.0))
for n, f in [
    ("nano", "%s.123456789Z"),
    ("sec", "%sZ"),
    ("plus0", "%s+00:00"),
    ("plus0000", "%s+0000"),
    ("minus0", "%s-00:00"),
    ("lower", "%sz"),
    ("micro", "%s.000001Z"),
    ("basic", None),
    ("space", "sp"),
    ("comma", "co"),
    ("week", "wk"),
]:

    def mk(f=f):
        def t(s):
            b = s[:19]
            if f is None:
                return b.replace("-", "").replace(":", "") + "Z"
            if f == "sp":
                return b.replace("T", " ") + "Z"
            if f == "co":
                return b + ",500Z"
            if f == "wk":
                return time.strftime("%G-W%V-%uT%H:%M:%SZ", time.strptime(b, "%Y-%m-%dT%H:%M:%S"))
            return (f % b).lower() if f.endswith("z") else f % b

        def lc(x, c, d):
            for k in ("created_at", "updated_at"):
                d[k] = t(d[k])
            d["quota_usage"]["reset_time"] = t(d["quota_usage"]["reset_time"])

        def lq(x, c, q, d):
            for k in ("created_at", "updated_at"):
                d[k] = t(d[k])

        return dict(lc=lc, lq=lq)

    V("ts-" + n, "2.1 ISO 8601 UTC", **mk())
V(
    "ts-const",
    "all timestamps equal",
    lc=lambda x, c, d: d.update(created_at="2026-01-01T00:00:00Z", updated_at="2026-01-01T00:00:00Z"),
    lq=lambda x, c, q, d: d.update(created_at="2026-01-01T00:00:00Z", updated_at="2026-01-01T00:00:00Z"),
    lorder=lambda x, r: sorted(r, key=lambda c: -c.id),
)
V(
    "clock-skew",
    "clock of server 3 h ahead",
    lc=lambda x, c, d: d.update(created_at=iso(c.t0 + 10800), updated_at=iso(c.up + 10800)),
    lq=lambda x, c, q, d: d.update(created_at=iso(q.t0 + 10800), updated_at=iso(q.t1 + 10800)),
)
V("reset-past", "reset_time past", lc=quota("reset_time", "2020-01-01T00:00:00Z"))
V("quota-neg", "integers: meaning not shown: -1 unlimited", lc=quota("quota_limit", -1))
V("quota-zero", "total_quota over limit", lc=lambda x, c, d: d["quota_usage"].update(total_quota=500, quota_limit=0))
V("quota-extra", "extra", lc=quota("bonus", {"a": 1}))
V("slow", "answers in 4 s", set={"lat": 4.0})
V("instant", "answers in 10 ms: processing never polled", set={"lat": 0.01})
V("tortoise", "answers in 12 s", set={"lat": 12.0})
V(
    "pending-first-poll",
    "3.1 transition into pending not shown: processing then pending then processing",
    lq=put("status", "pending", lambda x, c, q, d: proc(x, c, q, d) and x.op == "get" and q.polls % 2 == 0),
)
V("done-title", "title absent before; generated while processing", lq=put("title", "Early title", proc))
V("followups-empty", "completed: empty followups", lq=put("suggested_followups", [], done))
V("sources-empty-list", "no sources found: []", lq=put("sources", [], done))
V(
    "src-types",
    "unknown types of sources",
    lq=lambda x, c, q, d: (
        d["sources"].extend(
            [{"type": "Banana", "link": "/x y?z=1#f", "label": ""}, {"type": "", "link": "/", "label": "é", "more": 1}]
        )
        if done(x, c, q, d)
        else None
    ),
)
V("src-noslash", "instance-relative path without leading slash", lq=src("link", "github.com/a/b/-/blob/x.go#L1"))
V(
    "src-empty-err",
    "failed question has sources []",
    lq=lambda x, c, q, d: d.update(sources=[], answer="") if q.st == "error" else None,
)
V(
    "fail-title-miss",
    "title absent when failed (2.2 title: present once completed) doubtful",
    lq=rm("title", lambda x, c, q, d: q.st == "error"),
)
V(
    "turns-more",
    "more turns, other roles",
    lq=lambda x, c, q, d: (
        d["turns"].extend(
            [
                {"reasoning": "", "timestamp": int(time.time()), "role": "assistant", "tool": {"n": 1}},
                {"reasoning": "x", "timestamp": int(time.time()), "role": "tool"},
            ]
        )
        if x.op == "get"
        else None
    ),
)
V(
    "turns-gone",
    "turns present on a new question only",
    lq=rm("turns", lambda x, c, q, d: x.op not in ("create", "add")),
)
V(
    "turns-gone-old",
    "turns only on new question",
    lq=rm("turns", lambda x, c, q, d: not (x.op == "create" or x.op == "add" and q.idx == len(c.qs) - 1)),
)
V("turn-reason-empty", "reasoning empty", lq=turn("reasoning", ""))
V("turn-skew", "timestamp differs from created", lq=turn("timestamp", 5))
V(
    "turns-two-user",
    "two turns of user",
    lq=lambda x, c, q, d: d["turns"].append({"reasoning": "again", "timestamp": 1, "role": "user"}),
)
V("stats-extra", "extra stats", lq=stat("cost", 1.5, done))
V(
    "stats-some0",
    "some 0 at completion",
    lq=lambda x, c, q, d: d["stats"].update({k: 0 for k in STATS[1:]}) if done(x, c, q, d) else None,
)
V(
    "stats-fail",
    "filled on failure",
    lq=lambda x, c, q, d: d["stats"].update({k: 3 for k in STATS}) if q.st == "error" else None,
)
V("stats-late", "stats of a finished question: 1e3", lq=stat("total_tokens", 2**60, done))
V(
    "stats-cancel",
    "canceled: filled stats",
    lq=lambda x, c, q, d: d["stats"].update({k: 3 for k in STATS}) if q.st == "canceled" else None,
)
V("err-null-success", "error null on success", lq=put("error", None, lambda x, c, q, d: "error" not in d))
V(
    "nulls-proc",
    "absent members null while processing",
    lq=lambda x, c, q, d: d.update(title=None, sources=None, error=None) if proc(x, c, q, d) else None,
)
V("answer-null-proc", "answer null while processing (3.1 absent)", lq=put("answer", None, proc))
V("title-empty-proc", "title empty while processing", lq=put("title", "", proc))
V(
    "sources-proc",
    "sources while processing",
    lq=put("sources", [{"type": "Repository", "link": "/a", "label": "a"}], proc),
)
V("err-kinds", "other kinds", lq=lerr("kind", "x y/z"))
V(
    "err-empty-strs",
    "empty strings",
    lq=lambda x, c, q, d: d["error"].update(details="", message="", title="") if q.st == "error" else None,
)
V("err-more", "extra members of error", lq=lerr("retry", 5))
V("err-answer", "failed question with a partial answer", lq=put("answer", "part", lambda x, c, q, d: q.st == "error"))
V("conv-state", "conversation carries state too", flags=["conv-state"])


def onlyconv(x, c, d):
    for q in d["questions"]:
        q.pop("state", None)


V(
    "conv-state-only",
    "2.4 full schemas not shown; only the conversation carries state (doubtful)",
    flags=["conv-state"],
    cc=onlyconv,
)
V(
    "c-camel",
    "retryTime",
    cq=lambda x, c, q, d: (
        d["state"]["error"].__setitem__("retryTime", d["state"]["error"].pop("retry_time")) if q.st == "error" else None
    ),
)
V(
    "c-snake",
    "members snake_case",
    cc=lambda x, c, d: d.update(create_time=d.pop("createTime"), update_time=d.pop("updateTime")),
    cq=lambda x, c, q, d: d.__setitem__("create_time", d.pop("createTime")),
)
V("c-nocreate", "no times", cc=lambda x, c, d: [d.pop("createTime"), d.pop("updateTime")], cq=rm("createTime"))
V("c-noinput", "no input (schemas not shown)", cq=rm("input"))
V("c-ts-obj", "retry_time as {seconds,nanos} (a timestamp)", cq=cerr("retry_time", {"seconds": 1830000000, "nanos": 0}))
V("c-ts-num", "retry_time as number", cq=cerr("retry_time", 1830000000))
V("c-ts-numstr", "retry_time as string of int64", cq=cerr("retry_time", "1830000000"))
V(
    "c-retry-null",
    "retry_time null",
    cq=lambda x, c, q, d: d["state"]["error"].__setitem__("retry_time", None) if q.st == "error" else None,
)
V("c-retry-past", "retry_time past", cq=cerr("retry_time", "2001-01-01T00:00:00.000Z"))
V("c-retry-zone", "retry_time with a zone (timestamp)", cq=cerr("retry_time", "2028-01-01T02:00:00+02:00"))
V("c-msg-empty", "message empty", cq=cerr("message", ""))
V("c-err-extra", "extra", cq=cerr("x", [1]))
V(
    "c-state-extra",
    "state values carry members",
    cq=lambda x, c, q, d: d.__setitem__(
        "state", {k: dict(v, progress=3, step={"a": 1}) for k, v in d["state"].items()}
    ),
)
V("c-answer-early", "answer while processing (current: not said)", cq=put("answer", "", proc))
V("c-stats", "stats in current as strings", cq=put("stats", {"totalTokens": "15"}))
V("c-input-rich", "input with more entries", cq=lambda x, c, q, d: d["input"].append({"context": {"repo": "a"}}))
V(
    "c-list-wrap",
    "wrapper conversations",
    resp=lambda x: (
        x.out.__setitem__("conversations", x.out.pop("conversationSummaries"))
        if x.i == "c" and x.op == "list" and ok(x)
        else None
    ),
)
V(
    "c-list-odd",
    "wrapper odd",
    resp=lambda x: (
        setattr(x, "out", {"liste": x.out["conversationSummaries"], "weiter": x.out["nextPageToken"]})
        if x.i == "c" and x.op == "list" and ok(x)
        else None
    ),
)
V(
    "c-list-bare",
    "bare",
    resp=lambda x: (
        setattr(x, "out", x.out["conversationSummaries"]) if x.i == "c" and x.op == "list" and ok(x) else None
    ),
)
V(
    "c-list-empty-omitted",
    "proto3: empty list omitted",
    resp=lambda x: (
        x.out.pop("conversationSummaries")
        if x.i == "c" and x.op == "list" and ok(x) and not x.out["conversationSummaries"]
        else None
    ),
)
V(
    "c-list-conv",
    "summaries nested",
    resp=lambda x: (
        setattr(x, "out", {"conversationSummaries": [{"conversation": s} for s in x.out["conversationSummaries"]]})
        if x.i == "c" and x.op == "list" and ok(x)
        else None
    ),
)
V(
    "c-list-snake",
    "snake",
    resp=lambda x: (
        setattr(
            x,
            "out",
            {"conversation_summaries": x.out["conversationSummaries"], "next_page_token": x.out["nextPageToken"]},
        )
        if x.i == "c" and x.op == "list" and ok(x)
        else None
    ),
)
V("c-list-state", "summaries carry state", cs=put("state", lambda x, c, d: {c.qs[-1].st: {}}))
V("c-list-fullname", "summaries full", cs=put("questions", lambda x, c, d: []))


def wrapc(x):
    if x.i == "c" and ok(x) and x.op in ("create", "get", "add", "cancel"):
        x.out = {"conversation": x.out}


V("c-wrapped", "response {conversation: ...} (schemas not shown)", resp=wrapc)
V(
    "c-add-question",
    "AddConversationQuestion answers the question",
    resp=lambda x: setattr(x, "out", x.out["questions"][-1]) if x.i == "c" and x.op == "add" and ok(x) else None,
)
V(
    "c-add-qwrap",
    "answers {question}",
    resp=lambda x: (
        setattr(x, "out", {"question": x.out["questions"][-1]}) if x.i == "c" and x.op == "add" and ok(x) else None
    ),
)
V("c-add-empty", "answers {}", resp=lambda x: setattr(x, "out", {}) if x.i == "c" and x.op == "add" and ok(x) else None)
V(
    "c-self-names",
    "names users/~self/...",
    cc=put("name", lambda x, c, d: "users/~self/conversations/%d" % c.id),
    cs=put("name", lambda x, c, d: "users/~self/conversations/%d" % c.id),
)
V(
    "c-201",
    "status 201 of current create (codes not shown)",
    resp=lambda x: setattr(x, "st", 201) if x.i == "c" and x.op == "create" and ok(x) else None,
)
V(
    "c-202",
    "status 202",
    resp=lambda x: setattr(x, "st", 202) if x.i == "c" and x.op in ("create", "add", "cancel") and ok(x) else None,
)
V("c-204", "delete 204", resp=lambda x: setattr(x, "st", 204) if x.i == "c" and x.op == "delete" and ok(x) else None)
V(
    "c-unauth-403",
    "current refuses with 403",
    resp=lambda x: setattr(x, "st", 403) if x.i == "c" and x.st == 401 else None,
)
V("c-scope-404", "wrong scope 401", resp=lambda x: setattr(x, "st", 401) if x.i == "c" and x.st == 403 else None)
V("c-nf-403", "unknown name 403", resp=lambda x: setattr(x, "st", 403) if x.i == "c" and x.st == 404 else None)
V("c-nf-400", "unknown 400", resp=lambda x: setattr(x, "st", 400) if x.i == "c" and x.st == 404 else None)
V(
    "l-other-403",
    "another user's: 403 (code not in list)",
    resp=lambda x: setattr(x, "st", 403) if L_(x) and x.st == 404 and x.u and x.u.id == 8 else None,
)
V(
    "l-other-401",
    "another user's: 401",
    resp=lambda x: setattr(x, "st", 401) if L_(x) and x.st == 404 and x.u and x.u.id == 8 else None,
)
V(
    "oauth-legacy-refused",
    "5.1 legacy: the token is a user access token",
    authed=lambda x: (
        (_ for _ in ()).throw(Err(401, "an access token is needed")) if x.i == "l" and x.kind == "oauth" else None
    ),
)
V(
    "oauth-current-refused",
    "5 new: The access token must carry",
    authed=lambda x: (
        (_ for _ in ()).throw(Err(401, "an access token is needed")) if x.i == "c" and x.kind == "oauth" else None
    ),
)
V(
    "need-xrw",
    "5.2 legacy refuses without X-Requested-With",
    authed=lambda x: (
        (_ for _ in ()).throw(Err(400, "X-Requested-With"))
        if x.i == "l" and not x.h.headers.get("x-requested-with")
        else None
    ),
)


def bearer(x):
    a = x.h.headers.get("authorization") or ""
    if x.i == "c" and a.startswith("token "):
        raise Err(401, "use Bearer", "unauthenticated")


V("bearer-only", "5 form of Authorization for the new interface not shown: Bearer only", gate=bearer)


def token_any(x):
    a = x.h.headers.get("authorization") or ""
    t = TOK.get(a.split()[-1]) if a else None
    if x.i == "l" and t:
        x.u, x.kind, x.scopes = t
        x.tok = a.split()[-1]
        return True


V("l-bearer-too", "legacy takes Bearer too", gate=token_any)
V("page-cap", "maximum page size not shown: 2", set={"cap": 2})
V("page-cap1", "maximum page 1", set={"cap": 1})
V("page-fewer", "pages one smaller than asked when >1", lorder=None or (lambda x, r: None))
V(
    "next-noinfo",
    "no cursor shown at all",
    resp=lambda x: x.out.pop("page_info") if L_(x) and x.op == "list" and ok(x) else None,
)
V(
    "link-header",
    "cursor in a Link header",
    resp=lambda x: (
        (
            (
                x.hdr.__setitem__(
                    "Link",
                    '<%s/.api/deepsearch/v1?page_first=1&page_after=%s>; rel="next"'
                    % (x.base, x.out["page_info"]["end_cursor"]),
                )
                if x.out["page_info"]["has_next_page"]
                else None
            ),
            x.out.pop("page_info"),
        )
        if L_(x) and x.op == "list" and ok(x)
        else None
    ),
)
V(
    "cursor-always",
    "the cursor is given on the last page too",
    resp=lambda x: (
        x.out["page_info"].__setitem__(
            "end_cursor", base64.b64encode(b"c:%d" % x.out["conversations"][-1]["id"]).decode()
        )
        if L_(x) and x.op == "list" and ok(x) and x.out["conversations"]
        else None
    ),
)
V("fu-conflict", "a follow-up while processing is refused 400", authed=lambda x: None)


def cancel_refused_fu(x):
    pass


V(
    "rt-in-query",
    "share_url with the token in a query, escaped",
    lc=lambda x, c, d: d.update(share_url="https://other.example/s?t=%s&u=1#x" % c.rt),
)
V(
    "rt-encoded",
    "token with + and / percent-encoded in share_url",
    lc=lambda x, c, d: d.update(read_token=c.rt + "+/=", share_url="http://h/s/" + c.rt + "%2B%2F%3D"),
    gate=lambda x: (
        x.q.__setitem__("filter_read_token", [x.q["filter_read_token"][0].rstrip("= /+")])
        if "filter_read_token" in x.q
        else None
    ),
)
V("share-rel", "share_url relative", lc=put("share_url", lambda x, c, d: "/s/" + c.rt))
V(
    "rt-nonown",
    "read_token is empty in others' views",
    lc=lambda x, c, d: d.update(read_token="", share_url="") if x.u is not c.u else None,
)
V(
    "user-big",
    "user ids huge",
    lc=put("user_id", 2**40 + 7),
    gate=lambda x: x.q.__setitem__("filter_user_id", ["7"]) if x.q.get("filter_user_id") == [str(2**40 + 7)] else None,
)
V("qid-str-neg", "question ids negative, unordered", lq=None) if False else None
V("title-same", "titles equal text", lq=put("title", lambda x, c, q, d: q.text[:200], done))
V(
    "answer-long",
    "answers of 1 MB",
    lq=put("answer", lambda x, c, q, d: d["answer"] + "é" * 300000, done),
    cq=put("answer", lambda x, c, q, d: d["answer"] + "é" * 300000, cdone),
)
V("answer-html-md", "markdown with html", lq=put("answer", "<b>x</b>", done), cq=put("answer", "<b>x</b>", cdone))
V("starred-empty", "filter false", lorder=lambda x, r: None)
V("shoff", "sharing off")
V(
    "ref-yaml",
    "OpenAPI as YAML",
    resp=lambda x: (
        (
            setattr(x, "ct", "application/yaml"),
            setattr(x, "raw", b'openapi: 3.1.0\ninfo: {title: a, version: "1"}\npaths: {}\n'),
        )
        if x.op == "ref"
        else None
    ),
)
V(
    "ref-direct",
    "JSON at once",
    resp=lambda x: (
        (setattr(x, "ct", "application/json"), setattr(x, "raw", json.dumps(x.out).encode())) if x.op == "ref" else None
    ),
)
V(
    "ref-script",
    "reference finds its schema by a script",
    resp=lambda x: (
        setattr(x, "raw", b'<html><script>Scalar({url:"/api-reference/openapi.json"})</script></html>')
        if x.op == "ref" and x.ct == "text/html"
        else None
    ),
)
V(
    "ref-auth",
    "reference behind a login",
    resp=lambda x: setattr(x, "st", 401) if x.op == "ref" and not x.h.headers.get("authorization") else None,
)
V("ref-noleg", "OpenAPI without some (dot) prefix", resp=None or (lambda x: None))
V("chunked", "connection: close", resp=lambda x: x.hdr.__setitem__("connection", "close"))
V(
    "etag",
    "etags, cache headers, cookies",
    resp=lambda x: x.hdr.update(
        {
            "ETag": '"x"',
            "Cache-Control": "no-store",
            "Set-Cookie": "a=b",
            "Deprecation": "true",
            "Sunset": "Sat, 1 Jan 2028 00:00:00 GMT",
        }
    ),
)
V("del-twice-200", "delete is idempotent", authed=lambda x: None)
V("other-deleted-403", "after deletion 404 with the owner", resp=lambda x: None)


def replica(x, c, d):
    """Reads show what was there a quarter of a second ago."""
    if x.op not in ("get", "list"):
        return
    then = time.time() - 0.25
    seen = max(1, sum(q.t0 <= then for q in c.qs))
    d["questions"] = d["questions"][:seen]
    changed = [c.t0]
    for q, shown in zip(c.qs, d["questions"]):
        late = q.st != "processing" and q.t1 > then
        changed += [q.t0] if late else [q.t0, q.t1]
        if late:
            for member in ("title", "answer", "sources", "error"):
                shown.pop(member, None)
            if "status" in shown:
                shown.update(
                    status="processing", suggested_followups=None, stats={k: 0 for k in STATS}, updated_at=iso(q.t0)
                )
            if "state" in shown:
                shown["state"] = {"processing": {}}
    for member in ("updated_at", "updateTime"):
        if member in d:
            d[member] = iso(max(changed))
    if d.get("state"):
        d["state"] = dict(d["questions"][-1]["state"])


V("replica-lag", "no sentence says that a read shows every write before it: 250 ms late", lc=replica, cc=replica)
V(
    "cancel-receipt",
    "response body: not shown; 202 accepted",
    resp=lambda x: (
        (setattr(x, "st", 202), setattr(x, "out", {"status": "accepted"})) if x.op == "cancel" and ok(x) else None
    ),
)
V(
    "cancel-receipt-id",
    "response body: not shown, an id in it",
    resp=lambda x: (
        setattr(x, "out", {"id": x.c.qs[-1].id, "name": "operations/7", "status": "accepted"})
        if x.op == "cancel" and ok(x)
        else None
    ),
)


def done_without_effect(x):
    if x.u and x.u.name == "bob" and x.st == 404 and x.op in ("delete", "cancel"):
        x.st = 200
        x.out = {}


V("other-done-200", "5: another user's delete and cancel are answered with 200, without effect", resp=done_without_effect)


def after_other_end(x):
    if x.op != "add":
        return
    named = x.path.split("/")[4] if x.i == "l" else str(x.obj().get("parent") or x.obj().get("name")).split("/")[-1]
    c = CONV.get(int(named)) if named.isdigit() else None
    if c and c.u is x.u and c.qs[-1].st in ("canceled", "error"):
        raise Err(400, "the conversation has ended", "failed_precondition")


V("fu-after-other-end", "no sentence says that a canceled or failed conversation takes a question", authed=after_other_end)


def snake_pages(x, d, page, after):
    d["conversation_summaries"] = d.pop("conversationSummaries")
    d["next_page_token"] = d.pop("nextPageToken")


def snake_only(x, r):
    for member in ("pageSize", "pageToken"):
        x.b.pop(member, None)


V("c-page-token", "4.2: request schemas not shown: page_size and page_token alone", cl=snake_pages, corder=snake_only)


def describe_pages(x):
    if x.op == "ref" and isinstance(x.out, dict):
        x.out = json.loads(json.dumps(x.out))
        listed = x.out["paths"]["/api/deepsearch.v1.Service/ListConversationSummaries"]["post"]
        schema = listed["requestBody"]["content"]["application/json"]["schema"]
        schema["properties"] = {"parent": {}, "page_size": {"type": "integer"}, "page_token": {"type": "string"}}


V(
    "c-page-token-described",
    "4.2, 9: request schemas not shown: page_size and page_token alone, in the OpenAPI schema",
    corder=snake_only,
    resp=describe_pages,
)


def odd_pages(x, r):
    snake_only(x, r)
    for member in ("page_size", "page_token"):
        x.b.pop(member, None)
    if x.b.get("from"):
        x.b["pageToken"] = x.b["from"]


V("c-page-odd", "4.2: request schemas not shown: a page is asked for by `from`, and holds two", corder=odd_pages, set={"cap": 2})
