# -*- coding: utf-8 -*-
"""Conforming streaming search: corpus, query, search -> list of [event, data]."""
import hashlib, json, random, re, time, copy
from urllib.parse import parse_qsl, unquote_plus

R = random.Random(7)
EXT = {'go': ('Go', 'go'), 'py': ('Python', 'python'), 'ts': ('TypeScript', 'typescript'), 'md': ('Markdown', 'markdown')}
WORDS = 'server client error test config request response handler stream index query match parse token user data value'.split()

class Repo: pass
def mkrepo(i, name, stars, archived, exts):
    r = Repo(); r.id = 100 + i * 7; r.name = name; r.stars = stars; r.archived = archived
    r.commit = hashlib.sha1(name.encode()).hexdigest(); r.fetched = '2024-05-%02dT10:%02d:00Z' % (10 + i, 3 * i)
    r.branches = ['main']; r.files = []
    for n in range(13):
        ext = exts[n % len(exts)]; w = WORDS[(n * 3 + i) % len(WORDS)]
        d = ['src', 'internal/test', 'lib', 'docs'][n % 4]
        path = '%s/%s_%d.%s' % (d, w, n, ext)
        L = []
        for k in range(44):
            a, b, c = R.choice(WORDS), R.choice(WORDS), R.choice(WORDS)
            m = k % 11
            if m == 0:
                L.append({'go': 'func %s%s() error {', 'py': 'def %s_%s():', 'ts': 'export function %s%s() {', 'md': '## %s %s'}[ext] % (a, b.title() if ext != 'py' else b))
            elif m == 1: L.append('\t%s := %s.%s("%s")' % (a, b, c, a))
            elif m == 2: L.append('')
            elif m == 3 and n % 3 == 0: L.append('    // übermäßig %s 😀 %s und test → %s' % (a, b, c))
            elif m == 4 and n % 4 == 1: L.append('    ' + ' '.join(R.choice(WORDS) for _ in range(60)))
            elif m == 5: L.append('    if %s == nil { return %s, Test%s }' % (a, b, c.title()))
            elif m == 6: L.append('    # TODO fix the %s of %s; test foo.bar(%s)' % (a, b, c))
            elif m == 7: L.append('    return %s(%s[0], "\\t<%s> & \'x\'")' % (a, b, c))
            else: L.append('    %s %s %s;' % (a, b, c))
        r.files.append((path, EXT[ext][0], L))
    r.commits = [('%s %s in %s' % (R.choice(['Fix', 'Add', 'Remove', 'test']), R.choice(WORDS), R.choice(WORDS)),
                  hashlib.sha1((name + str(k)).encode()).hexdigest()) for k in range(12)]
    return r
REPOS = [mkrepo(0, 'github.com/acme/alpha', 42, False, ['go', 'md']), mkrepo(1, 'github.com/acme/beta', 7, False, ['py', 'go']),
         mkrepo(2, 'github.com/acme/gamma-test', 1234, False, ['ts', 'py']), mkrepo(3, 'github.com/acme/old', 3, True, ['go', 'ts'])]

UNIT = 'range'   # what counts as a match: range, line, object (left open)
class Bad(Exception): pass
FIELDS = {'repo': 'repo', 'r': 'repo', 'file': 'file', 'f': 'file', 'path': 'file', 'lang': 'lang', 'l': 'lang', 'language': 'lang', 'type': 'type',
          'count': 'count', 'patterntype': 'patternType', 'archived': 'archived', 'fork': 'fork', 'case': 'case', 'timeout': 'timeout',
          'context': 'context', 'select': 'select', 'rev': 'rev', 'author': 'author', 'before': 'before', 'after': 'after', 'content': 'content',
          'index': 'index', 'visibility': 'visibility', 'message': 'message'}

