"""What the server can do otherwise: each fault breaks one sentence of the document, each variation none."""

import base64, json, random, re, sys, time
import server
from server import CONV, Err, H, L, S, STATS, TOK, hook, iso, settle

FAULTS = {}
VARS = {}


def F(name, sent, **h):
    FAULTS[name] = (sent, h)


def V(name, why, **h):
    VARS[name] = (why, h)


yes = lambda *a: True


def put(k, v, cond=yes):  # member k of the object := v (may be callable of x, c, [q,] d)
    def f(*a):
        if cond(*a):
            a[-1][k] = v(*a) if callable(v) else v

    return f


def rm(k, cond=yes):
    def f(*a):
        if cond(*a):
            a[-1].pop(k, None)

    return f


done = lambda x, c, q, d: q.st == "completed"
proc = lambda x, c, q, d: q.st == "processing"
fu = lambda x, c, q, d: q.idx > 0
fudone = lambda x, c, q, d: q.idx > 0 and q.st == "completed"
inlist = lambda x, *a: x.op == "list"
onget = lambda x, *a: x.op == "get"


class B:
    def __getattr__(s, op):
        return lambda x, *a: x.op == op


O = B()


def src(k, v, cond=done):
    def f(x, c, q, d):
        if cond(x, c, q, d) and d.get("sources"):
            if v is None:
                d["sources"][-1].pop(k, None)
            else:
                d["sources"][-1][k] = v

    return f


def turn(k, v, cond=yes):
    def f(x, c, q, d):
        if cond(x, c, q, d):
            if v is None:
                d["turns"][0].pop(k, None)
            else:
                d["turns"][0][k] = v(d["turns"][0][k]) if callable(v) else v

    return f


def stat(k, v, cond=yes):
    def f(x, c, q, d):
        if cond(x, c, q, d):
            if v is None:
                d["stats"].pop(k, None)
            else:
                d["stats"][k] = v

    return f


def quota(k, v, cond=yes):
    def f(x, c, d):
        if cond(x, c, d):
            if v is None:
                d["quota_usage"].pop(k, None)
            else:
                d["quota_usage"][k] = v

    return f


def lerr(k, v, cond=lambda x, c, q, d: q.st == "error"):
    def f(x, c, q, d):
        if cond(x, c, q, d):
            if v is None:
                d["error"].pop(k, None)
            else:
                d["error"][k] = v

    return f


def cerr(k, v, cond=lambda x, c, q, d: q.st == "error"):
    def f(x, c, q, d):
        if cond(x, c, q, d):
            e = d["state"]["error"]
            if v is None:
                e.pop(k, None)
            else:
                e[k] = v

    return f


def status(n, cond):
    def f(x):
        if cond(x):
            x.st = n

    return f


def L_(x):
    return x.i == "l"


ok = lambda x: x.st < 300
# --- 1
F(
    "no-fu-store",
    "1: Follow-up questions are added to it",
    flags=[],
    lc=lambda x, c, d: (
        d.__setitem__("questions", d["questions"][:1]) if x.op == "get" and len(d["questions"]) > 1 else None
    ),
)
F("fu-front", "1: A conversation holds an ordered list of questions", lc=lambda x, c, d: d["questions"].reverse())
F(
    "fu-front-get-done",
    "1: ordered list of questions",
    lc=lambda x, c, d: d["questions"].reverse() if x.op == "get" and all(q.st != "processing" for q in c.qs) else None,
)
F(
    "fu-front-list",
    "1: ordered list of questions",
    lc=lambda x, c, d: d["questions"].reverse() if x.op == "list" else None,
)
F("fu-front-cur", "1: ordered", cc=lambda x, c, d: d["questions"].reverse() if x.op == "get" else None)
F(
    "fu-front-cur-migr",
    "1: ordered (legacy-created conversations through current)",
    cc=lambda x, c, d: d["questions"].reverse() if x.b.get("name", "").startswith("users/~self") else None,
)
F(
    "create-blocks-done",
    "1: Creating a conversation ... returns at once with the question in progress",
    lq=put("status", "completed", lambda x, c, q, d: x.op == "create" and q.st == "processing"),
)
F(
    "add-pending",
    "3.1 (none) create or add -> processing",
    lq=put("status", "pending", lambda x, c, q, d: x.op == "add" and q.st == "processing" and q.idx == len(c.qs) - 1),
)
F("create-pending", "3.1 (none) -> processing", lq=put("status", "pending", lambda x, c, q, d: x.op == "create"))
F("never-done", "1: polls until terminal", flags=["never-done"])
F(
    "fu-cur-state-done",
    "3.2 (none) Add -> processing",
    cq=put("state", {"completed": {}}, lambda x, c, q, d: x.op == "add" and q.st == "processing"),
)
# --- 2.1
for n, k, v in [
    ("id-str", "id", lambda x, c, d: str(c.id)),
    ("id-float", "id", lambda x, c, d: c.id + 0.5),
    ("user-str", "user_id", "7"),
    ("created-num", "created_at", 1700000000),
    ("updated-offset", "updated_at", "2026-11-23T12:00:00+02:00"),
    ("created-nozone", "created_at", lambda x, c, d: d["created_at"][:-1]),
    ("created-date", "created_at", lambda x, c, d: d["created_at"][:10]),
    ("created-rfc1123", "created_at", "Mon, 23 Nov 2026 11:00:00 GMT"),
    ("created-badday", "created_at", "2026-02-30T11:00:00Z"),
    ("created-h25", "created_at", "2026-02-20T25:00:00Z"),
    ("rt-num", "read_token", 12345),
    ("rt-null", "read_token", None),
    ("share-null", "share_url", None),
    ("viewer-null", "viewer", None),
]:
    F("c-" + n, "2.1 " + k, lc=put(k, v))
    F("c-" + n + "-list", "2.1 " + k + " only in lists", lc=put(k, v, inlist))
for k in "id questions created_at updated_at user_id read_token share_url viewer quota_usage".split():
    F("c-no-" + k, "2.1 " + k, lc=rm(k, onget))
F("c-no-rt-list", "2.1 read_token", lc=rm("read_token", inlist))
F("c-no-q-list", "2.1 questions", lc=rm("questions", inlist))
F("c-no-user-add", "2.1 user_id", lc=rm("user_id", O.add))
F("c-no-share-create", "2.1 share_url", lc=rm("share_url", O.create))
F("c-q-null-list", "2.1 questions", lc=put("questions", None, inlist))
F("c-user-other-list", "2.1 user_id owner", lc=put("user_id", 8, inlist))
F("c-user-other-get", "2.1 user_id owner", lc=put("user_id", 8, onget))
F("c-user-other-fu", "2.1 user_id owner", lc=put("user_id", 8, lambda x, c, d: len(c.qs) > 1))
F("c-user-viewer", "2.1 user_id owner (the viewer for another user)", lc=put("user_id", lambda x, c, d: x.u.id))
F(
    "c-share-other",
    "2.1 read_token also appears inside share_url",
    lc=put("share_url", lambda x, c, d: x.base + "/s/" + c.rt[:-1]),
)
F("c-share-list", "2.1 read_token inside share_url", lc=put("share_url", "http://h/s/1", inlist))
F(
    "c-share-upper",
    "2.1",
    lc=put("share_url", lambda x, c, d: (x.base + "/s/" + c.rt).upper(), lambda x, c, d: x.op == "cancel"),
)
F(
    "c-rt-changes-done",
    "2.1 token that grants read access (changes once completed)",
    lc=lambda x, c, d: (
        d.update(read_token=c.rt + "x", share_url=d["share_url"] + "x")
        if x.op == "get" and c.qs[0].st == "completed"
        else None
    ),
)
F(
    "c-rt-dead",
    "2.1 token that grants read access: reads nothing (owner)",
    gate=lambda x: x.q.__setitem__("filter_read_token", ["nope"]) if "filter_read_token" in x.q else None,
)
F(
    "c-rt-dead-other",
    "2.1/5.3 read token grants nothing to second user",
    authed=lambda x: (
        x.q.__setitem__("filter_read_token", ["nope"]) if "filter_read_token" in x.q and x.u.id == 8 else None
    ),
)
F("c-owner-str", "2.1 viewer {is_owner: boolean}", lc=put("viewer", {"is_owner": "true"}, onget))
F("c-owner-false", "2.1 viewer", lc=put("viewer", {"is_owner": False}, onget))
F("c-owner-true-other", "2.1 viewer", lc=put("viewer", {"is_owner": True}))
F("c-owner-miss", "2.1", lc=put("viewer", {}, onget))
F("c-owner-false-fu", "2.1", lc=put("viewer", {"is_owner": False}, lambda x, c, d: len(c.qs) > 1 and x.op == "get"))
F("c-owner-false-list", "2.1", lc=put("viewer", {"is_owner": False}, lambda x, c, d: x.op == "list" and x.u is c.u))
for k in ("total_quota", "quota_limit", "reset_time"):
    F("quota-no-" + k, "2.1 quota_usage", lc=quota(k, None, onget))
