"""A server of both conversation interfaces, written from their document alone."""

import argparse, base64, json, random, sys, threading, time, datetime, re
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit, parse_qs
import importlib

L = threading.RLock()


class U:
    pass


class Conv:
    pass


class Q:
    pass


class S:  # settings, which faults and variations change
    lat = 0.35
    flags = set()
    hooks = {}
    first_id = 41
    sharing = True
    step = 1
    cap = 50


def on(f):
    return f in S.flags


TOK = {}


def user(id, name, tokens, behave=None):
    u = U()
    u.id = id
    u.name = name
    u.asked = 0
    u.behave = behave
    for t, kind, scopes in tokens:
        TOK[t] = (u, kind, scopes)
    return u


RW = {"externalapi:read", "externalapi:write"}


def mk():
    user(
        7,
        "alice",
        [
            ("sgp_main_token_1", "access", RW),
            ("sgo_main_token_1", "oauth", RW),
            ("sgp_unscoped_tok", "access", set()),
            ("sgo_unscoped_tok", "oauth", set()),
            ("sgp_read_token_1", "access", {"externalapi:read"}),
            ("sgp_write_token_1", "access", {"externalapi:write"}),
        ],
    )
    user(8, "bob", [("sgp_other_token_1", "access", RW)])
    user(9, "quincy", [("sgp_quota_token_1", "access", RW)], "QUOTA")
    user(10, "ernie", [("sgp_entitled_user_token", "access", RW)], "ENTITLEMENT")


CONV = {}
NEXT = [0]
QN = [900]
DEAD = set()


