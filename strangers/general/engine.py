"""A small fixed corpus and a plain search over it.

The corpus is made by templates so that common words appear often enough, yet
the text of every file is the same in each run.
"""

import hashlib
import re

PER_LINE, PER_DOCUMENT, PER_REPOSITORY, DEFAULT_TOTAL = 8, 40, 30, 500
LANGUAGES = {"py": "Python", "go": "Go", "ts": "TypeScript", "md": "Markdown", "txt": "Text", "csv": "CSV"}
TYPES = ("content", "path", "file", "symbol", "commit", "diff", "repo")
FILTER_NAMES = {"repo": "repo", "r": "repo", "file": "file", "f": "file", "path": "file", "lang": "lang",
                "language": "lang", "l": "lang", "type": "type", "count": "count",
                "patterntype": "patterntype", "archived": "archived", "case": "case",
                "fork": "fork", "timeout": "timeout", "author": "author"}


class QueryProblem(Exception):
    pass


class File:
    def __init__(self, path, text):
        self.path, self.text = path, text
        self.lines = text.split("\n")[:-1]
        self.language = LANGUAGES[path.rsplit(".", 1)[1]]
        self.symbols = []
        for number, line in enumerate(self.lines):
            found = re.match(r"(?:export )?(def|func|function) (\w+)", line)
            if found:
                self.symbols.append((found.group(2), number))


class Repository:
    def __init__(self, number, name, stars, files, archived=False):
        self.number, self.name, self.stars, self.archived = number, name, stars, archived
        self.files = [File(p, t) for p, t in files]
        self.head = hashlib.sha1(name.encode()).hexdigest()
        self.commits = []
        subjects = ("fix error in %s", "add test for %s", "return early from %s", "move import of %s",
                    "document function %s")
        for index, subject in enumerate(subjects):
            topic = self.files[index % len(self.files)].path
            message = subject % topic
            self.commits.append({
                "oid": hashlib.sha1((name + message).encode()).hexdigest(), "message": message,
                "author": ("Noor", "Ilse", "Teun")[index % 3],
                "diff": "%s %s\n@@ -1,2 +1,2 @@\n-old line %d\n+new line with test and error %d\n"
                        % (topic, topic, index, index)})


def python_file(topic, count=4, archived=False):
    out = ["import json", "import %s_core" % topic, "from %s_core import limits" % topic, "import time", ""]
    for n in range(count):
        out += ["def %s_step_%d(value):" % (topic, n),
                '    """One function of %s; a test covers it."""' % topic,
                "    if value is None:", '        raise ValueError("error: no value for %s %d")' % (topic, n),
                "    return value + %d  # naïve total, café ☕ %s" % (n, topic), ""]
    if archived:
        out += ["# attic marker", ""]
    return "\n".join(out) + "\n"


def go_file(topic, count=4):
    out = ["package %s" % topic, "", 'import "fmt"', 'import "errors"', 'import "time"', ""]
    for n in range(count):
        out += ["// function %s %d handles one request and reports an error" % (topic, n),
                "func %sStep%d(n int) error {" % (topic.capitalize(), n),
                "\tif n < %d {" % n, '\t\treturn errors.New("error in %s: the value is far too small to go on with this request")' % topic,
                "\t}", "\treturn nil // test passes", "}", ""]
    return "\n".join(out) + "\n"


def ts_file(topic, count=4):
    out = ['import { read } from "./read";', 'import { write } from "./write";', 'import * as fs from "fs";', ""]
    for n in range(count):
        out += ["export function %s%d(input: string): string {" % (topic, n),
                "  // the test of this function expects an error for empty input",
                '  if (!input) throw new Error("error %d");' % n, "  return input + %d;" % n, "}", ""]
    return "\n".join(out) + "\n"


NOTES = """Notes on the tools
Ein größerer Test: naïve Übung, error handling in the café ☕☕ error
漢字 test 漢字 function 漢字
To import a table call the function twice and return
tick tick tick tick tick tick tick tick tick tick tick tick tick tick
a last line with a test and an error and a return and an import
"""