F("quota-limit-str", "2.1", lc=quota("quota_limit", "1000"))
F("quota-total-float", "2.1", lc=quota("total_quota", 1.5))
F("quota-reset-num", "2.1", lc=quota("reset_time", 1830000000))
F("quota-reset-date", "2.1", lc=quota("reset_time", "2028-01-01"))
F("quota-total-null", "2.1", lc=quota("total_quota", None and 0))
F("quota-reset-zone", "2.1", lc=quota("reset_time", "2028-01-01T00:00:00+01:00", onget))
F("quota-limit-str-list", "2.1", lc=quota("quota_limit", "1000", inlist))
F("quota-reset-bad-list", "2.1", lc=quota("reset_time", "soon", inlist))
F("quota-null", "2.1/8", lc=put("quota_usage", None, onget))
F(
    "quota-miss-proc",
    "2.1 present on retrieval (only while processing)",
    lc=rm("quota_usage", lambda x, c, d: x.op == "get" and c.qs[-1].st == "processing"),
)
F("viewer-miss-fu", "2.1", lc=rm("viewer", lambda x, c, d: x.op == "get" and len(c.qs) > 1))
F("quota-miss-fail", "2.1", lc=rm("quota_usage", lambda x, c, d: x.op == "get" and c.qs[-1].st == "error"))
# --- 2.2
F("q-id-str", "2.2 id", lq=put("id", lambda x, c, q, d: str(q.id), fu))
F("q-id-same", "2.2 question identifier (same for both)", lq=put("id", lambda x, c, q, d: c.qs[0].id))
F(
    "q-id-idx",
    "2.2 question identifier: position, changes on each poll",
    lq=put("id", lambda x, c, q, d: q.id + 1000 * q.dp),
)
F("q-id-list", "2.2 id", lq=put("id", lambda x, c, q, d: q.id + 1, inlist))
F(
    "q-id-global-1",
    "2.2 question identifier: 1 in every conversation",
    lq=put("id", 1, lambda x, c, q, d: x.op == "list"),
)
F("q-cid-list", "2.2 parent", lq=put("conversation_id", 1, inlist))
F("q-cid-fu", "2.2 parent", lq=put("conversation_id", lambda x, c, q, d: q.id, fu))
F("q-cid-str", "2.2", lq=put("conversation_id", lambda x, c, q, d: str(c.id), done))
F("q-cid-cancel", "2.2", lq=put("conversation_id", 0, O.cancel))
F(
    "q-text-trim",
    "2.2 question the question text",
    lq=put("question", lambda x, c, q, d: q.text[:10] + q.text[11:], done),
)
F("q-text-list", "2.2", lq=put("question", lambda x, c, q, d: q.text[:30], inlist))
F("q-text-fu", "2.2", lq=put("question", lambda x, c, q, d: c.qs[0].text, fu))
F("q-text-lower", "2.2", lq=put("question", lambda x, c, q, d: q.text.lower(), fudone))
F("q-text-long", "2.2 question text cut at 80000", lq=put("question", lambda x, c, q, d: q.text[:20000]))
F("q-text-null-cancel", "2.2", lq=put("question", None, lambda x, c, q, d: q.st == "canceled"))
F(
    "q-text-escape",
    "2.2 question text: html escaped",
    lq=put("question", lambda x, c, q, d: q.text.replace("[", "&#91;"), onget),
)
F("q-created-zone", "2.2 UTC", lq=put("created_at", "2026-11-23T13:00:00+02:00"))
F("q-updated-num", "2.2", lq=put("updated_at", lambda x, c, q, d: q.t1, fudone))
F("q-updated-miss", "2.2", lq=rm("updated_at", proc))
F("q-created-now", "2.2 created_at changes each read", lq=put("created_at", lambda *a: iso(time.time())))
F("q-created-shift-done", "2.2", lq=put("created_at", lambda x, c, q, d: iso(q.t1), done))
F("q-updated-before", "2.2 updated_at before created_at", lq=put("updated_at", "2020-01-01T00:00:00Z"))
F("c-updated-before", "2.1 updated_at before created_at", lc=put("updated_at", "2020-01-01T00:00:00Z"))
F(
    "c-updated-back",
    "2.1 updated_at falls after completion",
    lc=put("updated_at", lambda x, c, d: iso(c.t0 - 5), lambda x, c, d: c.qs[0].st == "completed"),
)
F("c-created-list", "2.1 created_at", lc=put("created_at", "2020-01-01T00:00:00Z", inlist))
F("c-created-future", "2.1 created_at year 2099", lc=put("created_at", "2099-01-01T00:00:00Z"))
F("c-created-const", "2.1 created_at always the epoch", lc=put("created_at", "1970-01-01T00:00:00Z"))
F("q-status-done", "2.2 status", lq=put("status", "done", done))
F("q-status-err", "3.1 no separate error status", lq=put("status", "error", lambda x, c, q, d: q.st == "error"))
F("q-status-err-list", "3.1", lq=put("status", "failed", lambda x, c, q, d: q.st == "error" and x.op == "list"))
F("q-status-upper", "2.2", lq=put("status", "Completed", done))
F(
    "q-status-null-fu",
    "2.2",
    lq=put("status", None, lambda x, c, q, d: q.idx > 0 and q.st == "processing" and x.op == "get"),
)
F("q-status-list", "2.2", lq=put("status", "finished", lambda x, c, q, d: x.op == "list" and q.st == "completed"))
F(
    "q-status-cancelled-list",
    "2.2 one of",
    lq=put("status", "cancelled", lambda x, c, q, d: q.st == "canceled" and x.op == "list"),
)
F("q-no-title", "2.2 title present once completed", lq=rm("title", done))
F("q-no-title-fu", "2.2", lq=rm("title", fudone))
F("q-no-title-list", "2.2", lq=rm("title", lambda x, c, q, d: x.op == "list" and done(x, c, q, d)))
F("q-title-num", "2.2", lq=put("title", 5, done))
F("q-title-null-fu", "2.2", lq=put("title", None, fudone))
F("q-title-fail", "2.2 title present once completed (failed)", lq=rm("title", lambda x, c, q, d: q.st == "error"))
F("q-no-answer-fu", "2.2 answer", lq=rm("answer", fudone))
F("q-answer-list-array", "2.2", lq=put("answer", ["x"], done))
F("q-answer-null", "2.2", lq=put("answer", None, fudone))
F("q-answer-empty", "3.1 answer is filled", lq=put("answer", "", done))
F("q-answer-early", "3.1 answer absent", lq=put("answer", "part", lambda x, c, q, d: proc(x, c, q, d) and q.polls > 1))
F("q-answer-early-fu", "3.1", lq=put("answer", "", lambda x, c, q, d: proc(x, c, q, d) and q.idx > 0 and x.op == "add"))
F(
    "q-answer-first-get",
    "2.2 present when completed (missing at first read)",
    lq=rm("answer", lambda x, c, q, d: done(x, c, q, d) and q.dp == 1),
)
F("q-answer-list", "2.2", lq=rm("answer", lambda x, c, q, d: x.op == "list" and done(x, c, q, d)))
F(
    "q-answer-grows",
    "derived: finished answer changes",
    lq=put("answer", lambda x, c, q, d: d["answer"] + str(q.dp), done),
)
F("q-answer-changes-list", "derived", lq=put("answer", "short", lambda x, c, q, d: x.op == "list" and done(x, c, q, d)))
F("q-answer-html", "1: The answer is markdown text", lq=put("answer", "<html><body>hi</body></html>", done))
F("q-no-sources", "2.2", lq=rm("sources", done))
F("q-no-sources-fu", "2.2", lq=rm("sources", fudone))
F("q-sources-null", "2.2", lq=put("sources", None, done))
F("q-sources-obj", "2.2", lq=put("sources", {}, fudone))
F("q-sources-empty-always", "1: answer is markdown plus a list of sources (empty)", lq=put("sources", [], done))
F("q-sources-strs", "2.2", lq=put("sources", ["/a"], done))
for n, k, v in [
    ("abs", "link", "https://example.com/a"),
    ("protorel", "link", "//example.com/a"),
    ("num", "link", 4),
    ("norm", "link", None),
    ("notype", "type", None),
    ("typenum", "type", 1),
    ("nolabel", "label", None),
    ("labelnull", "label", ["x"]),
    ("js", "link", "javascript:alert(1)"),
    ("empty", "link", ""),
    ("abs-up", "link", "HTTP://h/a"),
]:
    F("src-" + n, "2.2 source", lq=src(k, v))