def iso(t):
    return datetime.datetime.fromtimestamp(t, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"


STATS = "time_millis tool_calls total_input_tokens cached_tokens cache_creation_input_tokens prompt_tokens completion_tokens total_tokens credits".split()


def newq(c, u, text):
    q = Q()
    q.id = QN[0]
    QN[0] += 1
    q.c = c
    q.text = text
    q.t0 = time.time()
    q.t1 = q.t0
    q.done = q.t0 + S.lat * (0.7 + random.random() * 0.6)
    q.st = "processing"
    q.err = None
    q.idx = len(c.qs)
    q.polls = 0
    q.dp = 0
    q.stats = {k: 0 for k in STATS}
    q.fate = u.behave or ("TOKEN_LIMIT" if len(text) > 20000 else None)
    c.qs.append(q)
    c.up = q.t0
    u.asked += 1
    return q


def settle(c):
    n = time.time()
    for q in c.qs:
        if q.st == "processing" and n >= q.done and not on("never-done"):
            q.t1 = q.done
            c.up = max(c.up, q.done)
            q.st = "error" if q.fate else "completed"
            s = {
                "time_millis": int((q.done - q.t0) * 1000),
                "tool_calls": 3,
                "total_input_tokens": 1200,
                "cached_tokens": 200,
                "cache_creation_input_tokens": 50,
                "prompt_tokens": 1200,
                "completion_tokens": 300,
                "total_tokens": 1500,
                "credits": 2,
            }
            if q.st == "completed":
                q.stats = s


def hook(n, *a):
    r = None
    for h in S.hooks.get(n, []):
        r = h(*a)
    return r


KIND = {
    "QUOTA": "QuotaExceeded",
    "ENTITLEMENT": "EntitlementExceeded",
    "TOKEN_LIMIT": "TokenLimitExceeded",
    "INTERNAL": "Internal",
}
CODE = {
    "QUOTA": "ERROR_QUOTA_EXCEEDED",
    "ENTITLEMENT": "ERROR_ENTITLEMENT_EXCEEDED",
    "TOKEN_LIMIT": "ERROR_TOKEN_LIMIT_EXCEEDED",
    "INTERNAL": "ERROR_INTERNAL",
}


def ans(q):
    return "## Answer\n\nFound it in `main.go` for: " + q.text[:60]


def lq(x, c, q):
    d = {
        "id": q.id,
        "conversation_id": c.id,
        "question": q.text,
        "created_at": iso(q.t0),
        "updated_at": iso(q.t1),
        "status": "processing" if q.st == "processing" else "completed",
        "turns": [{"reasoning": q.text, "timestamp": int(q.t0), "role": "user"}],
        "stats": dict(q.stats),
        "suggested_followups": None,
    }
    if q.st != "processing":
        d["title"] = "About " + q.text[:20]
    if q.st == "completed":
        d.update(
            answer=ans(q),
            sources=[{"type": "Repository", "link": "/github.com/a/b", "label": "github.com/a/b"}],
            suggested_followups=["And why?"],
        )
    if q.st == "error":
        d["error"] = {"title": "It failed", "kind": KIND[q.fate], "message": "Processing failed", "details": "none"}
    if q.st == "canceled":
        d["error"] = {"title": "Canceled", "kind": "Canceled", "message": "The question was canceled", "details": ""}
    q.polls += 1
    if q.st != "processing":
        q.dp += 1
    hook("lq", x, c, q, d)
    return d


def lc(x, c):
    d = {
        "id": c.id,
        "questions": [lq(x, c, q) for q in c.qs],
        "created_at": iso(c.t0),
        "updated_at": iso(c.up),
        "user_id": c.u.id,
        "read_token": c.rt,
        "share_url": x.base + "/deepsearch/shared/" + c.rt,
        "viewer": {"is_owner": c.u is x.u},
        "quota_usage": {"total_quota": x.u.asked, "quota_limit": 1000, "reset_time": iso(1830000000)},
    }
    hook("lc", x, c, d)
    return d


def nm(c):
    return "users/%s/conversations/%s" % (c.u.name, c.id)


def cq(x, c, q):
    stt = (
        {} if q.st != "error" else {"code": CODE[q.fate], "message": "Processing failed", "retry_time": iso(1830000000)}
    )
    d = {
        "name": nm(c) + "/questions/%d" % q.id,
        "input": [{"question": {"text": q.text}}],
        "state": {q.st: stt},
        "createTime": iso(q.t0),
    }
    if q.st == "completed":
        d["answer"] = ans(q)
    q.polls += 1
    if q.st != "processing":
        q.dp += 1
    hook("cq", x, c, q, d)
    return d


def cc(x, c):
    d = {
        "name": nm(c),
        "questions": [cq(x, c, q) for q in c.qs],
        "createTime": iso(c.t0),
        "updateTime": iso(c.up),
        "state": None,
    }
    d["state"] = dict(d["questions"][-1].get("state") or {}) if d["questions"] else {}
    if not on("conv-state"):
        del d["state"]
    hook("cc", x, c, d)
    return d


class Err(Exception):
    def __init__(s, st, msg, code=""):
        s.st = st
        s.msg = msg
        s.code = code


def getc(x, id):
    c = CONV.get(id)
    if c is None or (c.u is not x.u):
        raise Err(404, "conversation not found", "not_found")
    settle(c)
    return c


def create(x, text):
    c = Conv()
    c.id = S.first_id + NEXT[0] * S.step
    NEXT[0] += 1
    c.u = x.u
    c.qs = []
    c.t0 = c.up = time.time()
    c.rt = "rt-%032x" % random.getrandbits(128)
    newq(c, x.u, text)
    c.t0 = c.up = c.qs[0].t0
    CONV[c.id] = c
    x.c = c
    return c


def mine(x):
    r = [c for c in CONV.values() if c.u is x.u]
    for c in r:
        settle(c)
    return r


def integer(s, what):
    if not re.fullmatch(r"-?\d+", str(s)):
        raise Err(400, what + " must be an integer", "invalid_argument")
    return int(s)


def llist(x):
    p = x.q
    g = lambda k: p.get(k, [None])[0]
    r = mine(x)
    if g("filter_read_token") is not None:
        t = g("filter_read_token")
        r = [c for c in CONV.values() if c.rt == t and (c.u is x.u or S.sharing)]
        for c in r:
            settle(c)
    if g("filter_id") is not None and not on("no-filter-id"):
        i = integer(g("filter_id"), "filter_id")
        r = [c for c in r if c.id == i]
    if g("filter_user_id") is not None and not on("no-filter-user"):
        i = integer(g("filter_user_id"), "filter_user_id")
        r = [c for c in r if c.u.id == i]
    if g("filter_is_starred") is not None:
        v = g("filter_is_starred")
        if v not in ("true", "false"):
            raise Err(400, "filter_is_starred must be true or false")
        if v == "true":
            r = []
    s = g("sort") or "-updated_at"
    if on("default-sort") and not g("sort"):
        s = "-id"
    keys = {"id": lambda c: (c.id,), "created_at": lambda c: (c.t0, c.id), "updated_at": lambda c: (c.up, c.id)}
    if s.lstrip("-") not in keys or s.count("-") > 1:
        raise Err(400, "sort is not known")
    s = S.__dict__.get("sortmap", {}).get(s, s)
    r.sort(key=keys[s.lstrip("-")], reverse=s.startswith("-"))
    rr = hook("lorder", x, r)
    r = rr if rr is not None else r
    n = S.cap
    if g("page_first") is not None:
        n = min(integer(g("page_first"), "page_first"), S.cap)
        if n < 1:
            raise Err(400, "page_first must be positive")
    a = g("page_after")
    if a and not on("ignore-after"):
        try:
            after = int(base64.b64decode(a).decode().split(":")[1])
        except Exception:
            raise Err(400, "page_after is not a cursor")
        ids = [c.id for c in r]
        off = S.__dict__.get("after_off", 1)
        r = r[ids.index(after) + off :] if after in ids else []
    n = (
        max(0, n + S.__dict__.get("page_off", 0))
        if g("page_first") is not None and not (on("off-second") and not a)
        else n
    )
    if on("no-page-first"):
        n = S.cap
    page = r[:n]
    more = len(r) > n
    d = {
        "conversations": [lc(x, c) for c in page],
        "page_info": {
            "has_next_page": more,
            "end_cursor": base64.b64encode(b"c:%d" % page[-1].id).decode() if page else None,
        },
    }
    if not more:
        d["page_info"]["end_cursor"] = None
    hook("ll", x, d, page, r, bool(a))
    return d


def summary(x, c):
    d = {"name": nm(c), "title": c.qs[0].text[:40] if c.qs else "", "createTime": iso(c.t0), "updateTime": iso(c.up)}
    hook("cs", x, c, d)
    return d


def clist(x):
    r = mine(x)
    r.sort(key=lambda c: (c.up, c.id), reverse=True)
    b = x.b
    rr = hook("corder", x, r)
    r = rr if rr is not None else r
    n = b.get("pageSize", b.get("page_size")) or S.cap
    n = min(int(n), S.cap)
    t = b.get("pageToken") or b.get("page_token")
    if t:
        try:
            k = int(base64.b64decode(t).decode()[1:])
        except Exception:
            raise Err(400, "bad page token", "invalid_argument")
        ids = [c.id for c in r]
        r = r[ids.index(k) + 1 :] if k in ids else []
    page = r[:n]
    d = {
        "conversationSummaries": [summary(x, c) for c in page],
        "nextPageToken": base64.b64encode(b"p%d" % page[-1].id).decode() if len(r) > n else "",
    }
    hook("cl", x, d, page, bool(t))
    return d


def cancel(x, c, qs, leg):
    for q in qs:
        q.st = "canceled"
        q.t1 = time.time()
        c.up = q.t1
        if on("cancel-ignored") or on("cancel-ignored-" + x.i):
            q.st = "processing"


def delete(x, c):
    if on("keep-deleted") or on("keep-deleted-" + x.i):
        return
    CONV.pop(c.id, None)
    DEAD.add(c.id)


def need_text(t):
    if not isinstance(t, str) or not t.strip():
        raise Err(400, "question must be a non-empty string", "invalid_argument")
    return t


def legacy(x):
    p = x.path[len("/.api/deepsearch/v1") :].rstrip("/")
    m = x.m
    if p == "":
        if m == "GET":
            x.op = "list"
            x.gate()
            return 200, llist(x)
        if m == "POST":
            x.op = "create"
            x.gate()
            return 202, lc(x, create(x, need_text(x.obj().get("question"))))
        raise Err(405, "method not allowed")
    mm = re.fullmatch(r"/([^/]+)(/questions(/([^/]+)/cancel)?)?", p)
    if not mm:
        x.op = "unknown"
        x.gate()
        raise Err(404, "no such path")
    x.op = "cancel" if mm[3] else "add" if mm[2] else "delete" if m == "DELETE" else "get"
    x.gate()
    if m != {"cancel": "POST", "add": "POST", "delete": "DELETE", "get": "GET"}[x.op]:
        raise Err(405, "method not allowed")
    id = integer(mm[1], "id")
    c = getc(x, id)
    x.c = c
    if x.op == "get":
        return 200, lc(x, c)
    if x.op == "delete":
        delete(x, c)
        return 200, {}
    if x.op == "add":
        b = x.obj()
        if b.get("conversation_id") != c.id and not on("no-id-check"):
            raise Err(400, "conversation_id must equal the id in the path")
        newq(c, x.u, need_text(b.get("question")))
        return 202, lc(x, c)
    qid = integer(mm[4], "question id")
    qs = [q for q in c.qs if q.id == qid]
    if not qs:
        raise Err(404, "question not found")
    if qs[0].st != "processing":
        if on("cancel-completed"):
            return 200, lc(x, c)
        raise Err(400, "question is not processing")
    cancel(x, c, qs, True)
    return 200, lc(x, c)


def current(x):
    op = x.path[len("/api/deepsearch.v1.Service/") :]
    x.op = {
        "CreateConversation": "create",
        "GetConversation": "get",
        "ListConversationSummaries": "list",
        "AddConversationQuestion": "add",
        "CancelConversation": "cancel",
        "DeleteConversation": "delete",
    }.get(op, "unknown")
    x.gate()
    if x.op == "unknown":
        raise Err(404, "unknown method", "unimplemented")
    if x.m != "POST":
        raise Err(405, "method not allowed", "unimplemented")
    b = x.obj()

    def qtext(q):
        try:
            t = q["input"][0]["question"]["text"]
        except Exception:
            raise Err(400, "question.input[].question.text is required", "invalid_argument")
        return need_text(t)

    def par(p):
        if p is not None and p not in ("users/~self", "users/" + x.u.name):
            raise Err(403, "not your parent", "permission_denied")

    if x.op == "create":
        par(b.get("parent"))
        try:
            q = b["conversation"]["questions"][0]
        except Exception:
            raise Err(400, "conversation.questions is required", "invalid_argument")
        return 200, cc(x, create(x, qtext(q)))
    if x.op == "list":
        par(b.get("parent"))
        return 200, clist(x)
    n = b.get("name") or b.get("conversation") or b.get("parent")
    mm = re.fullmatch(r"users/([^/]+)/conversations/(-?\d+)", n) if isinstance(n, str) else None
    if not mm:
        raise Err(400, "name is not a name of a conversation", "invalid_argument")
    if mm[1] not in ("~self", x.u.name):
        raise Err(404, "not found", "not_found")
    c = getc(x, int(mm[2]))
    x.c = c
    if x.op == "get":
        return 200, cc(x, c)
    if x.op == "delete":
        delete(x, c)
        return 200, {}
    if x.op == "add":
        q = (
            b.get("question")
            or (b.get("questions") or [None])[0]
            or ((b.get("conversation") or {}).get("questions") or [None])[0]
            if not isinstance(b.get("conversation"), str)
            else b.get("question")
        )
        newq(c, x.u, qtext(q))
        return 200, cc(x, c)
    qs = [q for q in c.qs if q.st == "processing"]
    cancel(x, c, qs, False)
    return 200, cc(x, c)


OPENAPI = {
    "openapi": "3.0.3",
    "info": {"title": "API", "version": "7.0"},
    "paths": {
        "/api/deepsearch.v1.Service/"
        + o: {
            "post": {
                "operationId": o,
                "requestBody": {"content": {"application/json": {"schema": {"type": "object"}}}},
                "responses": {
                    "200": {"description": "ok", "content": {"application/json": {"schema": {"type": "object"}}}}
                },
            }
        }
        for o in "CreateConversation GetConversation ListConversationSummaries AddConversationQuestion CancelConversation DeleteConversation".split()
    },
}


class H(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *a):
        pass

    def do(self):
        x = self.x = type("X", (), {})()
        x.h = self
        u = urlsplit(self.path)
        x.path = u.path
        x.q = parse_qs(u.query, keep_blank_values=True)
        x.m = self.command
        x.body = self.rfile.read(int(self.headers.get("content-length") or 0))
        x.op = "?"
        x.c = None
        x.u = None
        x.kind = None
        x.tok = None
        x.base = "http://" + self.headers.get("host", "x")
        x.i = "l" if x.path.startswith("/.api/deepsearch/v1") else "c" if x.path.startswith("/api/deepsearch") else "r"
        x.hdr = {}
        x.ct = "application/json"
        x.raw = None
        x.b = {}

        def obj():
            try:
                b = json.loads(x.body or b"null")
            except Exception:
                raise Err(400, "body is not JSON", "invalid_argument")
            if not isinstance(b, dict):
                raise Err(400, "body is not an object", "invalid_argument")
            x.b = b
            return b

        x.obj = obj

        def gate():
            x.anon = False
            if hook("gate", x):
                return
            a = self.headers.get("authorization") or ""
            m = re.fullmatch(r"token (\S+)" if x.i == "l" else r"(?:token|Bearer) (\S+)", a)
            t = TOK.get(m[1]) if m else None
            if not t:
                raise Err(401, "the access token is missing or unknown", "unauthenticated")
            x.u, x.kind, x.scopes = t
            x.tok = m[1]
            if x.i == "c" and not x.scopes & RW and not hook("scope", x):
                raise Err(403, "scope externalapi:read or externalapi:write is required", "permission_denied")
            if (
                x.i == "c"
                and not on("read-writes")
                and x.op in ("create", "add", "cancel", "delete")
                and "externalapi:write" not in x.scopes
            ):
                raise Err(403, "scope externalapi:write is required", "permission_denied")
            hook("authed", x)

        x.gate = gate
        try:
            with L:
                if x.i == "l":
                    st, b = legacy(x)
                elif x.i == "c":
                    st, b = current(x)
                elif x.path.rstrip("/") == "/api-reference" or x.path in ("/api-reference/openapi.json",):
                    x.op = "ref"
                    st, b = self.ref(x)
                else:
                    raise Err(404, "no such path")
        except Err as e:
            st = e.st
            b = {"error": e.msg} if x.i != "c" else {"code": e.code or "unknown", "message": e.msg}
        except Exception as e:
            import traceback

            traceback.print_exc()
            st = 500
            b = {"error": repr(e)}
        x.st = st
        x.out = b
        r = hook("resp", x)
        out = x.raw if x.raw is not None else (json.dumps(x.out) + "\n").encode()
        self.send_response(x.st)
        self.send_header("content-type", x.ct)
        for k, v in x.hdr.items():
            self.send_header(k, v)
        if x.st != 204:
            self.send_header("content-length", str(len(out)))
        self.end_headers()
        if x.st != 204:
            self.wfile.write(out)

    do_GET = do_POST = do_DELETE = do_PUT = do_PATCH = do_HEAD = do_OPTIONS = do

    def ref(self, x):
        if "text/html" in (self.headers.get("accept") or "") and x.path.endswith("reference"):
            x.ct = "text/html"
            x.raw = b'<html><a href="/api-reference/openapi.json">OpenAPI</a></html>'
        return 200, OPENAPI


class Srv(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


def main():
    # The tables import this program by its name.
    sys.modules["server"] = sys.modules["__main__"]
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--fault", metavar="NAME", help="break one sentence")
    parser.add_argument("--variation", metavar="NAME", help="use one freedom")
    parser.add_argument("--list", action="store_true", help="list both, one JSON line each")
    options = parser.parse_args()
    from faults import FAULTS, VARS
    import variations

    if options.list:
        for kind, table in (("fault", FAULTS), ("variation", VARS)):
            for name, (sentence, _) in table.items():
                print(json.dumps({"name": name, "kind": kind, "api": "migration", "sentence": sentence}))
        return
    for name, table in ((options.fault, FAULTS), (options.variation, VARS)):
        if name:
            S.sharing = S.sharing and not name.startswith("shoff")
            for what, how in table[name][1].items():
                if what == "flags":
                    S.flags |= set(how)
                elif what == "set":
                    for member, value in how.items():
                        setattr(S, member, value)
                else:
                    S.hooks.setdefault(what, []).append(how)
    mk()
    served = Srv(("127.0.0.1", options.port), H)
    tokens = {
        "owner": "sgp_main_token_1",
        "oauth": "sgo_main_token_1",
        "unscoped": "sgp_unscoped_tok",
        "oauth_unscoped": "sgo_unscoped_tok",
        "other": "sgp_other_token_1",
        "read": "sgp_read_token_1",
        "write": "sgp_write_token_1",
        "quota_used": "sgp_quota_token_1",
        "unentitled": "sgp_entitled_user_token",
    }
    print(json.dumps({"url": "http://127.0.0.1:%d" % served.server_address[1], "tokens": tokens}), flush=True)
    threading.Thread(target=served.serve_forever, daemon=True).start()
    # Whoever started the server ends it by closing this.
    sys.stdin.read()


if __name__ == "__main__":
    main()