REPOSITORIES = [
    Repository(1, "forge.example/acme/ledger", 120, [
        ("src/ledger.py", python_file("ledger")), ("src/ledger_test.py", python_file("ledgertest", 3)),
        ("README.md", "# Ledger\n\nRun the test suite. On error see the docs.\nYou import it and call a function.\n")]),
    Repository(2, "forge.example/acme/gateway", 0, [
        ("cmd/main.go", go_file("gateway")), ("internal/server.go", go_file("server")),
        ("internal/server_test.go", go_file("servertest", 3))]),
    Repository(3, "forge.example/tools/parser", 7, [
        ("lib/parse.ts", ts_file("parse")), ("lib/parse.test.ts", ts_file("check", 3)), ("docs/notes.txt", NOTES)]),
    Repository(4, "forge.example/tools/bulk", 1, [
        ("rows.csv", "".join("row %d;samplerow\n" % n for n in range(60)))] + [
        ("notes/n%02d.txt" % n, "first\nbulkword number %d\nlast\n" % n) for n in range(36)]),
    Repository(5, "forge.example/old/attic", 3, [("old.py", python_file("attic", 2, True))], archived=True),
]


class Plan:
    def __init__(self):
        self.filters = []          # (name, value, negated)
        self.pattern, self.mode, self.regexes = "", "standard", []
        self.count, self.types = None, []
        self.any_word = False

    def values(self, name, negated=False):
        return [v for n, v, neg in self.filters if n == name and neg == negated]


def safe_regex(text, flags):
    """Refuse patterns that could keep the process busy for long."""
    bare = text.replace("(?:", "(")
    if len(text) > 300 or len(re.findall(r"[*+{]", bare)) > 4 or \
            re.search(r"[+*}]\)*[+*{]|\([^)]*[+*}|?][^)]*\)[+*{]", bare):
        raise QueryProblem("the regular expression is too costly")
    try:
        return re.compile(text, flags)
    except (re.error, OverflowError, RecursionError) as problem:
        raise QueryProblem("the regular expression is not valid: %s" % problem)


def parse(q, t, *, filters_known=True, type_parameter_wins=False, any_word=False):
    plan = Plan()
    plan.any_word = any_word
    words = []
    for token in re.findall(r'-?\w+:"(?:\\.|[^"\\])*"|"(?:\\.|[^"\\])*"|\S+', q[:4000]):
        found = re.match(r"(-?)(\w+):(.*)$", token, re.S)
        name = FILTER_NAMES.get(found.group(2).lower()) if found and filters_known else None
        if name:
            value = found.group(3)
            if len(value) > 1 and value[0] == value[-1] == '"':
                value = value[1:-1]
            plan.filters.append((name, value, bool(found.group(1))))
        else:
            words.append(token)
    flags = 0 if "yes" in plan.values("case") else re.I
    plan.mode = t
    if plan.values("patterntype") and not type_parameter_wins:
        plan.mode = plan.values("patterntype")[-1].lower()
        if plan.mode == "literal":
            plan.mode = "standard"
    if plan.mode not in ("keyword", "standard", "regexp"):
        raise QueryProblem("the pattern type %r is not known" % plan.mode)
    for value in plan.values("count"):
        if value.lower() == "all":
            plan.count = "all"
        elif value.isascii() and value.isdigit() and len(value) < 10 and int(value) > 0:
            plan.count = int(value)
        else:
            raise QueryProblem("count: needs a positive number or all")
    for value in plan.values("type"):
        if value.lower() not in TYPES:
            raise QueryProblem("the type %r is not known" % value)
        plan.types += ["content", "path"] if value.lower() == "file" else [value.lower()]
    for name in ("repo", "file"):
        for value in plan.values(name) + plan.values(name, True):
            safe_regex(value.split("@")[0] if name == "repo" else value, re.I)
    plan.pattern = " ".join(words)
    if not words:
        if not plan.filters:
            raise QueryProblem("the query is empty")
        plan.regexes = []
    elif plan.mode == "keyword":
        plan.regexes = [re.compile(re.escape(w.strip('"')), flags) for w in words if w.strip('"')]
    elif plan.mode == "regexp":
        plan.regexes = [safe_regex(plan.pattern, flags)]
    elif len(plan.pattern) > 2 and plan.pattern[0] == plan.pattern[-1] == "/":
        plan.regexes = [safe_regex(plan.pattern[1:-1], flags)]
    else:
        plan.regexes = [re.compile(re.escape(plan.pattern), flags)]
    return plan