F("src-fu", "2.2 source", lq=src("link", "https://x/a", fudone))
F("src-list", "2.2", lq=src("label", None, lambda x, c, q, d: x.op == "list"))
F(
    "src-second",
    "2.2 only the second source",
    lq=lambda x, c, q, d: (
        d["sources"].append({"type": "File", "link": "https://evil/a", "label": "a"}) if done(x, c, q, d) else None
    ),
)
F(
    "src-link-null2",
    "2.2",
    lq=lambda x, c, q, d: (
        d["sources"].append({"type": "File", "link": None, "label": "a"}) if done(x, c, q, d) else None
    ),
)
F("turn-none", "2.2 turns present on a new question", lq=rm("turns", lambda x, c, q, d: x.op == "create"))
F("turn-none-fu", "2.2", lq=rm("turns", lambda x, c, q, d: x.op == "add" and q.idx == len(c.qs) - 1))
F("turn-null", "2.2", lq=put("turns", None, lambda x, c, q, d: x.op == "add"))
F("turn-empty", "2.2", lq=put("turns", [], lambda x, c, q, d: x.op == "create"))
F("turn-ms", "2.2 Unix seconds", lq=turn("timestamp", lambda t: t * 1000))
F("turn-iso", "2.2", lq=turn("timestamp", lambda t: iso(t)))
F("turn-float", "2.2", lq=turn("timestamp", lambda t: t + 0.5))
F("turn-noreason", "2.2", lq=turn("reasoning", None))
F("turn-role", "2.2 user for the submitted question", lq=turn("role", "assistant"))
F("turn-role-fu", "2.2", lq=turn("role", "human", fu))
F("turn-role-num", "2.2", lq=turn("role", 3, inlist))
F("turn-norole-done", "2.2", lq=turn("role", None, done))
F(
    "turn-second-str",
    "2.2 timestamp of the second turn",
    lq=lambda x, c, q, d: (
        d["turns"].append({"reasoning": "r", "timestamp": str(int(time.time())), "role": "assistant"})
        if done(x, c, q, d)
        else None
    ),
)
F("turn-ts-neg", "2.2 Unix seconds of 1950", lq=turn("timestamp", -600000000))
F("turn-ts-zero", "2.2 timestamp 0", lq=turn("timestamp", 0))
F("turn-micro-list", "2.2", lq=turn("timestamp", lambda t: t * 1000000, inlist))
F("q-no-stats", "2.2", lq=rm("stats", done))
F("q-no-stats-proc", "3.1 stats all 0", lq=rm("stats", proc))
F("q-stats-null", "2.2", lq=put("stats", None, proc))
F("stat-credits-float", "2.3", lq=stat("credits", 1.5, done))
F("stat-neg-list", "2.3", lq=stat("cached_tokens", -1, lambda x, c, q, d: x.op == "list" and done(x, c, q, d)))
F("stat-str", "2.3", lq=stat("time_millis", "12", fudone))
F("stat-miss", "2.3", lq=stat("cache_creation_input_tokens", None))
F("stat-miss-proc", "2.3", lq=stat("credits", None, proc))
F(
    "stat-nonzero",
    "2.3 0 while processing",
    lq=stat("tool_calls", 1, lambda x, c, q, d: proc(x, c, q, d) and x.op == "get"),
)
F("stat-nonzero-fu", "2.3", lq=stat("time_millis", 7, lambda x, c, q, d: proc(x, c, q, d) and q.idx > 0))
F("stat-nonzero-create", "2.3", lq=stat("prompt_tokens", 7, lambda x, c, q, d: x.op == "create"))
F("stat-unfilled", "3.1 stats filled", lq=put("stats", {k: 0 for k in STATS}, done))
F("stat-change", "2.3 stats grow after completion", lq=stat("time_millis", 0, lambda x, c, q, d: False))
F("stat-null-err", "2.3", lq=stat("credits", "none", lambda x, c, q, d: q.st == "error"))
F(
    "stat-nonzero-list",
    "2.3 0 while processing, in the list",
    lq=stat("credits", 3, lambda x, c, q, d: proc(x, c, q, d) and x.op == "list"),
)
F("fup-miss", "2.2 null while processing", lq=rm("suggested_followups", proc))
F("fup-empty", "2.2 null while processing", lq=put("suggested_followups", [], proc))
F("fup-empty-fu", "2.2", lq=put("suggested_followups", [], lambda x, c, q, d: proc(x, c, q, d) and q.idx > 0))
F("fup-nums", "2.2", lq=put("suggested_followups", [1], done))
F("fup-str", "2.2", lq=put("suggested_followups", "x", fudone))
F("fup-null-done", "3.1 suggested_followups are filled", lq=put("suggested_followups", None, done))
F("fup-null-in", "2.2", lq=put("suggested_followups", ["a", None], done))
F("fup-miss-done", "3.1", lq=rm("suggested_followups", done))
F("err-miss", "3.1 error is filled", lq=rm("error", lambda x, c, q, d: q.st == "error"))
F("err-str", "7", lq=put("error", "x", lambda x, c, q, d: q.st == "error"))
for k in ("title", "kind", "message", "details"):
    F("err-no-" + k, "7", lq=lerr(k, None))
F("err-details-null", "7", lq=lambda x, c, q, d: d["error"].__setitem__("details", None) if q.st == "error" else None)
F("err-details-obj-quota", "7", lq=lerr("details", {}, lambda x, c, q, d: q.st == "error" and q.fate == "QUOTA"))
F(
    "err-on-success",
    "2.2 error present when processing failed",
    lq=put("error", {"title": "t", "kind": "k", "message": "m", "details": "d"}, done),
)
F(
    "err-proc",
    "2.2 error while processing",
    lq=put("error", {"title": "t", "kind": "k", "message": "m", "details": "d"}, proc),
)
F(
    "err-kind-tok",
    "7/8 token limit kind",
    lq=lerr("kind", "Internal", lambda x, c, q, d: q.st == "error" and q.fate == "TOKEN_LIMIT"),
)
F("err-list", "3.1", lq=rm("error", lambda x, c, q, d: q.st == "error" and x.op == "list"))
F("err-kind-num", "7", lq=lerr("kind", 3))
# --- 2.4/3.2
F("n-bare", "2.4 name", cc=put("name", lambda x, c, d: str(c.id)))
F("n-conv", "2.4", cc=put("name", lambda x, c, d: "conversations/%d" % c.id))
F("n-slash", "2.4", cc=put("name", lambda x, c, d: "/" + d["name"], onget))
F("n-extra", "2.4", cc=put("name", lambda x, c, d: d["name"] + "/x", O.add))
F("n-list", "2.4", cs=put("name", lambda x, c, d: str(c.id)))
F("n-list-miss", "2.4", cs=rm("name"))
F("n-miss", "2.4", cc=rm("name", onget))
F("n-other", "2.4 name of other conversation", cc=put("name", lambda x, c, d: "users/alice/conversations/1", onget))
F("n-empty-user", "2.4", cc=put("name", lambda x, c, d: "users//conversations/%d" % c.id))
F("n-case", "2.4", cc=put("name", lambda x, c, d: "Users/alice/Conversations/%d" % c.id))
F("n-id-only", "2.4 `name` in place of id: id remains", cc=put("id", lambda x, c, d: c.id))
F(
    "n-list-other",
    "2.4 names of lists differ from those of get",
    cs=put("name", lambda x, c, d: "users/alice/conversations/%d" % (c.id + 1000)),
)


def self_off(x):
    if x.i == "c" and x.body and b'users/~self"' in x.body:
        raise Err(403, "no such parent", "permission_denied")


F("self-create", "2.4 ~self", authed=lambda x: self_off(x) if x.op == "create" else None)
F("self-list", "2.4 ~self", authed=lambda x: self_off(x) if x.op == "list" else None)


def selfname(x):
    if x.i == "c" and b'"users/~self/' in x.body:
        raise Err(404, "not found", "not_found")