def parse(q, t, v):
    toks = re.findall(r'-?\w+:"(?:[^"\\]|\\.)*"|"(?:[^"\\]|\\.)*"|/(?:[^/\\]|\\.)+/|(?:\\.|\S)+', q)
    F = []; pats = []
    for tk in toks:
        m = re.match(r'(-?)(\w+):(.*)$', tk, re.S)
        if m and m.group(2).lower() in FIELDS:
            val = m.group(3)
            if val[:1] == '"' and val[-1:] == '"' and len(val) > 1: val = val[1:-1].replace('\\"', '"')
            F.append((FIELDS[m.group(2).lower()], m.group(1) == '-', val))
        else: pats.append(tk)
    Q = {'F': F, 'types': [x.lower() for f, n, x in F if f == 'type' and not n], 'count': None, 'pt': t}
    for f, n, x in F:
        if f == 'patternType': Q['pt'] = x.lower()
        if f == 'count':
            if x.lower() == 'all': Q['count'] = 'all'
            elif re.fullmatch(r'\d+', x) and int(x) > 0: Q['count'] = int(x)
            else: raise Bad('field count has value %s, which is not a positive number' % x)
        if f in ('repo', 'file'):
            try: re.compile(x.split('@')[0])
            except re.error as e: raise Bad('invalid regular expression %s: %s' % (x, e))
    for x in Q['types']:
        if x not in ('file', 'path', 'repo', 'commit', 'diff', 'symbol', 'content'): raise Bad('invalid type: %s' % x)
    if Q['pt'] not in ('keyword', 'standard', 'regexp', 'literal'): raise Bad('unknown pattern type %s' % Q['pt'])
    low = [p for p in pats]
    ors = [[]]
    for p in low:
        if p in ('OR', 'or'): ors.append([])
        elif p in ('AND', 'and') and Q['pt'] != 'literal': continue
        else: ors[-1].append(p)
    if len(ors) > 1 and any(not o for o in ors): raise Bad('expected operand next to OR')
    def bal(s):
        d = 0
        for ch in s:
            d += (ch == '(') - (ch == ')')
            if d < 0: return False
        return d == 0
    flags = 0 if any(f == 'case' and x in ('yes', 'true') for f, n, x in F) else re.I
    def cmpl(s):
        try: return re.compile(s, flags)
        except re.error as e: raise Bad('error parsing regexp: %s: `%s`' % (e, s))
    def one(p):
        if len(p) > 2 and p[0] == '/' and p[-1] == '/' and Q['pt'] in ('standard', 'keyword'): return p[1:-1]
        if len(p) > 1 and p[0] == '"' and p[-1] == '"' and Q['pt'] in ('keyword', 'regexp'): return re.escape(p[1:-1])
        return p if Q['pt'] == 'regexp' else re.escape(p)
    alts = []
    for o in ors:
        if not o: continue
        if Q['pt'] == 'keyword':
            if not bal(' '.join(o)): raise Bad('unbalanced expression')
            o = [x.strip('()') if x[0] in '()' or (x[-1] == ')' and '(' not in x) else x for x in o]
            alts.append([cmpl(one(p)) for p in o if p])
        elif Q['pt'] == 'regexp': alts.append([cmpl('(?:' + ').*?(?:'.join(one(p) for p in o) + ')')])
        else: alts.append([cmpl(' '.join(one(p) for p in o))])
    Q['alts'] = alts
    return Q

def spans(rx, s): return [(m.start(), m.end()) for m in rx.finditer(s) if m.end() > m.start()]
def allspans(alt_rxs, s):
    out = []
    for rx in alt_rxs: out += spans(rx, s)
    out.sort(); res = []
    for a, b in out:
        if res and a < res[-1][1]: continue
        res.append((a, b))
    return res
def yes(v): return str(v).lower() in ('1', 't', 'true')
def intp(v, d):
    try: return int(v)
    except (TypeError, ValueError): return d

def rx_repo_ok(F, r):
    for f, n, x in F:
        if f == 'repo':
            hit = re.search(x.split('@')[0], r.name, re.I) is not None
            if hit == n: return False
    return True
def file_ok(F, path, lang):
    for f, n, x in F:
        if f == 'file' and (re.search(x, path, re.I) is not None) == n: return False
        if f == 'lang' and (lang.lower() == x.lower()) == n: return False
    return True

def base(r): return {'repositoryID': r.id, 'repository': r.name, 'repoStars': r.stars, 'repoLastFetched': r.fetched, 'branches': list(r.branches), 'commit': r.commit}
def posn(line, col, off): return {'offset': off, 'line': line, 'column': col}

