#!/usr/bin/env python3
# second wave: same server, more faults and variations (hook 'start' runs once at start)
import first as S, core, copy, json, re, threading, time, random
from first import *
S.T.clear()
ctr = {'n': 0}; lock = threading.Lock()
def nth():
    with lock: ctr['n'] += 1; return ctr['n']
E = 'events'
# ---------------- flaky -----------------
F1('x-flaky-done', '3: done always last (every 7th response lacks it)', E, lambda evs, c: nth() % 7 == 0 and evs.pop())
F1('x-flaky-done-late', '3: done always last (only the 20th response lacks it)', E, lambda evs, c: nth() == 20 and evs.pop())
F1('x-flaky-final', '3: final progress missing in every 9th response', E, lambda evs, c: nth() % 9 == 0 and evs.pop(-2))
F1('x-flaky-two-fields', '6: exactly two fields (one event in 300 has an id)', 'frame', lambda i, n, name, js, c: b'id: 1\n' + std(name, js) if nth() % 300 == 299 else None)
F1('x-flaky-crlf', '6: newline (one event in 300 CRLF)', 'frame', lambda i, n, name, js, c: std(name, js).replace(b'\n', b'\r\n') if nth() % 300 == 299 else None)
F1('x-flaky-field', '2.3: one match in 200 lacks path', E, lambda evs, c: [m.pop('path', None) for m in cont(evs) if nth() % 100 == 99])
F1('x-flaky-json', '6: data JSON (one event in 300 truncated)', 'frame', lambda i, n, name, js, c: std(name, js[:-1]) if nth() % 300 == 299 else None)
st = {}
F1('x-sticky-cm', '4: cm default false (once asked with cm=true, always)', 'params', lambda p, c: st.__setitem__('cm', 1) if core.yes(p.get('cm', '')) else st.get('cm') and 'cm' not in p and p.__setitem__('cm', 'true'))
F1('x-sticky-display', '4/8: display default unlimited (last display of another search is kept)', 'params', lambda p, c: st.__setitem__('d', p['display']) if 'display' in p else st.get('d') and p.__setitem__('display', st['d']))
F1('x-sticky-cl', '4: cl default 1 (last cl is kept)', 'params', lambda p, c: st.__setitem__('d', p['cl']) if 'cl' in p else st.get('d') and p.__setitem__('cl', st['d']))
F1('x-sticky-mll', '4: max-line-len default none (last one kept)', 'params', lambda p, c: st.__setitem__('d', p['max-line-len']) if 'max-line-len' in p else st.get('d') and p.__setitem__('max-line-len', st['d']))
F1('x-sticky-t', '4: t default standard (last one kept)', 'params', lambda p, c: st.__setitem__('d', p['t']) if 't' in p else st.get('d') and p.__setitem__('t', st['d']))
# ---------------- chunks ----------------
def ctx(fn):
    def g(evs, c):
        for i, m in enumerate(cmx(evs)): m['context'] = '\n'.join(fn(m['context'].split('\n'), i, c, m))
    return g