F("self-name", "2.4 The literal users/~self stands for the authenticated user (in names)", authed=selfname)
F(
    "self-is-first",
    "2.4 ~self is always user alice",
    authed=lambda x: setattr(x, "u", TOK["sgp_main_token_1"][0]) if x.op == "list" and x.i == "c" else None,
)
cdone = lambda x, c, q, d: q.st == "completed"
F("s-str", "2.4 state oneof", cq=put("state", lambda x, c, q, d: q.st))
F("s-two", "2.4 single key", cq=put("state", lambda x, c, q, d: {"completed": {}, "processing": {}}, cdone))
F("s-null2", "2.4 single key", cq=put("state", lambda x, c, q, d: {"completed": {}, "processing": None}, cdone))
F("s-empty", "2.4", cq=put("state", {}, lambda x, c, q, d: proc(x, c, q, d) and x.op == "get"))
F("s-unk", "3.2", cq=put("state", {"done": {}}, cdone))
F("s-cancelled", "3.2 canceled", cq=put("state", {"cancelled": {}}, lambda x, c, q, d: q.st == "canceled"))
F("s-miss-fu", "2.4", cq=rm("state", fu))
F("s-true", "2.4 object", cq=put("state", {"completed": True}, cdone))
F("s-upper", "3.2", cq=put("state", {"COMPLETED": {}}, fudone))
F("s-pending", "3.2", cq=put("state", {"pending": {}}, O.create))
F(
    "s-failed-done",
    "3.2 failure -> error",
    cq=lambda x, c, q, d: d.update(state={"completed": {}}, answer="failed") if q.st == "error" else None,
)
F(
    "s-migr-status",
    "2.4 state replaces status: only for legacy-created",
    cq=lambda x, c, q, d: (
        (d.pop("state"), d.update(status="completed")) if x.b.get("name", "").startswith("users/~self") else None
    ),
)
F("s-typekind", "2.4", cq=put("state", {"type": "completed"}, cdone))
F("s-arr-value", "2.4", cq=put("state", {"processing": []}, proc))
F("a-arr", "2.4 answer unchanged", cq=put("answer", [{"text": "x"}], cdone))
F("a-miss-fu", "3.2 answer present", cq=rm("answer", fudone))
F("a-null", "3.2", cq=put("answer", None, cdone))
F("a-empty", "3.2", cq=put("answer", "", cdone))
F(
    "a-diff",
    "2.4 unchanged: differs from legacy",
    cq=put("answer", lambda x, c, q, d: d["answer"].replace("##", "#"), cdone),
)
F("a-first", "3.2", cq=rm("answer", lambda x, c, q, d: cdone(x, c, q, d) and q.dp == 1))
F("a-changes", "derived", cq=put("answer", lambda x, c, q, d: d["answer"] + str(q.dp), cdone))
F("a-rename", "2.4", cq=lambda x, c, q, d: d.__setitem__("markdown", d.pop("answer")) if cdone(x, c, q, d) else None)
F("a-fu-first", "2.4 answer of follow-up is that of first", cq=put("answer", lambda x, c, q, d: "same", fudone))
F("ce-no-code", "3.2/7", cq=cerr("code", None))
F("ce-no-msg", "7", cq=cerr("message", None))
F("ce-no-retry", "7", cq=cerr("retry_time", None))
F("ce-code-num", "7", cq=cerr("code", 3))
F("ce-code-unk", "7", cq=cerr("code", "ERROR_OOPS"))
F("ce-code-noprefix", "7", cq=cerr("code", "QUOTA_EXCEEDED", lambda x, c, q, d: q.st == "error" and q.fate == "QUOTA"))
F("ce-msg-obj", "7", cq=cerr("message", {}))
F("ce-retry-str", "7 timestamp", cq=cerr("retry_time", "soon"))
F("ce-retry-rel", "7", cq=cerr("retry_time", "60s"))
F("ce-retry-empty", "7", cq=cerr("retry_time", ""))
F(
    "ce-quota-internal",
    "8 quota error",
    cq=cerr("code", "ERROR_INTERNAL", lambda x, c, q, d: q.st == "error" and q.fate == "QUOTA"),
)
F(
    "ce-ent-quota",
    "8 entitlement error",
    cq=cerr("code", "ERROR_QUOTA_EXCEEDED", lambda x, c, q, d: q.st == "error" and q.fate == "ENTITLEMENT"),
)
F(
    "ce-tok-internal",
    "8 token limit",
    cq=cerr("code", "ERROR_INTERNAL", lambda x, c, q, d: q.st == "error" and q.fate == "TOKEN_LIMIT"),
)
F("ce-empty", "7", cq=put("state", {"error": {}}, lambda x, c, q, d: q.st == "error"))
F(
    "ce-migr",
    "9 legacy completed-with-error becomes error",
    cq=lambda x, c, q, d: (
        d.update(state={"completed": {}}, answer="x")
        if q.st == "error" and x.b.get("name", "").startswith("users/~self")
        else None
    ),
)
# --- transitions
F(
    "step-back",
    "3.1 completed -> processing",
    lq=put("status", "processing", lambda x, c, q, d: q.st == "completed" and q.dp == 4),
)
F(
    "step-back-c",
    "3.2 terminal",
    cq=put("state", {"processing": {}}, lambda x, c, q, d: q.st == "completed" and q.dp == 4),
)
F(
    "canceled-then-completed",
    "3.2 terminal",
    cq=put("state", {"completed": {}}, lambda x, c, q, d: q.st == "canceled" and q.dp > 1),
)
F(
    "fu-resets-first",
    "3.1 first question goes back to processing on follow-up",
    lq=lambda x, c, q, d: (
        d.update(status="processing")
        if q.idx == 0 and len(c.qs) > 1 and c.qs[1].st == "processing" and q.st == "completed"
        else None
    ),
)
F(
    "fu-resets-first-c",
    "3.2 ditto",
    cq=lambda x, c, q, d: (
        d.update(state={"processing": {}})
        if q.idx == 0 and len(c.qs) > 1 and c.qs[1].st == "processing" and q.st == "completed"
        else None
    ),
)
F(
    "back-read-again",
    "3.1 ditto, late",
    lq=put("status", "processing", lambda x, c, q, d: q.st == "completed" and q.dp == 12),
)
F("list-stale", "derived: list shows processing for ever", lq=put("status", "processing", inlist))
F(
    "pending-mid",
    "3.1 Transition into pending",
    lq=put("status", "pending", lambda x, c, q, d: proc(x, c, q, d) and q.polls > 3),
)
# --- 4.1
for n in (201, 203, 204, 206):
    F("create-%d" % n, "7", resp=status(n, lambda x: L_(x) and x.op == "create" and ok(x)))
F("get-201", "7", resp=status(201, lambda x: L_(x) and x.op == "get" and ok(x)))
F("delete-204", "7", resp=status(204, lambda x: L_(x) and x.op == "delete" and ok(x)))
F("cancel-204", "7", resp=status(204, lambda x: L_(x) and x.op == "cancel" and ok(x)))
F("list-206", "7", resp=status(206, lambda x: L_(x) and x.op == "list" and ok(x)))
F("add-201", "7", resp=status(201, lambda x: L_(x) and x.op == "add" and ok(x)))


def ct(v, cond):
    def f(x):
        if cond(x):
            x.ct = v

    return f