def search(p, on):
    """p: params dict. returns list of [name, data]; on(name) asks for a fault or variation."""
    t0 = time.time()
    q = p.get('q', ''); cm = yes(p.get('cm', 'false')); cl = max(0, intp(p.get('cl'), 1)); display = intp(p.get('display'), -1)
    mll = intp(p.get('max-line-len'), -1); v = p.get('v') or 'V3'; t = p.get('t') or 'standard'
    trace = 'https://search.example.com/-/debug/jaeger/trace/' + hashlib.md5(q.encode()).hexdigest()
    ev = []
    def prog(done, mc, rc, skipped):
        d = {'done': done, 'matchCount': mc, 'durationMs': int((time.time() - t0) * 1000) + 3 * len(ev) + 1, 'skipped': skipped, 'trace': trace}
        if done or rc: d['repositoriesCount'] = rc
        return ['progress', d]
    try:
        if not q.strip(): raise Bad('an empty query finds nothing')
        if v not in ('V1', 'V2', 'V3'): raise Bad('unrecognized version %s' % v)
        Q = parse(q, t, v)
    except Bad as e:
        ev.append(prog(False, 0, 0, []))
        ev.append(['alert', {'title': 'Unable To Process Query', 'description': str(e), 'kind': 'invalid-query', 'level': 'error', 'severity': 'error', 'proposedQueries': []}])
        ev.append(prog(True, 0, 0, [])); ev.append(['done', {}])
        return ev, {'cm': cm, 'q': q, 'alert': True, 'p': p, 'Q': None}
    F = Q['F']; types = Q['types']; alts = Q['alts']
    arch = [x.lower() for f, n, x in F if f == 'archived']
    archived = arch[-1] if arch else 'no'
    named_old = False
    count = Q['count']; limit = None if count == 'all' else (count or 500)
    repolimit = None if count is not None else 60
    linelimit = None if count is not None else 3
    found = 0; shown = 0; filt = {}; withm = []; skipped = []; excluded = 0; cut = False; dcut = False
    def lim(reason='shard-match-limit'):
        return {'reason': 'shard-match-limit', 'title': 'result limit hit', 'message': 'Not all results have been returned due to hitting a match limit. Sourcegraph has limits for the number of results returned from a line, document and repository.', 'severity': 'info', 'suggested': {'title': 'increase limit', 'queryExpression': 'count:1000'}}
    def addf(value, label, kind, n):
        if value in filt: filt[value]['count'] += n
        else: filt[value] = {'value': value, 'label': label, 'count': n, 'exhaustive': True, 'kind': kind}
    ev.append(prog(False, 0, 0, []))
    stop = False
    for r in REPOS:
        if stop: break
        if not rx_repo_ok(F, r): continue
        if r.archived and archived == 'no' and not any(f == 'repo' and not n and re.fullmatch(r'\^?github(\\)?\.com/acme/old\$?', x) for f, n, x in F):
            excluded += 1; continue
        if not r.archived and archived == 'only': continue
        batch = []; rcount = 0
        def take(n):   # how many of n may be found
            nonlocal found, stop, cut, rcount
            k = n
            if repolimit is not None and rcount + k > repolimit: k = max(0, repolimit - rcount); cut = True
            if limit is not None and found + k >= limit:
                if found + k > limit: cut = True
                k = limit - found; stop = True
            found += k; rcount += k
            return k
        def show(n):
            nonlocal shown, dcut
            if display < 0: shown += n; return n
            k = min(n, display - shown)
            if k < n: dcut = True
            shown += k
            return k
        hasfilelang = any(f in ('file', 'lang') for f, n, x in F)
        want = lambda x: (x in types) if types else None
        # repo matches
        if (want('repo') or (not types and not hasfilelang)):
            ok = (not alts) if True else False
            if alts: ok = any(all(rx.search(r.name) for rx in a) for a in alts)
            if ok and not (not alts and not types and any(f in ('file', 'lang') for f, n, x in F)):
                if take(1):
                    addf('type:repo', 'Repositories', 'type', 1); addf('repo:^%s$' % re.escape(r.name), r.name, 'repo', 1)
                    if show(1):
                        m = {'type': 'repo', 'repositoryID': r.id, 'repository': r.name, 'repoStars': r.stars, 'repoLastFetched': r.fetched, 'branches': list(r.branches)}
                        if r.archived: m['archived'] = True
                        batch.append(m)
        filesearch = not types or any(x in types for x in ('file', 'path', 'content'))
        if filesearch and (alts or hasfilelang or 'path' in types or 'file' in types):
            wantcontent = not types or 'file' in types or 'content' in types
            wantpath = not types or 'file' in types or 'path' in types
            for path, lang, L in r.files:
                if stop: break
                if not file_ok(F, path, lang): continue
                lines = []; psp = []
                if wantpath and alts:
                    for a in alts:
                        if all(rx.search(path) for rx in a): psp = allspans(a, path)
                if wantcontent:
                    for a in alts:
                        text = '\n'.join(L)
                        if all(rx.search(text) for rx in a):
                            for i, ln in enumerate(L):
                                s = allspans(a, ln)
                                if s: lines.append((i, s))
                    if len(alts) > 1:
                        mm = {}
                        for i, s in lines: mm.setdefault(i, set()).update(s)
                        lines = [(i, sorted(s)) for i, s in sorted(mm.items())]
                if lines:
                    res = []
                    for i, s in lines:
                        if stop: break
                        if linelimit is not None and len(s) > linelimit: s = s[:linelimit]; cut = True
                        if UNIT == 'object':
                            res.append((i, s)); continue
                        k = take(len(s) if UNIT == 'range' else 1)
                        if k: res.append((i, s[:k] if UNIT == 'range' else s))
                    if UNIT == 'object' and res and not take(1): res = []
                    n = 1 if UNIT == 'object' and res else len(res) if UNIT == 'line' else sum(len(s) for i, s in res)
                    if not n: continue
                    addf('lang:%s' % lang.lower(), lang, 'lang', n); addf('repo:^%s$' % re.escape(r.name), r.name, 'repo', n); addf('type:file', 'Code', 'type', n)
                    if path.endswith('.md'): addf('-file:\\.md$', 'Exclude markdown', 'utility', n)
                    left = show(n)
                    if not left: continue
                    res2 = []
                    for i, s in res:
                        if left <= 0: break
                        if UNIT == 'range': res2.append((i, s[:left])); left -= len(s[:left])
                        else: res2.append((i, s)); left -= UNIT == 'line'
                    m = {'type': 'content', 'path': path, 'pathMatches': [{'start': posn(0, a, a), 'end': posn(0, b, b)} for a, b in psp]}
                    m.update(base(r)); m['hunks'] = None; m['language'] = lang
                    if cm:
                        offs = [0]
                        for ln in L: offs.append(offs[-1] + len(ln) + 1)
                        groups = []
                        for i, s in res2:
                            lo, hi = max(0, i - cl), min(len(L) - 1, i + cl)
                            if groups and lo <= groups[-1][1] + 0: groups[-1][1] = hi; groups[-1][2].append((i, s))
                            else: groups.append([lo, hi, [(i, s)]])
                        m['chunkMatches'] = []
                        for lo, hi, ms in groups:
                            ctx = [ln if mll < 0 else ln[:mll] for ln in L[lo:hi + 1]]
                            m['chunkMatches'].append({'context': '\n'.join(ctx), 'contentStart': posn(lo, 0, offs[lo]),
                                'ranges': [{'start': posn(i, a, offs[i] + a), 'end': posn(i, b, offs[i] + b)} for i, s in ms for a, b in s]})
                    else:
                        m['lineMatches'] = [{'line': L[i], 'lineNumber': i, 'offsetAndLengths': [[a, b - a] for a, b in s]} for i, s in res2]
                    batch.append(m)
                elif (psp or (not alts and wantpath)):
                    if not take(1): continue
                    addf('type:path', 'Paths', 'type', 1); addf('repo:^%s$' % re.escape(r.name), r.name, 'repo', 1); addf('lang:%s' % lang.lower(), lang, 'lang', 1)
                    if show(1):
                        m = {'type': 'path', 'path': path, 'pathMatches': [{'start': posn(0, a, a), 'end': posn(0, b, b)} for a, b in psp]}
                        m.update(base(r)); m['language'] = lang; batch.append(m)
        if 'symbol' in types and alts:
            for path, lang, L in r.files:
                if stop: break
                if not file_ok(F, path, lang): continue
                syms = []
                for i, ln in enumerate(L):
                    g = re.match(r'(?:export )?(?:func|def|function) (\w+)', ln)
                    if g and any(all(rx.search(g.group(1)) for rx in a) for a in alts) and take(1):
                        syms.append({'name': g.group(1), 'kind': 'FUNCTION', 'url': '/%s/-/blob/%s#L%d' % (r.name, path, i + 1), 'containerName': '', 'line': i + 1})
                n = len(syms)
                if not n: continue
                addf('type:symbol', 'Symbols', 'type', n); addf('repo:^%s$' % re.escape(r.name), r.name, 'repo', n); addf('lang:%s' % lang.lower(), lang, 'lang', n)
                k = show(n)
                if k:
                    m = {'type': 'symbol', 'path': path}; m.update(base(r)); m['language'] = lang; m['symbols'] = syms[:k]; batch.append(m)
        for ty in ('commit', 'diff'):
            if ty in types:
                for msg, h in r.commits:
                    if stop: break
                    ok = not alts or any(all(rx.search(msg) for rx in a) for a in alts)
                    if ok and take(1):
                        addf('type:' + ty, ty.title(), 'type', 1); addf('repo:^%s$' % re.escape(r.name), r.name, 'repo', 1)
                        if show(1):
                            body = '```COMMIT_EDITMSG\n' + msg + '\n```' if ty == 'commit' else '```diff\na.go a.go\n@@ -1 +1 @@\n-old\n+' + msg + '\n```'
                            batch.append({'type': ty, 'label': msg, 'url': '/%s/-/commit/%s' % (r.name, h), 'detail': h[:7], 'repositoryID': r.id, 'repository': r.name, 'repoStars': r.stars,
                                          'repoLastFetched': r.fetched, 'oid': h, 'commit': h, 'message': msg, 'authorName': 'A', 'authorDate': '2024-04-01T12:00:00Z', 'content': body, 'ranges': [[1, 0, 3]]})
        if rcount: withm.append(r.name)
        for k in range(0, len(batch), 5):
            ev.append(['matches', batch[k:k + 5]])
        sk = [lim()] if cut else []
        ev.append(prog(False, found, len(withm), sk))
        if filt: ev.append(['filters', copy.deepcopy(list(filt.values()))])
    skipped = []
    if stop and not cut and isinstance(count, int):
        e2, c2 = search({**p, 'q': re.sub(r'count:\d+', 'count:all', q)}, on)
        cut = c2['found'] > found
    if cut: skipped.append(lim())
    if dcut: skipped.append({'reason': 'display', 'title': 'display limit hit', 'message': 'We only display %d results even if your search returned more results. To see all results and configure the display limit, use our CLI.' % display, 'severity': 'info'})
    if excluded:
        skipped.append({'reason': 'excluded-archive', 'title': '%d archived' % excluded, 'message': 'By default we exclude archived repositories. Include them with `archived:yes` in your query.', 'severity': 'info', 'suggested': {'title': 'include archived', 'queryExpression': 'archived:yes'}})
    fl = list(filt.values())
    if excluded: fl.append({'value': 'archived:yes', 'label': 'Include archived repos', 'count': excluded, 'exhaustive': True, 'kind': 'utility'})
    if cut:
        for f in fl: f['exhaustive'] = False
    if fl: ev.append(['filters', copy.deepcopy(fl)])
    if 'zzwarn' in q: pass
    if not found:
        ev.append(['alert', {'title': 'No results', 'description': 'nothing matched', 'kind': 'no-results', 'level': 'info', 'severity': 'info', 'proposedQueries': []}])
    ev.append(prog(True, found, len(withm), skipped)); ev.append(['done', {}])
    return ev, {'cm': cm, 'q': q, 'alert': False, 'p': p, 'Q': Q, 'found': found, 'display': display, 'mll': mll, 'cl': cl, 'dcut': dcut, 'cut': cut}