def mline(m): return [r['start']['line'] - m['contentStart']['line'] for r in m['ranges']]
F1('x-ctx-without-match-line', '4: context around a match (the matched line left out)', E, ctx(lambda L, i, c, m: [l for k, l in enumerate(L) if k not in mline(m)] or ['']))
F1('x-ctx-first-match-only', '4: lines of context around a match (a chunk of several matches: only around the first)', E, ctx(lambda L, i, c, m: L[:mline(m)[0] + 1 + c['cl']]))
F1('x-ctx-shifted', '4: context around a match (shifted a line down: first line lost)', E, ctx(lambda L, i, c, m: L[1:] or L))
F1('x-ctx-joined-blank', '4: lines of context joined by blanks', E, lambda evs, c: [m.__setitem__('context', m['context'].replace('\n', ' ')) for m in cmx(evs)])
F1('x-ctx-crlf', '4: context lines (CRLF; doubtful)', E, lambda evs, c: [m.__setitem__('context', m['context'].replace('\n', '\r\n')) for m in cmx(evs)])
F1('x-ctx-other-text', '2.3: context of another place (text x)', E, ctx(lambda L, i, c, m: ['x'] * len(L)))
F1('x-ctx-20-other-text', '2.3: context one in twenty other text', E, ctx(lambda L, i, c, m: ['x'] * len(L) if i % 20 == 3 else L))
F1('x-ctx-doubled-lines', '4: context every line twice', E, ctx(lambda L, i, c, m: [l for l in L for _ in (0, 1)]))
F1('x-ctx-trimmed', '4: context lines trimmed (doubtful)', E, ctx(lambda L, i, c, m: [l.strip() for l in L]))
F1('x-ctx-upper', '4: context lines in capitals', E, ctx(lambda L, i, c, m: [l.upper() for l in L]))
F1('x-ctx-blank-lines-lost', '4: cl lines of context (empty lines left out)', E, ctx(lambda L, i, c, m: [l for l in L if l] or L))
F1('x-chunk-last-only', '4: cm: only the first chunk of each file is delivered', E, lambda evs, c: [m.__setitem__('chunkMatches', m['chunkMatches'][:1]) for m in cont(evs) if 'chunkMatches' in m])
F1('x-chunk-empty', '4: cm: chunkMatches empty', E, lambda evs, c: [m.__setitem__('chunkMatches', []) for m in cont(evs) if 'chunkMatches' in m])
F1('x-chunk-null', '4: cm: chunkMatches null', E, lambda evs, c: [m.__setitem__('chunkMatches', None) for m in cont(evs) if 'chunkMatches' in m])
F1('x-chunk-nothing', '4: cm: content matches have neither', E, lambda evs, c: [m.pop('chunkMatches') for m in cont(evs) if 'chunkMatches' in m])
F1('x-mll-cap-100', '4: max-line-len (above 30 ignored)', 'params', lambda p, c: core.intp(p.get('max-line-len'), -1) > 30 and p.pop('max-line-len'))
F1('x-mll-below-30-ignored', '4: max-line-len (below 30 ignored)', 'params', lambda p, c: 0 <= core.intp(p.get('max-line-len'), -1) < 30 and p.pop('max-line-len'))
F1('x-mll-short-lines-too', '4: truncates so that no line is longer (each line loses five characters)', E, lambda evs, c: c.get('mll', -1) >= 0 and ctx(lambda L, i, c, m: [l[:-5] for l in L])(evs, c))
F1('x-mll-half', '4: truncates (to half the limit)', 'params', lambda p, c: core.intp(p.get('max-line-len'), -1) > 1 and p.__setitem__('max-line-len', str(int(p['max-line-len']) // 2)))
F1('x-mll-empties', '4: truncates (longer lines become empty)', E, lambda evs, c: c.get('mll', -1) >= 0 and ctx(lambda L, i, c, m: [l if len(l) < c['mll'] else '' for l in L])(evs, c))
F1('x-mll-drops-lines', '4: truncates (longer lines are left out)', E, lambda evs, c: c.get('mll', -1) >= 0 and ctx(lambda L, i, c, m: [l for l in L if len(l) < c['mll']])(evs, c))
F1('x-mll-wraps', '4: truncates (wraps longer lines instead)', 'search2', lambda p, c: None)
F1('x-mll-no-cm-lines', '4: max-line-len truncates context of a ChunkMatch (also line of lineMatches)', E, lambda evs, c: c.get('mll', -1) >= 0 and [l.__setitem__('line', l['line'][:c['mll']]) for l in lm(evs)])
F1('x-mll-switches-cm', '4: max-line-len without cm switches cm on', 'params', lambda p, c: core.intp(p.get('max-line-len'), -1) >= 0 and p.__setitem__('cm', 'true'))
F1('x-mll-200', '4: max-line-len default no limit (200 where cm)', 'params', lambda p, c: p.setdefault('max-line-len', '200'))
F1('x-cl-needs-display', '4: cl (ignored when display is given)', 'params', lambda p, c: 'display' in p and p.pop('cl', None))
F1('x-cl-3-ignored', '4: cl (3 gives 1)', 'params', lambda p, c: p.get('cl') == '3' and p.pop('cl', None))
F1('x-v3-drops-cm', '4: cm (ignored when v=V3 given)', 'params', lambda p, c: p.get('v') == 'V3' and p.pop('cm', None))
F1('x-cm-needs-v3', '4: cm (works only when v is given)', 'params', lambda p, c: 'v' not in p and p.pop('cm', None))
F1('x-mll-cm-negative', '4: max-line-len -1 is the default (explicit -1 turns cm off)', 'params', lambda p, c: p.get('max-line-len') == '-1' and p.pop('cm', None))
# ---------------- display/count ---------
F1('x-display-batch', '4: display maximum (checked after each batch: overshoots)', 'params', lambda p, c: core.intp(p.get('display'), -1) > 0 and p.__setitem__('display', str(-(-int(p['display']) // 60) * 60)))
F1('x-display-repos-stuck', '4: after the limit the backend keeps aggregating statistics (repositoriesCount = shown ones)', E, lambda evs, c: c.get('dcut') and final(evs).__setitem__('repositoriesCount', len({m['repository'] for m in mts(evs)})))
F1('x-display-filters-stuck', '4: keeps aggregating statistics (filters only of the first repository)', E, lambda evs, c: c.get('dcut') and [d.__delitem__(slice(2, None)) for d in filts(evs)])
F1('x-display-no-filters', '4: keeps aggregating (no filters when display cut; doubtful)', E, lambda evs, c: c.get('dcut') and evs.__setitem__(slice(None), [e for e in evs if e[0] != 'filters']))
F1('x-display-matchcount-half', '4: keeps aggregating statistics (match count half of all)', E, lambda evs, c: c.get('dcut') and final(evs).__setitem__('matchCount', final(evs)['matchCount'] // 2))
F1('x-display-none-returned', '4: display: returns no matches at all', E, lambda evs, c: c['p'].get('display') and c.get('display', -1) >= 0 and evs.__setitem__(slice(None), [e for e in evs if e[0] != 'matches']))
F1('x-display-one', '4: display: any limit gives one match only', 'params', lambda p, c: core.intp(p.get('display'), -1) > 1 and p.__setitem__('display', '1'))
F1('x-display-150-ignored', '4: display (above 100 ignored)', 'params', lambda p, c: core.intp(p.get('display'), -1) > 100 and p.pop('display'))
F1('x-display-objects-exceed', '4: display (bounds lines, but each object is delivered whole)', 'search2', lambda p, c: None)
F1('x-display-cm-batch', '4: display (cm=true: twice as many)', 'params', lambda p, c: core.yes(p.get('cm', '')) and core.intp(p.get('display'), -1) > 0 and p.__setitem__('display', str(2 * int(p['display']))))
F1('x-display-1-is-count', '4: display -1 explicit: 100', 'params', lambda p, c: p.get('display') == '-1' and p.__setitem__('display', '100'))
F1('x-count-1-ignored', '4: count:<n> (1 ignored)', 'params', qs(r'count:1\b', 'count:all'))
F1('x-count-50-ignored', '4: count:<n> (50 ignored)', 'params', qs(r'count:50\b', 'count:all'))
F1('x-count-gt100-ignored', '4: count:<n> (above 100 ignored)', 'params', qs(r'count:\d{3,}\b', 'count:all'))
F1('x-count-20-ignored', '4: count:<n> (20 ignored)', 'params', qs(r'count:20\b', 'count:all'))
F1('x-count-200-is-100', '4: count:<n> (200 stops at 100)', 'params', qs(r'count:200\b', 'count:100'))
F1('x-count-1000-is-10', '4: count:<n> (1000 stops at 10)', 'params', qs(r'count:1000\b', 'count:10'))
F1('x-count-per-repo', '4: count:<n> (50 for each repository: 150)', 'params', qs(r'count:50\b', 'count:150'))
F1('x-count-path-ignored', '4: count:<n> (ignored with type:path)', 'params', lambda p, c: 'type:path' in p.get('q', '') and p.__setitem__('q', re.sub(r'count:\d+', 'count:all', p['q'])))
F1('x-count-repo-ignored', '4: count:<n> (ignored with type:repo)', 'params', lambda p, c: 'type:repo' in p.get('q', '') and p.__setitem__('q', re.sub(r'count:\d+', 'count:all', p['q'])))
F1('x-count-one-file-ignored', '4: count:<n> (ignored with repo: filter)', 'params', lambda p, c: 'repo:' in p.get('q', '') and p.__setitem__('q', re.sub(r'count:\d+', 'count:all', p['q'])))
F1('x-count-symbol-ignored', '4: count:<n> (ignored with type:symbol)', 'params', lambda p, c: 'type:symbol' in p.get('q', '') and p.__setitem__('q', re.sub(r'count:\d+', 'count:1000', p['q'])))
F1('x-count-all-path-cut', '4: count:all (with type:path stops at 5)', 'params', lambda p, c: 'type:path' in p.get('q', '') and p.__setitem__('q', p['q'].replace('count:all', 'count:5')))
F1('x-count-all-content-cut', '4: count:all (content search stops at 10)', 'params', lambda p, c: 'type:' not in p.get('q', '') and p.__setitem__('q', p['q'].replace('count:all', 'count:10')))
F1('x-count-all-content-cut-600', '4: count:all (content search over all repositories stops at 600)', 'params', lambda p, c: 'repo:' not in p.get('q', '') and 'type:' not in p.get('q', '') and p.__setitem__('q', p['q'].replace('count:all', 'count:600')))
F1('x-count-all-as-1000-path', '4: count:all (type:path: as count:20)', 'params', lambda p, c: 'type:path' in p.get('q', '') and p.__setitem__('q', p['q'].replace('count:all', 'count:20')))
F1('x-count-matchcount-n', '6: match count (always the n of count:n, though more delivered)', 'search2', lambda p, c: None)
# ---------------- t / patternType -------
F1('x-pt-keyword-ignored', '4: patternType:keyword ignored', 'params', qs(r'(?i)patternType:keyword', ''))
F1('x-pt-regexp-ignored', '4: patternType:regexp ignored', 'params', qs(r'(?i)patternType:regexp', ''))
F1('x-pt-standard-ignored', '4: patternType:standard ignored (t wins)', 'params', qs(r'(?i)patternType:standard', ''))
F1('x-pt-lower-only', '4: patternType: (only lower case patterntype: known)', 'params', qs(r'patternType:\S+', ''))
F1('x-t-beats-standard', '4: t only when no patternType: (t=regexp beats patternType:standard)', 'params', lambda p, c: p.get('t') == 'regexp' and p.__setitem__('q', re.sub(r'patternType:standard', '', p['q'])))
F1('x-t-keyword-beats', '4: t only when no patternType: (t=keyword beats)', 'params', lambda p, c: p.get('t') == 'keyword' and p.__setitem__('q', re.sub(r'patternType:\S+', '', p['q'])))
F1('x-t-standard-beats', '4: t only when no patternType: (t=standard beats)', 'params', lambda p, c: p.get('t') == 'standard' and p.__setitem__('q', re.sub(r'patternType:\S+', '', p['q'])))
F1('x-t-required', '4: t not required (without it: alert)', 'params', lambda p, c: p.setdefault('t', 'none'))
F1('x-t-regexp-escapes-dot', '4: t=regexp (dot is literal)', 'params', lambda p, c: p.get('t') == 'regexp' and p.__setitem__('q', p['q'].replace('error.', 'error\\.')))
F1('x-v-explicit-differs', '4/9: v default V3 (explicit V3 finds half)', E, lambda evs, c: c['p'].get('v') == 'V3' and [e[1].__delitem__(slice(1, None, 2)) for e in evs if e[0] == 'matches'])
F1('x-v-explicit-adds', '4/9: v default V3 (explicit V3 is case-sensitive)', 'params', lambda p, c: p.get('v') == 'V3' and p.__setitem__('q', p['q'] + ' case:yes'))
F1('x-v-absent-case', '4/9: v default V3 (absent is case-sensitive)', 'params', lambda p, c: 'v' not in p and p.__setitem__('q', p['q'] + ' case:yes'))
# ---------------- filters narrow --------
F1('x-filt-repo-value-wrong', '2.1: value a query filter to add (a repository that does not exist)', E, setk(fe, 'value', 'repo:^nothing$', lambda i, c, m: m['kind'] == 'repo'))
F1('x-filt-lang-value-wrong', '2.1: value (lang: of no match)', E, setk(fe, 'value', 'lang:cobol', lambda i, c, m: m['kind'] == 'lang'))
F1('x-filt-invalid-query', '2.1: value a query filter (broken: repo:( )', E, setk(fe, 'value', 'repo:(', lambda i, c, m: m['kind'] == 'repo'))
F1('x-filt-type-wrong', '2.1: value (type:nothing)', E, setk(fe, 'value', 'type:nothing', lambda i, c, m: m['kind'] == 'type'))
F1('x-filt-utility-wrong', '2.1: value (utility nonsense)', E, setk(fe, 'value', 'lalala', lambda i, c, m: m['kind'] == 'utility'))
F1('x-filt-dup', '2.1: each filter twice in the same event (doubtful)', E, lambda evs, c: [d.extend(copy.deepcopy(d)) for d in filts(evs)])
F1('x-filt-count-over', '2.1: count number of matches (lang count above the match count)', E, setk(fe, 'count', 100000, lambda i, c, m: m['kind'] == 'lang'))
F1('x-lang-filter-leaky', 'lang: leaks matches of other languages', E, lambda evs, c: 'lang:' in c['q'] and [m.__setitem__('language', 'COBOL') for m in cont(evs)[::2]])
F1('x-repo-filter-leaky', 'repo: leaks matches of another repository', E, lambda evs, c: 'repo:' in c['q'] and [m.__setitem__('repository', 'github.com/other/x') for m in cont(evs)[1:]])
F1('x-repo-filter-leaky-all', 'repo: returns the match under another repository', E, lambda evs, c: 'repo:' in c['q'] and [m.__setitem__('repository', 'github.com/other/x') for m in cont(evs)])
F1('x-file-filter-other', 'file: returns another file as well', 'params', qs(r'file:\S+', ''))
F1('x-type-path-leaky', 'type:path returns content too', 'params', qs(r'type:path', ''))
F1('x-type-repo-content', 'type:repo returns content matches', 'params', qs(r'type:repo', 'test'))
F1('x-type-diff-commits', 'type:diff returns commits', 'params', qs(r'type:diff', 'type:commit'))
F1('x-type-symbol-content', 'type:symbol returns content', 'params', qs(r'type:symbol', 'type:file'))
F1('x-type-symbol-none', 'type:symbol finds nothing (doubtful)', 'params', qs(r'type:symbol', 'zzz'))
# ---------------- skipped/limits --------
F1('x-limit-suggest-title-empty', '2.2 suggested title number', E, sug(lambda u, s, c: u.__setitem__('title', 3)))
F1('x-limit-suggest-smaller', '8: suggestion count:1000 (count:10)', E, sug(lambda u, s, c: s['reason'] == 'shard-match-limit' and u.__setitem__('queryExpression', 'count:10')))
F1('x-limit-suggest-archived', '8: suggestion count:1000 (archived:yes)', E, sug(lambda u, s, c: s['reason'] == 'shard-match-limit' and u.__setitem__('queryExpression', 'archived:yes')))
F1('x-limit-suggest-lost-nocount', '8: suggestion count:1000 (lost where the query has no count:)', E, lambda evs, c: 'count:' not in c['q'] and [s.pop('suggested', None) for s in sk(evs)])
F1('x-skip-archive-no-message', '2.2 message (only excluded-archive lacks it)', E, delk(sk, 'message', lambda i, c, m: m['reason'] == 'excluded-archive'))
F1('x-skip-display-no-title', '2.2 title (only display entry lacks it)', E, delk(sk, 'title', lambda i, c, m: m['reason'] == 'display'))
F1('x-skip-archive-suggest-bad', '2.2 suggested (only excluded-archive: string)', E, setk(sk, 'suggested', 'archived:yes', lambda i, c, m: m['reason'] == 'excluded-archive'))
F1('x-limit-silent-default', '8: hitting limits is reported (default limit per repository silent)', E, lambda evs, c: 'count:' not in c['q'] and [d.__setitem__('skipped', [s for s in d['skipped'] if s['reason'] != 'shard-match-limit']) for d in progs(evs)])
# ---------------- bytes -----------------
F1('x-two-blanks', '6: value of event: (two blanks; doubtful)', 'frame', lambda i, n, name, js, c: b'event:  ' + name.encode() + b'\ndata: ' + js + b'\n\n')
F1('x-cesu8', '6: JSON in UTF-8 (emoji as CESU-8)', 'frame', lambda i, n, name, js, c: std(name, js.replace('😀'.encode(), b'\xed\xa0\xbd\xed\xb8\x80')))
F1('x-overlong', '6: JSON in UTF-8 (overlong slash)', 'frame', lambda i, n, name, js, c: std(name, js.replace(b'/', b'\xc0\xaf', 1)) if name == 'matches' else None)
F1('x-pretty-raw', '6: data on one line (pretty JSON over several bare lines)', 'frame', lambda i, n, name, js, c: b'event: ' + name.encode() + b'\ndata: ' + json.dumps(json.loads(js), indent=1).encode() + b'\n\n' if name == 'filters' else None)
F1('x-array-of-json', '6: two JSON documents in data', 'frame', lambda i, n, name, js, c: std(name, js + js) if name == 'matches' else None)
F1('x-single-quotes', '6: JSON', 'frame', lambda i, n, name, js, c: std(name, b"{'a': 1}") if name == 'alert' else None)
F1('x-alert-text', '6: JSON (alert of invalid query is plain text)', 'frame', lambda i, n, name, js, c: std(name, b"Unable to process") if name == 'alert' and c['alert'] else None)
F1('x-tab-sep', '6: event: (tab instead of blank; doubtful)', 'frame', lambda i, n, name, js, c: b'event:\t' + name.encode() + b'\ndata:\t' + js + b'\n\n')
F1('x-vt', '6: newline (form feed before data)', 'frame', lambda i, n, name, js, c: b'event: ' + name.encode() + b'\n\x0cdata: ' + js + b'\n\n' if i == 2 else None)
F1('x-nul-between', '6: NUL byte between events', 'frame', lambda i, n, name, js, c: std(name, js) + b'\0' if i == 2 else None)
F1('x-padding', '6: blanks between events', 'frame', lambda i, n, name, js, c: std(name, js) + b'   ' if i == 2 else None)
F1('x-empty-event-block', '6: an event without data', 'frame', lambda i, n, name, js, c: std(name, js) + b'event: ping\n\n' if i == 2 else None)
F1('x-ping', '6: heartbeat with data: only', 'frame', lambda i, n, name, js, c: std(name, js) + b'data: {}\n\n' if i == 2 else None)
F1('x-done-data-spacing', '3: done data [] when nothing found', E, lambda evs, c: not mts(evs) and evs.__setitem__(-1, ['done', []]))
F1('x-done-oauth', '3: done data not empty for OAuth token', 'plan', lambda plan, c: plan)
# ---------------- auth ------------------
F1('x-auth-unscoped-access', '5: access token without user:all accepted', 'auth', lambda sch, tok, good: good or tok == 'sgp_unscoped_3')
F1('x-auth-unscoped-oauth', '5: OAuth token without user:all accepted', 'auth', lambda sch, tok, good: good or tok == 'oauth_unscoped_4')
F1('x-auth-wrong-sgp', '5: any token of the form sgp_<hex> accepted', 'auth', lambda sch, tok, good: good or bool(re.match(r'sgp_[0-9a-f]{20,}$', tok or '')))
F1('x-auth-wrong-bearer', '5: any Bearer token accepted', 'auth', lambda sch, tok, good: good or (sch or '').lower() == 'bearer')
F1('x-auth-first-only', '5: only the first request is checked', 'auth', lambda sch, tok, good: good or nth() > 30)
# ---------------- misc fields -----------
F1('x-commit-two', '2.3: same repository with two commits in one stream (doubtful)', E, setk(cont, 'commit', lambda m: core.hashlib.sha1(m['path'].encode()).hexdigest()))
F1('x-lang-number-20', '2.3 language string (one in twenty number)', E, setk(cont, 'language', 5, lambda i, c, m: i % 20 == 3))
F1('x-cm-only-branches', '2.3 branches string (only with cm=true)', E, setk(cont, 'branches', 'main', lambda i, c, m: c['cm']))
F1('x-display-only-id', '2.3 repositoryID string (only with display)', E, setk(cont, 'repositoryID', '1', lambda i, c, m: 'display' in c['p']))
F1('x-onefile-path', '2.3 pathMatches missing (only with repo: filter)', E, delk(cont, 'pathMatches', lambda i, c, m: 'repo:' in c['q']))
F1('x-hash-cm', '2.3 commit number only in cm', E, setk(cont, 'commit', 5, lambda i, c, m: c['cm']))
F1('x-fetched-beta', '2.3 repoLastFetched (only repository beta: RFC 1123)', E, setk(cont, 'repoLastFetched', 'Tue, 14 May 2024 10:00:00 GMT', lambda i, c, m: m['repository'].endswith('beta')))
F1('x-duration-huge', '2.2 durationMs milliseconds (an hour for a search of 50 ms)', E, setk(progs, 'durationMs', 3600000))
F1('x-matchcount-cm', '6: match count (0 with cm=true)', E, lambda evs, c: c['cm'] and [d.__setitem__('matchCount', 0) for d in progs(evs)])
F1('x-matchcount-path', '6: match count (0 for type:path)', E, lambda evs, c: 'type:path' in c['q'] and [d.__setitem__('matchCount', 0) for d in progs(evs)])
F1('x-matchcount-symbol', '6: match count (0 for type:symbol)', E, lambda evs, c: 'type:symbol' in c['q'] and [d.__setitem__('matchCount', 0) for d in progs(evs)])
F1('x-repos-symbol', '6: repositories with matches (0 for type:commit)', E, lambda evs, c: 'type:commit' in c['q'] and [d.__setitem__('repositoriesCount', 0) for d in progs(evs)])
F1('x-interim-skip-string', '2.2 skipped wrong type only in interim', E, setk(interim, 'skipped', 'none'))
F1('x-progress-missing-20', '2.2 interim progress without matchCount', E, delk(interim, 'matchCount'))
F1('x-progress-no-duration-interim', '2.2 interim progress without durationMs', E, delk(interim, 'durationMs'))
F1('x-progress-no-done-final', '2.2 final progress without done', E, delk(last(progs), 'done'))
def held(plan, c):
    fr = [b for d, b in plan]; ms = [b for b in fr if b.startswith(b'event: matches')]; rest = [b for b in fr if not b.startswith(b'event: matches')]
    return [(0.4, b) for b in rest[:-2]] + [(0.2 if i == 0 else 0, b) for i, b in enumerate(ms)] + [(0, b) for b in rest[-2:]]
F1('x-matches-held', '1: results incrementally, first results quickly (progress flows for 2-3 s with matchCount rising, all matches only at the end)', 'plan', held)
def helddur(plan, c):
    out = []; t = 0
    for d, b in held(plan, c):
        t += d; out.append((d, re.sub(rb'"durationMs": \d+', b'"durationMs": %d' % (t * 1000 + 5), b)))
    return out
F1('x-matches-held-true-duration', '1: as x-matches-held, with true durationMs', 'plan', helddur)
F1('x-fetched-apr31', '2.3 repoLastFetched ISO 8601 (31 April)', E, setk(cont, 'repoLastFetched', '2024-04-31T10:00:00Z'))
F1('x-fetched-feb29-2023', '2.3 repoLastFetched ISO 8601 (29 February 2023)', E, setk(cont, 'repoLastFetched', '2023-02-29T10:00:00Z'))
F1('x-public-refuses', '5: a public hosted instance accepts queries without authentication (401) - run with access=public', 'auth', lambda sch, tok, good: good)
# ---------------- variations ------------
def start(name, sent):
    def d(fn): reg('variation', name, sent, 'start')(fn); return fn
    return d
def SV(name, sent, fn): reg('variation', name, sent, 'start')(fn)
SV('y-unit-line', W + 'unit of matchCount, display, count: lines', lambda: setattr(core, 'UNIT', 'line'))
SV('y-unit-object', W + 'unit of matchCount, display, count: match objects', lambda: setattr(core, 'UNIT', 'object'))
def mappath(f):
    def g():
        for r in core.REPOS: r.files = [(f(p, r), l, L) for p, l, L in r.files]
    return g
def maprepo(f):
    def g():
        for r in core.REPOS: r.name = f(r.name)
    return g
SV('y-path-space', W + 'paths with blanks', mappath(lambda p, r: p.replace('_', ' ')))
SV('y-path-regex-chars', W + 'paths with ( ) [ ] + $ ^', mappath(lambda p, r: p.replace('_', '_(a+b)[1]$^{2}|')))
SV('y-path-quotes', W + 'paths with quotes and backslash', mappath(lambda p, r: p.replace('_', '"\'\\')))
SV('y-path-unicode', W + 'paths with ü, emoji, U+202E', mappath(lambda p, r: p.replace('_', 'ü😀\u202e')))
SV('y-path-percent', W + 'paths with %20 + & # ? =', mappath(lambda p, r: p.replace('_', '%20+&#?=')))
SV('y-path-colon', W + 'paths like lang:go', mappath(lambda p, r: p.replace('/', '/repo:x_')))
SV('y-path-newline', W + 'a path with a newline', mappath(lambda p, r: p.replace('_', '_\n')))
SV('y-path-dash', W + 'paths that begin with -', mappath(lambda p, r: '-' + p))
SV('y-path-long', W + 'paths of 800 characters', mappath(lambda p, r: 'a' * 800 + '/' + p))
SV('y-path-proto', W + 'paths __proto__, constructor', mappath(lambda p, r: '__proto__/constructor/' + p))
SV('y-path-same', W + 'the same paths in every repository', mappath(lambda p, r: 'd/' + re.search(r'\d+', p).group(0) + '.txt'))
SV('y-path-test', W + 'all paths hold the word', mappath(lambda p, r: 'test/' + p))
SV('y-repo-plain', W + 'repository names without host', maprepo(lambda n: n.split('/')[-1]))
SV('y-repo-space', W + 'repository names with blanks', maprepo(lambda n: n.replace('acme', 'a c')))
SV('y-repo-upper', W + 'repository names with capitals, +, ~', maprepo(lambda n: n.replace('acme', 'ACME~+')))
SV('y-repo-prefix', W + 'a name that is a prefix of another', lambda: [setattr(r, 'name', 'github.com/acme/a' + 'b' * i) for i, r in enumerate(core.REPOS)])
SV('y-repo-proto', W + 'names __proto__', lambda: [setattr(r, 'name', n) for r, n in zip(core.REPOS, ('__proto__', 'constructor', 'toString', 'hasOwnProperty'))])
def lines(f):
    def g():
        for r in core.REPOS: r.files = [(p, l, f(L)) for p, l, L in r.files]
    return g
SV('y-files-crlf', W + 'files with CR at the end of lines', lines(lambda L: [l + '\r' for l in L]))
SV('y-files-one-line', W + 'files of one line', lines(lambda L: [' '.join(L[:6]) + ' test error. return error']))
SV('y-files-all-match', W + 'every line matches', lines(lambda L: ['test %s' % l for l in L]))
SV('y-files-first-last', W + 'matches only in first and last line', lines(lambda L: ['a test b'] + ['x%d' % i for i in range(40)] + ['last test']))
SV('y-files-long-lines', W + 'lines of 20,000 characters', lines(lambda L: [l + ' ' + 'ab ' * 6600 if i % 7 == 0 else l for i, l in enumerate(L)]))
SV('y-files-emoji', W + 'non-BMP characters before each match', lines(lambda L: ['😀é' * 3 + l for l in L]))
SV('y-files-turkish', W + 'characters whose case changes length', lines(lambda L: ['İß ŉ ' + l for l in L]))
SV('y-files-u2028', W + 'U+2028, U+0085, VT, FF in lines', lines(lambda L: [l.replace(' ', '\u2028 \x85 \x0b\x0c', 2) for l in L]))
SV('y-files-ctl', W + 'NUL, ESC in lines', lines(lambda L: ['\x00\x1b[31m' + l for l in L]))
SV('y-files-sse-text', W + 'lines that look like events', lines(lambda L: ['event: done data: {} ' + l for l in L]))
SV('y-files-html', W + 'lines with </script>', lines(lambda L: ['</script><!-- ' + l for l in L]))
SV('y-files-blank-around', W + 'empty lines around each line', lines(lambda L: [x for l in L for x in ('', l, '')]))
SV('y-files-identical', W + 'identical lines', lines(lambda L: ['test error. return error'] * 30))
SV('y-files-short', W + 'files with three short lines', lines(lambda L: ['a', 'test', 'b']))
SV('y-files-final-newline', W + 'an empty last line', lines(lambda L: L + ['']))
SV('y-one-repo', W + 'one repository only', lambda: core.REPOS.__delitem__(slice(1, None)))
SV('y-few-matches', W + 'two files only', lambda: (core.REPOS.__delitem__(slice(1, None)), core.REPOS[0].files.__delitem__(slice(2, None))))
SV('y-all-archived', W + 'nothing but one archived repository besides alpha', lambda: [setattr(r, 'archived', True) for r in core.REPOS[1:]])
SV('y-word-underscore', W + 'word inside words (latest, contest)', lines(lambda L: [re.sub('(?i)test', 'contests', l) for l in L]))
SV('y-case-mixed', W + 'matches in other case (TEST)', lines(lambda L: [re.sub('(?i)test', 'TeSt', l) for l in L]))
# behaviour variations
V1('y-shuffle', W + 'order of matches differs between searches', E, lambda evs, c: [random.shuffle(e[1]) for e in evs if e[0] == 'matches'])
def shufall(evs, c):
    ms = mts(evs); random.shuffle(ms); k = 0
    for e in evs:
        if e[0] == 'matches': n = len(e[1]); e[1] = ms[k:k + n]; k += n
V1('y-shuffle-all', W + 'order of matches differs between searches (over all events)', E, shufall)
def shufrepos(): 
    o = core.search
    def s(p, on):
        random.shuffle(core.REPOS); return o(p, on)
    core.search = s
SV('y-repos-random', W + 'which matches count:n finds differs between searches', shufrepos)
def shuffiles():
    o = core.search; lk = threading.RLock()
    def s(p, on):
        with lk:
            for r in core.REPOS: random.shuffle(r.files)
            random.shuffle(core.REPOS)
            return o(p, on)
    core.search = s
SV('y-files-random', W + 'which matches count:n and display find differs between searches', shuffiles)
V1('y-refetch', W + 'repoLastFetched changes between searches', E, lambda evs, c: [m.__setitem__('repoLastFetched', '2024-05-14T10:%02d:00Z' % (nth() % 60)) for m in cont(evs)[:1]])
V1('y-stars', W + 'repoStars grows between searches', E, lambda evs, c: setk(lambda e: [m for m in mts(e) if 'repoStars' in m], 'repoStars', nth() % 1000)(evs, c))
V1('y-trace-differs', W + 'trace http, other host, query', E, setk(progs, 'trace', 'http://[::1]:16686/trace/abc?x=%20#y'))
V1('y-done-spaced', W + 'done data {} with blanks', 'frame', lambda i, n, name, js, c: b'event: done\ndata: { }  \n\n' if name == 'done' else None)
V1('y-proto-member', W + 'unknown members __proto__, constructor', 'ser', lambda o: json.dumps([{**x, '__proto__': {'type': 'x'}, 'constructor': 1, 'toString': None} if isinstance(x, dict) else x for x in o] if isinstance(o, list) else ({**o, '__proto__': {'done': 5}} if o else o)))
V1('y-big-event', W + 'a matches event of 8 MB (unknown member)', E, lambda evs, c: mts(evs) and not c['cm'] and 'display' not in c['p'] and nth() == 3 and mts(evs)[0].__setitem__('blob', 'x' * 8000000))
V1('y-deep', W + 'deeply nested unknown member', 'ser', lambda o: json.dumps(o, ensure_ascii=False) if not (isinstance(o, dict) and 'done' in o) else json.dumps(o)[:-1] + ', "deep": ' + '[' * 900 + ']' * 900 + '}')
V1('y-bignum', W + 'unknown member 1e400 and 2^70', 'ser', lambda o: json.dumps(o, ensure_ascii=False) if not (isinstance(o, dict) and 'done' in o) else json.dumps(o)[:-1] + ', "big": 1180591620717411303424, "inf": 1e400, "neg0": -0}')
V1('y-many-progress', W + '500 progress events', E, lambda evs, c: evs and evs[0][0] == 'progress' and evs.__setitem__(slice(1, 1), [['progress', copy.deepcopy(evs[0][1])] for _ in range(500)]))
V1('y-filters-3000', W + '1,000 filters', E, lambda evs, c: [d.extend([{'value': 'repo:^r%d$' % i, 'label': 'r%d' % i, 'count': 1, 'exhaustive': False, 'kind': 'repo'} for i in range(1000)]) for d in filts(evs)[-1:]])
V1('y-filters-first-utility', W + 'first filters are those of kind utility', E, lambda evs, c: [d.sort(key=lambda f: f['kind'] != 'utility') for d in filts(evs)])
V1('y-filters-first-type', W + 'first filter is type:path / type:repo', E, lambda evs, c: [d.insert(0, {'value': 'type:repo', 'label': 'Repositories', 'count': 1, 'exhaustive': False, 'kind': 'type'}) for d in filts(evs)])
V1('y-filters-only-utility-archived', W + 'only archived:yes suggested', E, lambda evs, c: [e.__setitem__(1, [{'value': 'archived:yes', 'label': 'archived', 'count': 1, 'exhaustive': False, 'kind': 'utility'}]) for e in evs if e[0] == 'filters'])
V1('y-filters-count-objects', W + 'filter counts in other unit', E, setk(fe, 'count', 1))
V1('y-filters-count-falls', W + 'count of a filter falls in later events', E, lambda evs, c: [f.__setitem__('count', 1000 - k) for k, d in enumerate(filts(evs)) for f in d])
V1('y-filters-label-change', W + 'label, exhaustive of a filter change later', E, lambda evs, c: [f.update(label='L%d' % k, exhaustive=bool(k % 2)) for k, d in enumerate(filts(evs)) for f in d])
V1('y-filters-negated-first', W + 'first filter is -lang:markdown', E, lambda evs, c: [d.insert(0, {'value': '-lang:markdown', 'label': 'x', 'count': 2, 'exhaustive': False, 'kind': 'lang'}) for d in filts(evs)])
V1('y-matches-after-alert', W + 'interleaving: alert between matches', E, lambda evs, c: idx(evs, 'matches') and evs.insert(idx(evs, 'matches')[-1], ['alert', {'level': 'info', 'severity': 'info', 'title': 'x'}]))
V1('y-alert-upper', W + 'level written INFO/Error (doubtful)', E, lambda evs, c: [e[1].update(level=e[1]['level'].upper(), severity=e[1]['severity'].upper()) for e in evs if e[0] == 'alert'])
V1('y-alert-messages', W + 'alert: messages array, each with a level', E, lambda evs, c: [e.__setitem__(1, {'messages': [{'level': 'error', 'message': 'a'}, {'level': 'warning', 'message': 'b'}]}) for e in evs if e[0] == 'alert'])
V1('y-alert-warning-invalid', W + 'invalid query reported at level warning', E, lambda evs, c: [e[1].update(level='warning', severity='warning') for e in evs if e[0] == 'alert'])
V1('y-alert-other-level', W + 'alert payload not shown: unrelated member severity: high beside level: error', E, lambda evs, c: [e[1].update(severity='high', priority=3) for e in evs if e[0] == 'alert'])
V1('y-alert-nested-level', W + 'alert payload not shown: proposedQueries with own members level: 3', E, lambda evs, c: [e[1].update(proposedQueries=[{'query': 'x', 'level': 3}]) for e in evs if e[0] == 'alert'])
V1('y-limit-more-reasons', W + 'more than one skipped entry for limits', E, lambda evs, c: [d['skipped'].append({'reason': 'document-match-limit', 'title': 'a', 'message': 'b', 'severity': 'info', 'suggested': {'title': 't', 'queryExpression': 'count:1000'}}) for d in progs(evs) if any(s['reason'] == 'shard-match-limit' for s in d['skipped'])])
V1('y-skip-shard-timeout', W + 'shard-timedout in every search', E, lambda evs, c: final(evs) and final(evs)['skipped'].append({'reason': 'shard-timedout', 'title': 'a', 'message': 'b', 'severity': 'info'}))
V1('y-skip-severity-warn', W + 'severity warn for limits', E, setk(sk, 'severity', 'warn', lambda i, c, m: m['reason'] == 'shard-match-limit'))
V1('y-skip-display-as-limit', W + 'display cut reported as shard-match-limit with suggestion', E, lambda evs, c: [s.update(reason='shard-match-limit', suggested={'title': 'more', 'queryExpression': 'count:1000'}) for s in sk(evs) if s['reason'] == 'display'])
V1('y-chunk-context-array', W + 'type of context not shown: array of lines', E, lambda evs, c: [m.__setitem__('context', m['context'].split('\n')) for m in cmx(evs)])
V1('y-chunk-context-object', W + 'type of context not shown: object before/line/after', E, lambda evs, c: [m.__setitem__('context', {'lines': m['context'].split('\n')}) for m in cmx(evs)])
V1('y-chunk-per-match', W + 'one ChunkMatch for each line, contexts overlap', 'search2', lambda p, c: None)
V1('y-chunk-merge-near', W + 'whole file one chunk when contexts touch (merged generously; doubtful)', 'search2', lambda p, c: None)
V1('y-mc-more-than-returned', W + 'matchCount includes matches not returned (per-document limits, reported)', E, lambda evs, c: not c['alert'] and [d.__setitem__('matchCount', d['matchCount'] * 3) for d in progs(evs)])
V1('y-lineMatches-empty-cm', W + 'cm=true: lineMatches [] / null beside chunkMatches', E, lambda evs, c: [m.__setitem__('lineMatches', []) for m in cont(evs) if 'chunkMatches' in m])
V1('y-lineMatches-null-cm', W + 'cm=true: lineMatches null beside chunkMatches (doubtful)', E, lambda evs, c: [m.__setitem__('lineMatches', None) for m in cont(evs) if 'chunkMatches' in m])
V1('y-chunkMatches-null', W + 'cm=false: chunkMatches null (unknown member)', E, lambda evs, c: [m.__setitem__('chunkMatches', None) for m in cont(evs) if 'lineMatches' in m])
V1('y-chunkMatches-empty', W + 'cm=false: chunkMatches []', E, lambda evs, c: [m.__setitem__('chunkMatches', []) for m in cont(evs) if 'lineMatches' in m])
V1('y-oal-zero', W + 'a match of length 0 (regexp) in addition', E, lambda evs, c: [l['offsetAndLengths'].insert(0, [0, 0]) for l in lm(evs)] if 'regexp' in str(c['p']) else None)
V1('y-path-only-when-content', W + 'path matches sent beside content match of the same file', E, lambda evs, c: [e[1].append({**{k: m[k] for k in ('path', 'repositoryID', 'repository', 'repoStars', 'repoLastFetched', 'branches', 'commit')}, 'type': 'path', 'pathMatches': []}) for e in evs if e[0] == 'matches' for m in e[1][:] if m['type'] == 'content' and not c['p'].get('display') and not re.search(r'count:\d', c['q']) and m['path'].startswith('zz')])
V1('y-429-once', W + 'request rate limits not shown: 429 with Retry-After 1 on the 5th request', 'search2', lambda p, c: None)
V1('y-429-often', W + 'rate limit: every 10th request 429', 'search2', lambda p, c: None)
V1('y-503-once', W + '503 once (doubtful)', 'search2', lambda p, c: None)
V1('y-keepalive-drop', W + 'HTTP: connection closed by server after each third response', 'plan', lambda plan, c: plan)
V1('y-count-exact-cut-word', W + 'query syntax: keyword finds more than standard', 'params', lambda p, c: None)
V1('y-timestamps-z-lower', W + 'ISO 8601 with lower t/z (RFC 3339; doubtful)', E, setk(cont, 'repoLastFetched', '2024-05-14t10:00:00z'))
V1('y-progress-done-early', W + 'final progress, then a pause, then done', 'plan', lambda plan, c: plan[:-1] + [(1.5, plan[-1][1])])
V1('y-buffer-two', W + 'incremental: in two blocks', 'plan', lambda plan, c: [(0.05, b''.join(b for d, b in plan[:len(plan) // 2])), (0.2, b''.join(b for d, b in plan[len(plan) // 2:]))])
V1('y-fast-all', W + 'all at once without delay (a fast search)', 'plan', lambda plan, c: [(0, b''.join(b for d, b in plan))])
V1('y-progress-first-late', W + 'no progress until matches have come', E, lambda evs, c: not c['alert'] and len(evs) > 3 and evs.pop(0))

# special search2 handlers need access to the handler
_go = S.Hd.go
def go(self):
    n = S.NAME
    if n in ('y-429-once', 'y-429-often', 'y-503-once'):
        k = nth()
        if (n == 'y-429-often' and k % 10 == 5) or (n != 'y-429-often' and k == 5):
            return self.plain(429 if '429' in n else 503, 'slow down\n', hdr=[('Retry-After', '1')])
    if n == 'y-keepalive-drop' and nth() % 3 == 0: self.close_connection = True
    return _go(self)
S.Hd.go = go
_search = core.search
def special(p, on):
    n = S.NAME
    if n == 'x-mll-wraps' and core.intp(p.get('max-line-len'), -1) > 0:
        k = int(p['max-line-len']); ev, c = _search({**p, 'max-line-len': '-1'}, on); c['mll'] = k
        for m in cmx(ev): m['context'] = '\n'.join(l[i:i + k] for l in m['context'].split('\n') for i in range(0, max(1, len(l)), k))
        return ev, c
    if n == 'x-display-objects-exceed' and core.intp(p.get('display'), -1) > 0:
        full, _ = _search({**p, 'display': '-1'}, on); ev, c = _search(p, on)
        by = {(m['repository'], m['path']): m for m in mts(full) if m.get('path') and m['type'] == 'content'}
        for e in ev:
            if e[0] == 'matches': e[1] = [by.get((m['repository'], m.get('path')), m) for m in e[1]]
        return ev, c
    if n == 'x-count-matchcount-n':
        m = re.search(r'count:(\d+)', p.get('q', ''))
        if m:
            ev, c = _search({**p, 'q': p['q'].replace(m.group(0), 'count:%d' % (int(m.group(1)) * 2))}, on); c['q'] = p['q']
            for d in progs(ev): d['matchCount'] = min(d['matchCount'], int(m.group(1)))
            return ev, c
    if n == 'y-chunk-per-match' and core.yes(p.get('cm', '')):
        ev, c = _search(p, on)
        for m in cont(ev):
            out = []
            for ch in m.get('chunkMatches', []):
                L = ch['context'].split('\n'); s0 = ch['contentStart']['line']
                for ln in sorted({r['start']['line'] for r in ch['ranges']}):
                    lo = max(s0, ln - c['cl']); hi = min(s0 + len(L) - 1, ln + c['cl'])
                    out.append({'context': '\n'.join(L[lo - s0:hi - s0 + 1]), 'contentStart': {'offset': 0, 'line': lo, 'column': 0}, 'ranges': [r for r in ch['ranges'] if r['start']['line'] == ln]})
            m['chunkMatches'] = out
        return ev, c
    if n == 'y-chunk-merge-near' and core.yes(p.get('cm', '')):
        ev, c = _search(p, on)
        files = {(r.name, f[0]): f[2] for r in core.REPOS for f in r.files}
        for m in cont(ev):
            cs = m.get('chunkMatches', [])
            out = []
            for ch in cs:
                if out:
                    a = out[-1]; al = a['context'].split('\n'); ae = a['contentStart']['line'] + len(al)
                    if ch['contentStart']['line'] <= ae:
                        bl = ch['context'].split('\n')[max(0, ae - ch['contentStart']['line']):]
                        a['context'] = '\n'.join(al + bl); a['ranges'] = a['ranges'] + ch['ranges']; continue
                out.append(ch)
            m['chunkMatches'] = out
        return ev, c
    return _search(p, on)
core.search = special