F("ct-text", "4.1 Responses are JSON", resp=ct("text/plain", lambda x: L_(x) and ok(x)))
F("ct-html-list", "4.1", resp=ct("text/html", lambda x: L_(x) and ok(x) and x.op == "list"))
F("ct-none-del", "4.1", resp=ct("text/plain", lambda x: L_(x) and ok(x) and x.op == "delete"))
F(
    "err-html",
    "4.1 Responses are JSON (errors: shape not shown)",
    resp=lambda x: (
        (setattr(x, "raw", b"<html>no</html>"), setattr(x, "ct", "text/html")) if L_(x) and x.st >= 400 else None
    ),
)
F(
    "add-question-only",
    "4.1 Add follow-up: conversation object",
    resp=lambda x: setattr(x, "out", x.out["questions"][-1]) if L_(x) and x.op == "add" and ok(x) else None,
)
F(
    "add-old",
    "4.1 add answers without new question",
    resp=lambda x: x.out["questions"].pop() if L_(x) and x.op == "add" and ok(x) else None,
)
F(
    "create-empty",
    "4.1 create: first question",
    resp=lambda x: x.out.__setitem__("questions", []) if L_(x) and x.op == "create" and ok(x) else None,
)
F(
    "create-wrap",
    "4.1 conversation object",
    resp=lambda x: setattr(x, "out", {"conversation": x.out}) if L_(x) and x.op == "create" and ok(x) else None,
)
F("get-array", "4.1", resp=lambda x: setattr(x, "out", [x.out]) if L_(x) and x.op == "get" and ok(x) else None)
F(
    "get-other",
    "4.1 get returns another",
    lc=put("id", lambda x, c, d: c.id + 1, lambda x, c, d: x.op == "get" and c.qs[-1].st == "completed"),
)
F("add-nocheck", "4.1 conversation_id must equal", flags=["no-id-check"])
F("cancel-completed", "4.1 only for a question that is processing", flags=["cancel-completed"])
F("cancel-ignored-l", "1: can be cancelled", flags=["cancel-ignored-l"])
F("cancel-ignored-c", "1: can be cancelled", flags=["cancel-ignored-c"])
F("keep-del-l", "1: deleted", flags=["keep-deleted-l"])
F("keep-del-c", "1: deleted", flags=["keep-deleted-c"])
# --- lists
F("no-filter-id", "4.1 filter_id", flags=["no-filter-id"])
F("no-filter-user", "4.1", flags=["no-filter-user"])
F("def-sort", "4.1 default -updated_at", flags=["default-sort"])
F(
    "filter-id-unsorted",
    "4.1 filter_id ignored with a sort",
    lorder=lambda x, r: [c for c in CONV.values() if c.u is x.u] if "filter_id" in x.q and "sort" in x.q else None,
)
F(
    "filter-rt-sort",
    "4.1",
    lorder=lambda x, r: (
        [c for c in CONV.values() if c.u is x.u] if "filter_read_token" in x.q and "sort" in x.q else None
    ),
)
F(
    "filter-rt-unknown",
    "4.1",
    lorder=lambda x, r: [c for c in CONV.values() if c.u is x.u] if "filter_read_token" in x.q and not r else None,
)
F(
    "filter-rt-prefix",
    "4.1 matches by prefix",
    lorder=lambda x, r: (
        [c for c in CONV.values() if c.u is x.u and c.rt[:3] == x.q["filter_read_token"][0][:3]]
        if "filter_read_token" in x.q
        else None
    ),
)
F(
    "filter-id-prefix",
    "4.1 filter_id: prefix",
    lorder=lambda x, r: (
        [c for c in CONV.values() if c.u is x.u and str(c.id).startswith(x.q["filter_id"][0][:1])]
        if "filter_id" in x.q
        else None
    ),
)
F(
    "starred-ignored",
    "4.1",
    lorder=lambda x, r: [c for c in CONV.values() if c.u is x.u] if x.q.get("filter_is_starred") == ["true"] else None,
)
F("starred-false-empty", "4.1", lorder=lambda x, r: [] if x.q.get("filter_is_starred") == ["false"] else None)
F("filter-user-own-empty", "4.1", lorder=lambda x, r: [] if x.q.get("filter_user_id") == [str(x.u.id)] else None)
F("filter-id-empty", "4.1", lorder=lambda x, r: [] if "filter_id" in x.q else None)
F(
    "filter-user-unknown",
    "4.1 unknown user id ignored",
    lorder=lambda x, r: (
        [c for c in CONV.values() if c.u is x.u] if x.q.get("filter_user_id") == ["2147483647"] else None
    ),
)
F(
    "filter-user-leaks",
    "5/4.1 filter_user_id shows those of others",
    lorder=lambda x, r: (
        [c for c in CONV.values() if c.u.id == int(x.q["filter_user_id"][0])] if "filter_user_id" in x.q else None
    ),
)
F(
    "filter-id-leaks",
    "filter_id shows those of others",
    lorder=lambda x, r: [c for c in CONV.values() if str(c.id) == x.q["filter_id"][0]] if "filter_id" in x.q else None,
)
F("list-all-users", "list shows others", lorder=lambda x, r: list(CONV.values()) if not x.q else None)
F("list-last-missing", "list omits oldest", lorder=lambda x, r: r[:-1] if not x.q else None)
F("list-no-failed", "list omits failed", lorder=lambda x, r: [c for c in r if c.qs[-1].st != "error"])
F("list-no-canceled", "list omits canceled", lorder=lambda x, r: [c for c in r if c.qs[0].st != "canceled"])
F(
    "list-no-multi",
    "1: Conversations can be listed: omits those with follow-ups",
    lorder=lambda x, r: [c for c in r if len(c.qs) == 1],
)
F("list-dupe", "list twice", lorder=lambda x, r: r + r[:1] if not x.q else None)
F("list-cur-no-canceled", "omits", corder=lambda x, r: [c for c in r if c.qs[0].st != "canceled"])
F("list-cur-empty", "1 can be listed", corder=lambda x, r: [])
F("list-cur-last", "1 can be listed", corder=lambda x, r: r[:-1])
F("list-cur-fu", "omits those with follow-ups", corder=lambda x, r: [c for c in r if len(c.qs) == 1])
F("list-cur-others", "shows others", corder=lambda x, r: sorted(CONV.values(), key=lambda c: -c.id))
F("list-cur-only-cur", "9 replaces: list misses legacy-created", corder=lambda x, r: [c for c in r if c.id % 2 == 0])
F("page-plus", "4.1 page_first", set={"page_off": 1})
F("page-minus", "4.1", set={"page_off": -1})
F("page-second", "4.1 only 2nd page", set={"page_off": 1}, flags=["off-second"])
F("page-nofirst", "4.1", flags=["no-page-first"])
F("after-ignored", "4.1", flags=["ignore-after"])
F("after-incl", "4.1", set={"after_off": 0})
F("after-skip", "4.1", set={"after_off": 2})
for s in ("id", "created_at", "updated_at"):
    F("sort-%s" % s, "4.1 sort", set={"sortmap": {s: "-" + s}})
    F("sort-desc-%s" % s, "4.1", set={"sortmap": {"-" + s: s}})
F("sort-upd-is-created", "4.1 sort", set={"sortmap": {"updated_at": "created_at"}})
F("sort-dupd-is-dcreated", "4.1", set={"sortmap": {"-updated_at": "-created_at"}})


def sortlex(x, r):
    if x.q.get("sort") == ["id"]:
        return sorted(r, key=lambda c: str(c.id))


F("sort-id-lex", "4.1 sort id (as text)", lorder=sortlex, set={"first_id": 97})
F("sort-swap-last", "4.1", lorder=lambda x, r: r[:-2] + r[-2:][::-1] if "sort" in x.q and len(r) > 2 else None)
F(
    "sort-page",
    "4.1 sort is ignored with page_first",
    lorder=lambda x, r: sorted(r, key=lambda c: c.up, reverse=True) if "page_first" in x.q else None,
)
F(
    "filter-sort",
    "4.1 sort ignored with filter",
    lorder=lambda x, r: sorted(r, key=lambda c: -c.id) if "filter_user_id" in x.q else None,
)


# --- 4.2
def nopost(x):
    if x.i == "c" and x.op == "delete":
        raise Err(405, "use DELETE", "unimplemented")


F("c-del-405", "4.2", authed=nopost)
for o in ("create", "get", "list", "add", "cancel", "delete"):

    def g(x, o=o):
        if x.i == "c" and x.op == o:
            raise Err(404, "unknown method", "unimplemented")

    F("c-missing-" + o, "4.2", authed=g)

    def g(x, o=o):
        if x.i == "l" and x.op == o:
            raise Err(410, "deprecated", "gone")

    F("l-gone-" + o, "9 remains available", authed=g)


def flat(x):
    if x.i == "c" and x.op == "create":
        raise Err(400, "question is required", "invalid_argument")


F("c-flat", "2.4 create request shape", authed=flat)
F("c-text-lost", "2.4 question text", cq=put("input", [{"question": {"text": ""}}]))
F("c-text-fu", "2.4", cq=put("input", lambda x, c, q, d: [{"question": {"text": c.qs[0].text}}], fu))
F("c-add-empty", "4.2 add", resp=lambda x: x.out["questions"].pop() if x.i == "c" and x.op == "add" and ok(x) else None)
F(
    "c-add-lost",
    "4.2/1 follow-up accepted but never stored",
    resp=lambda x: x.c.qs.pop() if x.i == "c" and x.op == "add" and ok(x) else None,
)
F(
    "l-add-lost",
    "1 follow-up accepted but never stored",
    resp=lambda x: x.c.qs.pop() if x.i == "l" and x.op == "add" and ok(x) else None,
)
F(
    "c-pages-same",
    "4.2 list",
    authed=lambda x: x.obj() if x.i == "c" and x.op == "list" else None,
    cl=lambda x, d, p, t: None,
)