def ranges_in(plan, text):
    """Non-overlapping [start, length] pairs of every hit in the text."""
    spans = sorted((m.start(), m.end()) for r in plan.regexes for m in r.finditer(text) if m.end() > m.start())
    out, last = [], 0
    for start, end in spans:
        if start >= last:
            out.append((start, end - start))
            last = end
    return out


def chosen(plan, name, text):
    cut = (lambda v: v.split("@")[0]) if name == "repo" else (lambda v: v)
    return (all(re.search(cut(v), text, re.I) for v in plan.values(name))
            and not any(re.search(cut(v), text, re.I) for v in plan.values(name, True)))


def language_chosen(plan, language):
    return (all(v.lower() == language.lower() for v in plan.values("lang"))
            and not any(v.lower() == language.lower() for v in plan.values("lang", True)))


def searched_repositories(plan, archived):
    return [r for r in REPOSITORIES if r.archived == archived and chosen(plan, "repo", r.name)]


class Found:
    """One result before it is put into the form of the document."""

    def __init__(self, kind, repo, file=None, path_ranges=(), lines=(), symbols=(), commit=None):
        self.kind, self.repo, self.file = kind, repo, file
        self.path_ranges, self.lines = list(path_ranges), list(lines)
        self.symbols, self.commit = list(symbols), commit


def search_repository(plan, repo, unlimited, hit):
    kinds = plan.types or ["content", "path", "repo"]
    only_repo_filters = not plan.regexes and not plan.values("file") and not plan.values("lang")
    if not plan.regexes and not plan.types:
        kinds = ["repo"] if only_repo_filters else ["path"]
    need = any if plan.any_word else all
    found = []
    if "repo" in kinds and not plan.values("file") and not plan.values("lang"):
        if need(r.search(repo.name) for r in plan.regexes) if plan.regexes else True:
            found.append(Found("repo", repo))
    for file in repo.files:
        if not chosen(plan, "file", file.path) or not language_chosen(plan, file.language):
            continue
        on_path = ranges_in(plan, file.path)
        path_ok = need(r.search(file.path) for r in plan.regexes) if plan.regexes else True
        taken = False
        if "content" in kinds and plan.regexes and need(
                r.search(file.text) or r.search(file.path) for r in plan.regexes):
            lines = []
            for number, line in enumerate(file.lines):
                hits = ranges_in(plan, line)
                if len(hits) > PER_LINE and not unlimited:
                    hits = hits[:PER_LINE]
                    hit.add("line")
                if hits:
                    lines.append((number, hits))
            if len(lines) > PER_DOCUMENT and not unlimited:
                lines = lines[:PER_DOCUMENT]
                hit.add("document")
            if lines:
                found.append(Found("content", repo, file, on_path, lines))
                taken = True
        if "path" in kinds and path_ok and not taken:
            found.append(Found("path", repo, file, on_path))
        if "symbol" in kinds:
            symbols = [s for s in file.symbols if all(r.search(s[0]) for r in plan.regexes)]
            if symbols:
                found.append(Found("symbol", repo, file, symbols=symbols))
    if not plan.values("file") and not plan.values("lang"):
        for commit in repo.commits:
            if "commit" in kinds and need(r.search(commit["message"]) for r in plan.regexes):
                found.append(Found("commit", repo, commit=commit))
            if "diff" in kinds and need(r.search(commit["diff"]) for r in plan.regexes):
                found.append(Found("diff", repo, commit=commit))
    if len(found) > PER_REPOSITORY and not unlimited:
        found = found[:PER_REPOSITORY]
        hit.add("repository")
    return found


def search(plan, *, cap_all=False):
    """All results in a fixed order, the limits that were hit, and the archived results left out."""
    unlimited = (plan.count == "all" and not cap_all) or (isinstance(plan.count, int) and plan.count >= 1000)
    wanted = [v.lower() for v in plan.values("archived")]
    with_archived, without_live = bool({"yes", "only"} & set(wanted)), "only" in wanted
    hit, found, left_out = set(), [], []
    repos = [] if without_live else searched_repositories(plan, False)
    if with_archived:
        repos = repos + searched_repositories(plan, True)
    else:
        for repo in searched_repositories(plan, True):
            left_out += search_repository(plan, repo, unlimited, set())
    for repo in repos:
        found += search_repository(plan, repo, unlimited, hit)
    if not unlimited and len(found) > DEFAULT_TOTAL:
        found = found[:DEFAULT_TOTAL]
        hit.add("total")
    return found, hit, left_out, repos