# --- 5
def anon(i, ops):
    def f(x):
        if x.i == i and x.op in ops and not (x.h.headers.get("authorization")):
            x.u, x.kind, x.scopes = TOK["sgp_main_token_1"]
            x.tok = "anon"
            return True

    return f


def bad(i, ops):
    def f(x):
        a = x.h.headers.get("authorization") or ""
        if x.i == i and x.op in ops and a and a.split()[-1] not in TOK:
            x.u, x.kind, x.scopes = TOK["sgp_main_token_1"]
            x.tok = "bad"
            return True

    return f


for i in "lc":
    for o in ("create", "get", "list", "add", "cancel", "delete"):
        F("anon-%s-%s" % (i, o), "5 every request carries Authorization / must carry", gate=anon(i, [o]))
        F("bad-%s-%s" % (i, o), "5", gate=bad(i, [o]))


def un(x):
    if x.i == "l" and x.tok == "sgp_unscoped_tok":
        raise Err(401, "no scope")


F("unscoped-refused", "5 Any access token is accepted", authed=un)


def unop(o):
    def f(x):
        if x.i == "l" and x.tok in ("sgp_unscoped_tok", "sgp_read_token_1") and x.op == o:
            raise Err(401, "no scope")

    return f


for o in ("get", "create", "add", "delete", "cancel"):
    F("unscoped-refused-" + o, "5 Any access token is accepted", authed=unop(o))
for o in ("create", "get", "list", "add", "cancel", "delete"):
    F("scope-open-" + o, "5 must carry scope", scope=lambda x, o=o: x.op == o)


def needx(o):
    def f(x):
        if x.i == "c" and (o is None or x.op == o) and not x.h.headers.get("x-requested-with"):
            raise Err(400, "X-Requested-With", "invalid_argument")

    return f


F("c-needs-xrw", "5 X-Requested-With not required", authed=needx(None))
F("c-needs-xrw-cancel", "5", authed=needx("cancel"))
F("c-needs-xrw-del", "5", authed=needx("delete"))


def refuse(tok, op, i="c"):
    def f(x):
        if x.i == i and x.tok == tok and x.op == op:
            raise Err(403, "scope", "permission_denied")

    return f


F("read-cannot-list", "5 read scope", authed=refuse("sgp_read_token_1", "list"))
F("read-cannot-get", "5 read scope", authed=refuse("sgp_read_token_1", "get"))
F("write-cannot-create", "5 write scope", authed=refuse("sgp_write_token_1", "create"))
F("write-cannot-add", "5", authed=refuse("sgp_write_token_1", "add"))
F("write-cannot-get", "5 write", authed=refuse("sgp_write_token_1", "get"))
F("write-cannot-delete", "5 write", authed=refuse("sgp_write_token_1", "delete"))


def other(i, op):
    def f(x):
        if x.i == i and x.op == op and x.u.id == 8:
            x.u = TOK["sgp_main_token_1"][0]

    return f


for i in "lc":
    for o in ("get", "add", "cancel", "delete"):
        F("other-%s-%s" % (i, o), "5.3 other user", authed=other(i, o))
F(
    "shoff-leak",
    "5.3 / 4.1 sharing must be enabled",
    authed=lambda x: (
        setattr(x, "u", next((c.u for c in CONV.values() if c.rt == x.q["filter_read_token"][0]), x.u))
        if "filter_read_token" in x.q and x.u.id == 8
        else None
    ),
)
# --- 7
for n, cond in [("400-as-200", None)]:
    pass
F("bad-req-422", "7 400", resp=status(422, lambda x: L_(x) and x.st == 400))
F("unauth-403", "7 401", resp=status(403, lambda x: L_(x) and x.st == 401))
F("nf-410", "7 404", resp=status(410, lambda x: L_(x) and x.st == 404))
F("nf-400-cancel", "7 404", resp=status(400, lambda x: L_(x) and x.st == 404 and x.op == "cancel"))
F(
    "nf-200-null",
    "7 404",
    resp=lambda x: (
        (setattr(x, "st", 200), setattr(x, "out", None)) if L_(x) and x.st == 404 and x.op == "get" else None
    ),
)
F("err-no-body", "7 descriptive message", resp=lambda x: setattr(x, "raw", b"") if L_(x) and x.st >= 400 else None)
F("err-empty-obj", "7 descriptive message", resp=lambda x: setattr(x, "out", {}) if L_(x) and x.st >= 400 else None)
F("err-empty-404", "7", resp=lambda x: setattr(x, "raw", b"") if L_(x) and x.st == 404 else None)
F("err-msg-empty", "7", resp=lambda x: setattr(x, "out", {"error": ""}) if L_(x) and x.st >= 400 else None)
F(
    "err-num",
    "7 descriptive message",
    resp=lambda x: setattr(x, "out", {"code": x.st}) if L_(x) and x.st >= 400 else None,
)
F("bad-500", "7 400", resp=status(500, lambda x: L_(x) and x.st == 400))
F(
    "bad-200-empty",
    "7",
    resp=lambda x: (
        (setattr(x, "st", 200), setattr(x, "out", {})) if L_(x) and x.st == 400 and x.op == "create" else None
    ),
)
F("del404-400", "7 404", resp=status(400, lambda x: L_(x) and x.st == 404 and x.op == "get"))
F(
    "unauth-200-list",
    "7",
    resp=lambda x: (
        (setattr(x, "st", 200), setattr(x, "out", {"conversations": []}))
        if L_(x) and x.st == 401 and x.op == "list"
        else None
    ),
)
F(
    "c-unauth-200",
    "5",
    resp=lambda x: (
        (setattr(x, "st", 200), setattr(x, "out", {})) if x.i == "c" and x.st == 401 and x.op == "list" else None
    ),
)
F(
    "c-nf-200",
    "4.2",
    resp=lambda x: (
        (setattr(x, "st", 200), setattr(x, "out", {})) if x.i == "c" and x.st == 404 and x.op == "get" else None
    ),
)
F(
    "create-500",
    "7",
    resp=lambda x: (
        (setattr(x, "st", 500), setattr(x, "out", {"error": "x"})) if L_(x) and x.op == "create" and ok(x) else None
    ),
)
F("fu-mismatch-404", "7 400", resp=status(404, lambda x: L_(x) and x.st == 400 and x.op == "add"))
# --- 9
F("ref-404", "9 openapi served", resp=lambda x: setattr(x, "st", 404) if x.op == "ref" else None)
F(
    "ref-html",
    "9",
    resp=lambda x: (setattr(x, "raw", b"<html>API</html>"), setattr(x, "ct", "text/html")) if x.op == "ref" else None,
)
F("ref-badjson", "9", resp=lambda x: setattr(x, "raw", b'{"openapi": ') if x.op == "ref" and x.raw is None else None)
F(
    "migr-404",
    "9 numeric ids become resource names: legacy conversations unknown to current",
    authed=lambda x: (
        (_ for _ in ()).throw(Err(404, "not found", "not_found"))
        if x.i == "c" and x.op == "get" and b'"users/~self/' in x.body and b"2147" not in x.body
        else None
    ),
)
F(
    "migr-texts",
    "9",
    cq=put(
        "input",
        lambda x, c, q, d: [{"question": {"text": q.text + " "}}],
        lambda x, c, q, d: x.b.get("name", "").startswith("users/~self"),
    ),
)
F("list-lag", "x", lorder=lambda x, r: r[1:] if "sort" in x.q and "page_first" not in x.q else None)

raises = lambda st, code="x": (_ for _ in ()).throw(Err(st, "refused for a reason", code))
CEMETERY = {}


def bury(x):
    if x.op == "delete" and ok(x) and x.c:
        CEMETERY[x.c.id] = x.c


def dug(cond):
    def f(x, r):
        return r + [c for c in CEMETERY.values() if c.u is x.u] if cond(x) else None

    return f


F("del-l-listed", "1 deleted: still listed (legacy)", resp=bury, lorder=dug(lambda x: not x.q))
F("del-c-listed", "1 deleted: still listed (current)", resp=bury, corder=dug(lambda x: True))
F(
    "del-rt-works",
    "1/2.1 deleted: read token still fetches it",
    resp=bury,
    lorder=lambda x, r: (
        [c for c in CEMETERY.values() if c.rt == x.q["filter_read_token"][0]]
        if "filter_read_token" in x.q and not r
        else None
    ),
)
F(
    "del-id-filter",
    "deleted: filter_id still fetches",
    resp=bury,
    lorder=lambda x, r: (
        [c for c in CEMETERY.values() if str(c.id) == x.q["filter_id"][0]] if "filter_id" in x.q and not r else None
    ),
)
_g = server.getc


def patch(f):
    def h(x):
        if not S.__dict__.get("patched"):
            S.patched = True
            f()

    return h


def install():
    m = sys.modules["__main__"]
    old = m.getc

    def getc(x, id):
        c = CEMETERY.get(id)
        if c and c.u is x.u and S.dig(x, c):
            return c
        return old(x, id)

    m.getc = getc


def dig(cond):
    return dict(resp=bury, gate=patch(install), set={"dig": staticmethod(cond)})


F("del-l-in-c", "deleted through legacy: delivered by current", **dig(lambda x, c: x.i == "c"))
F(
    "del-c-in-l",
    "deleted through current: delivered by legacy",
    **dig(lambda x, c: x.i == "l" and x.op == "get" and c.id % 2 == 0)
)
F("del-add-l", "deleted: follow-up still accepted", **dig(lambda x, c: x.op == "add" and x.i == "l"))
F("del-add-c", "ditto current", **dig(lambda x, c: x.op == "add" and x.i == "c"))
F("del-quota-user", "deleted is delivered to one user", **dig(lambda x, c: x.u.id == 9))
F(
    "del-canceled",
    "deleted canceled conversation still delivered",
    **dig(lambda x, c: c.qs[0].st == "canceled" and x.op == "get")
)
F(
    "anon-rt",
    "5.1 Every request carries Authorization: list by read token without",
    gate=lambda x: (
        (setattr(x, "u", TOK["sgp_other_token_1"][0]), True)[1]
        if x.i == "l" and x.op == "list" and "filter_read_token" in x.q and not x.h.headers.get("authorization")
        else None
    ),
)


def acc(i, op, cond=lambda x: True):
    def f(x):
        if x.i == i and x.op == op and x.st == 400 and cond(x):
            c = next((c for c in CONV.values() if c.u is x.u), None)
            x.st = 202 if i == "l" else 200
            m = sys.modules["__main__"]
            x.out = (m.lc if i == "l" else m.cc)(x, x.c or c)

    return f


F("acc-create-l", "7 bad request accepted (create)", resp=acc("l", "create"))
F("acc-create-notjson", "7", resp=acc("l", "create", lambda x: not x.body.endswith(b"}")))
F("acc-create-num", "7/4.1 {question: string}", resp=acc("l", "create", lambda x: b"5}" in x.body))
F("acc-add-missing", "4.1 add w/o question accepted", resp=acc("l", "add", lambda x: b'question"' not in x.body))
F("acc-cancel-done", "4.1 cancel only processing", resp=acc("l", "cancel"))
F("acc-create-c", "4.2", resp=acc("c", "create"))
F("acc-create-c-notjson", "4.2", resp=acc("c", "create", lambda x: not x.body.endswith(b"}")))
F(
    "cancel-wipes",
    "3.1 cancel of a follow-up clears finished question",
    lq=lambda x, c, q, d: (
        d.update(status="processing")
        if q.idx == 0 and len(c.qs) > 1 and c.qs[1].st == "canceled" and q.st == "canceled"
        else None
    ),
)
F(
    "cancel-unknown-200",
    "7 404: cancel of an unknown question",
    resp=lambda x: (
        (setattr(x, "st", 200), setattr(x, "out", {})) if x.i == "l" and x.op == "cancel" and x.st == 404 else None
    ),
)
F("fu-created", "2.1 created_at changes with a follow-up", lc=put("created_at", lambda x, c, d: iso(c.qs[-1].t0)))
F("c-create-time-fu", "createTime changes with follow-up", cc=put("createTime", lambda x, c, d: iso(c.qs[-1].t0)))
F("updated-never", "2.1 updated_at never changes", lc=put("updated_at", lambda x, c, d: d["created_at"]))
F(
    "q-updated-never",
    "2.2 updated_at of question never changes on completion",
    lq=put("updated_at", lambda x, c, q, d: d["created_at"]),
)
F(
    "rt-same",
    "2.1 read_token same for all conversations",
    lc=lambda x, c, d: d.update(read_token="rt-constant-constant", share_url="http://h/s/rt-constant-constant"),
)
F(
    "rt-same-filter",
    "2.1/4.1 read_token same for all of a user; filter gives all",
    lc=lambda x, c, d: d.update(
        read_token="rt-u%d-cccccccccccc" % c.u.id, share_url="http://h/s/rt-u%d-cccccccccccc" % c.u.id
    ),
    lorder=lambda x, r: (
        sorted(
            [c for c in CONV.values() if x.q["filter_read_token"][0] == "rt-u%d-cccccccccccc" % c.u.id],
            key=lambda c: {"created_at": c.t0}.get(x.q.get("sort", [""])[0], -c.up),
        )
        if "filter_read_token" in x.q
        else None
    ),
)
F(
    "n-user-fixed",
    "2.4 users/<user>: all names say users/alice",
    cc=put("name", lambda x, c, d: "users/zoe/conversations/%d" % c.id, lambda x, c, d: x.op == "create"),
)


def craw(fn, cond):
    def f(x):
        if cond(x) and x.raw is None and x.out is not None:
            x.raw = fn(json.dumps(x.out))

    return f


F(
    "json-trailing",
    "4.1 Responses are JSON",
    resp=craw(lambda s: (s + " x").encode(), lambda x: L_(x) and x.op == "get" and ok(x)),
)
F("json-bom", "4.1", resp=craw(lambda s: b"\xef\xbb\xbf" + s.encode(), lambda x: L_(x) and ok(x) and x.op == "list"))
F("json-comma", "4.1", resp=craw(lambda s: (s[:-1] + ",}").encode(), lambda x: L_(x) and ok(x) and x.op == "add"))
F(
    "json-latin1",
    "4.1",
    resp=craw(lambda s: s.replace("Answer", "R\u00e9ponse").encode("latin1"), lambda x: L_(x) and ok(x)),
)
F(
    "json-two",
    "4.1 two JSON values",
    resp=craw(lambda s: (s + "\n" + s).encode(), lambda x: L_(x) and ok(x) and x.op == "get"),
)
F(
    "json-dupkey",
    "4.1 duplicate key status (both)",
    resp=craw(
        lambda s: s.replace('"status": "completed"', '"status": "processing", "status": "completed"').encode(),
        lambda x: L_(x) and ok(x),
    ),
)
F(
    "json-nan",
    "2.3",
    resp=craw(lambda s: s.replace('"credits": 2', '"credits": NaN').encode(), lambda x: L_(x) and ok(x)),
)
F(
    "json-bad-cancel",
    "4.1 Responses are JSON: cancel answers text as JSON",
    resp=craw(lambda s: b"OK", lambda x: L_(x) and ok(x) and x.op == "cancel"),
)
F(
    "json-bad-delete",
    "4.1 Responses are JSON: delete",
    resp=craw(lambda s: b"OK", lambda x: L_(x) and ok(x) and x.op == "delete"),
)
F(
    "json-bad-err404",
    "4.1 Responses are JSON: 404 body no JSON though declared so",
    resp=craw(lambda s: b'{"error": not found', lambda x: L_(x) and x.st == 404),
)
F(
    "json-bad-list2",
    "4.1: second page",
    resp=craw(lambda s: s[:-2].encode(), lambda x: L_(x) and ok(x) and "page_after" in x.q),
)
F("ct-none", "4.1", resp=lambda x: setattr(x, "ct", "") if L_(x) and ok(x) else None)
F(
    "ct-octet-page2",
    "4.1",
    resp=lambda x: setattr(x, "ct", "application/octet-stream") if L_(x) and ok(x) and "page_after" in x.q else None,
)
F(
    "ref-lie",
    "9: schema served contradicts",
    resp=lambda x: (
        x.out["paths"].__setitem__(
            "/api/deepsearch.v1.Service/GetConversation",
            {
                "post": {
                    "responses": {
                        "200": {
                            "description": "x",
                            "content": {
                                "application/json": {
                                    "schema": {
                                        "type": "object",
                                        "required": ["nombre"],
                                        "properties": {"name": {"type": "integer"}},
                                    }
                                }
                            },
                        }
                    }
                }
            },
        )
        if x.op == "ref" and x.raw is None
        else None
    ),
)
F(
    "ref-ops",
    "9: schema has other operations",
    resp=lambda x: setattr(x, "out", dict(x.out, paths={"/a": {}})) if x.op == "ref" and x.raw is None else None,
)
F(
    "c-page-dup",
    "4.2 list second page repeats",
    corder=lambda x, r: None,
    cl=lambda x, d, p, t: (
        d.__setitem__("conversationSummaries", d["conversationSummaries"] + d["conversationSummaries"]) if t else None
    ),
)
F("c-page-token-loop", "4.2", cl=lambda x, d, p, t: d.__setitem__("nextPageToken", x.b.get("pageToken")) if t else None)
F(
    "c-upd-back",
    "current updateTime falls",
    cc=put("updateTime", lambda x, c, d: iso(c.t0 - 9), lambda x, c, d: c.qs[0].st == "completed"),
)
F(
    "c-done-noans-migr",
    "3.2 answer present; legacy-created",
    cq=rm("answer", lambda x, c, q, d: cdone(x, c, q, d) and x.b.get("name", "").startswith("users/~self")),
)
F(
    "l-migr-answer",
    "2.4 answer differs for current-created in legacy",
    lq=put("answer", "other answer", lambda x, c, q, d: done(x, c, q, d) and c.id % 2 == 0),
)
F(
    "l-migr-err",
    "9 current error shows as completed w/o error in legacy",
    lq=lambda x, c, q, d: (
        (d.pop("error", None), d.update(answer="x", sources=[], suggested_followups=[])) if q.st == "error" else None
    ),
)
F(
    "l-migr-cancel",
    "9.11 canceled shows as processing in legacy for ever",
    lq=put("status", "processing", lambda x, c, q, d: q.st == "canceled"),
)
F(
    "c-cancel-error",
    "3.2 cancel -> error",
    cq=put(
        "state",
        {"error": {"code": "ERROR_INTERNAL", "message": "canceled", "retry_time": "2027-01-01T00:00:00Z"}},
        lambda x, c, q, d: q.st == "canceled",
    ),
)
F(
    "c-cancel-completed",
    "cancel -> completed with answer",
    cq=lambda x, c, q, d: d.update(state={"completed": {}}, answer="c") if q.st == "canceled" else None,
)
F(
    "q-src-lost-later",
    "2.2 sources present when completed: gone on read-again",
    lq=put("sources", [], lambda x, c, q, d: done(x, c, q, d) and q.dp > 6),
)
F("q-title-changes", "2.2 title changes at each read", lq=put("title", lambda x, c, q, d: "T%d" % q.dp, done))
F(
    "q-stats-change",
    "2.3 stats change after completion",
    lq=lambda x, c, q, d: d["stats"].update(credits=q.dp + 1) if done(x, c, q, d) else None,
)
F("q-followups-change", "followups change", lq=put("suggested_followups", lambda x, c, q, d: ["w%d" % q.dp], done))
F("q-stats-err-proc", "2.3 canceled", lq=None) if False else None
F("proc-late-fields", "3.1 title filled before done: title while processing", lq=put("sources", [], proc))
F(
    "turn-gone-add-text",
    "2.2 turn of the new follow-up repeats the text of the first",
    lq=lambda x, c, q, d: d["turns"][0].update(reasoning=c.qs[0].text) if q.idx else None,
)
F("fu-done-at-once", "1: returns at once with the question in progress: blocks 3 s on add", resp=lambda x: None)
# state on the conversation as well
for n in ("ce-quota-internal", "ce-ent-quota", "ce-no-code", "s-two", "s-cancelled", "s-failed-done"):
    FAULTS["cs-" + n] = (FAULTS[n][0], dict(FAULTS[n][1], flags=["conv-state"]))
F(
    "cs-diff",
    "2.4 state of conversation differs from that of its question",
    flags=["conv-state"],
    cc=put("state", {"processing": {}}, onget),
)
F("cs-two", "2.4", flags=["conv-state"], cc=put("state", {"completed": {}, "error": {}}, onget))
F("cs-unknown", "3.2", flags=["conv-state"], cc=put("state", {"done": {}}, onget))
F("cs-str", "2.4", flags=["conv-state"], cc=put("state", "completed", onget))
F("cs-list-unknown", "3.2 in summaries", cs=put("state", {"done": {}}))
F("cs-list-str", "2.4 in summaries", cs=put("state", "completed"))
F(
    "cs-back",
    "3.2",
    flags=["conv-state"],
    cc=put("state", {"processing": {}}, lambda x, c, d: c.qs[0].dp == 4 and len(c.qs) == 1),
)
F(
    "other-list-viewer",
    "2.1 viewer for a shared conversation says owner",
    lc=put("viewer", {"is_owner": True}, lambda x, c, d: x.u is not c.u),
)
F("shared-noq", "2.1 shared conversation has no questions", lc=put("questions", [], lambda x, c, d: x.u is not c.u))
F(
    "shared-other",
    "4.1 read token shows another conversation to second user",
    lorder=lambda x, r: (
        [c for c in CONV.values() if c.u is r[0].u and c is not r[0]][:1]
        if "filter_read_token" in x.q and r and x.u is not r[0].u
        else None
    ),
)
F(
    "shared-plus",
    "4.1 read token shows all of owner to second user",
    lorder=lambda x, r: (
        [c for c in CONV.values() if c.u is r[0].u] if "filter_read_token" in x.q and r and x.u is not r[0].u else None
    ),
)

F(
    "a-fu-migr",
    "2.4 answer of a follow-up differs between the interfaces",
    cq=put(
        "answer",
        "quite another",
        lambda x, c, q, d: fudone(x, c, q, d) and x.b.get("name", "").startswith("users/~self"),
    ),
)
F(
    "s-fu-migr",
    "9 state of follow-up differs",
    cq=lambda x, c, q, d: (
        (
            d.update(state={"error": {"code": "ERROR_INTERNAL", "message": "m", "retry_time": "2027-01-01T00:00:00Z"}}),
            d.pop("answer", 0),
        )
        if fudone(x, c, q, d) and x.b.get("name", "").startswith("users/~self")
        else None
    ),
)
F(
    "s-tok-migr",
    "9 legacy completed-with-error becomes error: only token limit one completed",
    cq=lambda x, c, q, d: (
        d.update(state={"completed": {}}, answer="x")
        if q.st == "error" and q.fate == "TOKEN_LIMIT" and x.b.get("name", "").startswith("users/~self")
        else None
    ),
)


def ign(i, idx):
    def f(x):
        if x.i == i and x.op == "cancel" and ok(x) and x.c:
            for q in x.c.qs:
                if q.st == "canceled" and (q.idx > 0) == idx and not hasattr(q, "ig"):
                    q.st = "processing"
                    q.done = time.time() + 0.3
                    q.ig = 1

    return f


F("cancel-ign-fu-l", "1 can be cancelled: ignored for follow-ups", resp=ign("l", True))
F("cancel-ign-first-l", "1 can be cancelled: ignored for first question", resp=ign("l", False))
F("cancel-ign-c", "1 can be cancelled", resp=ign("c", False))
F(
    "quota-completes",
    "8 Exceeding the quota ends in the quota error: question of quota user completes",
    authed=lambda x: setattr(x.u, "behave", None) if x.u.behave == "QUOTA" else None,
)
F(
    "quota-fails-legacy-only",
    "8",
    cq=lambda x, c, q, d: (
        d.update(state={"completed": {}}, answer="x") if q.st == "error" and q.fate == "QUOTA" else None
    ),
)
F(
    "ent-kind-wrong",
    "8 entitlement in legacy: kind QuotaExceeded",
    lq=lambda x, c, q, d: (
        d["error"].update(kind="TokenLimitExceeded") if q.st == "error" and q.fate == "ENTITLEMENT" else None
    ),
)
F(
    "list-stale-q",
    "list without follow-ups",
    lc=lambda x, c, d: d.__setitem__("questions", d["questions"][:1]) if x.op == "list" else None,
)
F("summary-title-other", "x", cs=put("createTime", "2020-01-01T00:00:00Z"))
F("l-405-head", "x", authed=lambda x: None)
F(
    "fu-mismatch-moves",
    "4.1 conversation_id must equal: question lands in the other conversation",
    flags=["no-id-check"],
)
for o in ("create", "add", "cancel", "delete"):
    F("scope2-open-" + o, "5 must carry scope", scope=lambda x, o=o: x.op == o, flags=["read-writes"])
F(
    "del-canceled-stay",
    "1 deleted: a conversation whose question was canceled stays for ever (accepts deletes)",
    **dig(lambda x, c: c.qs[0].st == "canceled" and x.op in ("get", "delete"))
)
F(
    "del-second-c",
    "1 deleted: only token-limit conversations stay, both interfaces",
    **dig(lambda x, c: c.qs[0].text.startswith("lorem") and x.op in ("get", "delete"))
)
