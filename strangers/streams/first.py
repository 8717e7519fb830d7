#!/usr/bin/env python3
# -*- coding: utf-8 -*-
import argparse, copy, json, re, socket, sys, threading, time, gzip, base64
from urllib.parse import parse_qsl, urlsplit, unquote_plus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
import core

T = {}      # name -> (kind, sentence, hook, fn)
def reg(kind, name, sent, hook):
    def deco(fn):
        assert name not in T, name
        T[name] = (kind, sent, hook, fn); return fn
    return deco
def F(name, sent, hook): return reg('fault', name, sent, hook)
def V(name, sent, hook): return reg('variation', name, sent, hook)
def F1(name, sent, hook, fn): reg('fault', name, sent, hook)(fn)
def V1(name, sent, hook, fn): reg('variation', name, sent, hook)(fn)

# ---- helpers -------------------------------------------------------------
def mts(evs): return [m for n, d in evs if n == 'matches' for m in d]
def cont(evs): return [m for m in mts(evs) if m.get('type') == 'content']
def ptype(evs, t): return [m for m in mts(evs) if m.get('type') == t]
def progs(evs): return [d for n, d in evs if n == 'progress']
def final(evs):
    p = [d for d in progs(evs) if d.get('done')]
    return p[-1] if p else {}
def interim(evs): return [d for d in progs(evs) if not d.get('done')]
def filts(evs): return [d for n, d in evs if n == 'filters']
def each(sel):
    def mk(fn):
        def g(evs, c):
            for i, m in enumerate(sel(evs)): fn(m, i, c)
        return g
    return mk
eachm = each(mts); eachc = each(cont)
def lm(evs): return [l for m in cont(evs) for l in m.get('lineMatches') or []]
def cmx(evs): return [l for m in cont(evs) for l in m.get('chunkMatches') or []]
def fe(evs): return [f for d in filts(evs) for f in d]
def sk(evs): return [s for d in progs(evs) for s in d.get('skipped') or []]
def idx(evs, name): return [i for i, e in enumerate(evs) if e[0] == name]
def setk(sel, k, v, only=lambda i, c, m: True):
    def g(evs, c):
        for i, m in enumerate(sel(evs)):
            if only(i, c, m): m[k] = v(m) if callable(v) else copy.deepcopy(v)
    return g
def delk(sel, k, only=lambda i, c, m: True):
    def g(evs, c):
        for i, m in enumerate(sel(evs)):
            if only(i, c, m): m.pop(k, None)
    return g
last = lambda sel: (lambda evs: sel(evs)[-1:])
from2 = lambda i, c, m: i >= 1
tw = lambda i, c, m: i % 20 == 3
E = 'events'
ok = lambda *a: None

# ======================= faults: framing ==================================
S6 = '6: each event has exactly two fields, event: and data:, one per line.'
S6s = '6: Events are separated by two newline characters.'
S6j = '6: the value of data: is always JSON.'
def fr(fn):   # fn(i, n, name, js, c) -> bytes or None
    return fn
std = lambda name, js: b'event: ' + name.encode() + b'\ndata: ' + js + b'\n\n'
F1('frame-crlf', S6s, 'frame', lambda i, n, name, js, c: std(name, js).replace(b'\n', b'\r\n'))
F1('frame-cr', S6s, 'frame', lambda i, n, name, js, c: std(name, js).replace(b'\n', b'\r'))
F1('frame-crlf-one', S6s + ' (third event only)', 'frame', lambda i, n, name, js, c: std(name, js).replace(b'\n', b'\r\n') if i == 2 else None)
F1('frame-cr-end-of-data', S6s, 'frame', lambda i, n, name, js, c: b'event: ' + name.encode() + b'\ndata: ' + js + b'\r\n\n' if name == 'matches' else None)
F1('frame-three-newlines', S6s, 'frame', lambda i, n, name, js, c: std(name, js) + b'\n')
F1('frame-three-newlines-once', S6s, 'frame', lambda i, n, name, js, c: std(name, js) + b'\n' if i == 1 else None)
F1('frame-one-newline', S6s, 'frame', lambda i, n, name, js, c: std(name, js)[:-1])
F1('frame-one-newline-once', S6s, 'frame', lambda i, n, name, js, c: std(name, js)[:-1] if i == 1 else None)
F1('frame-last-no-separator', S6s + ' (done lacks its newlines)', 'frame', lambda i, n, name, js, c: std(name, js)[:-2] if name == 'done' else None)
F1('frame-last-one-newline', S6s + ' (done ends with one newline)', 'frame', lambda i, n, name, js, c: std(name, js)[:-1] if name == 'done' else None)
F1('frame-space-separator', S6s, 'frame', lambda i, n, name, js, c: std(name, js)[:-1] + b' \n' if i == 1 else None)
F1('frame-leading-newline', S6 + ' (stream begins with a newline)', 'frame', lambda i, n, name, js, c: b'\n' + std(name, js) if i == 0 else None)
F1('frame-id', S6, 'frame', lambda i, n, name, js, c: b'id: %d\n' % i + std(name, js))
F1('frame-id-after-data', S6, 'frame', lambda i, n, name, js, c: std(name, js)[:-1] + b'id: %d\n\n' % i)
F1('frame-id-done', S6, 'frame', lambda i, n, name, js, c: b'id: 1\n' + std(name, js) if name == 'done' else None)
F1('frame-retry', S6, 'frame', lambda i, n, name, js, c: b'retry: 3000\n' + std(name, js) if i == 0 else None)
F1('frame-retry-block', S6, 'frame', lambda i, n, name, js, c: b'retry: 3000\n\n' + std(name, js) if i == 0 else None)
F1('frame-comment-block', S6, 'frame', lambda i, n, name, js, c: b': keepalive\n\n' + std(name, js) if i == 2 else None)
F1('frame-comment-line', S6, 'frame', lambda i, n, name, js, c: b': x\n' + std(name, js) if i == 1 else None)
F1('frame-comment-inside', S6, 'frame', lambda i, n, name, js, c: b'event: ' + name.encode() + b'\n:\ndata: ' + js + b'\n\n' if name == 'filters' else None)
F1('frame-data-first', S6 + ' (order data, event) - doubtful', 'frame', lambda i, n, name, js, c: b'data: ' + js + b'\nevent: ' + name.encode() + b'\n\n')
F1('frame-data-twice', S6, 'frame', lambda i, n, name, js, c: b'event: ' + name.encode() + b'\ndata: ' + js + b'\ndata: \n\n' if i == 1 else None)
def split_json(js):
    s = js.decode(); p = json.dumps(json.loads(s), indent=1, ensure_ascii=False).encode().split(b'\n')
    return b''.join(b'data: ' + l + b'\n' for l in p)
F1('frame-data-multiline', S6, 'frame', lambda i, n, name, js, c: b'event: ' + name.encode() + b'\n' + split_json(js) + b'\n' if name == 'matches' else None)
F1('frame-data-multiline-filters', S6, 'frame', lambda i, n, name, js, c: b'event: ' + name.encode() + b'\n' + split_json(js) + b'\n' if name == 'filters' else None)
F1('frame-data-multiline-cm', S6 + ' (cm=true only)', 'frame', lambda i, n, name, js, c: b'event: ' + name.encode() + b'\n' + split_json(js) + b'\n' if name == 'matches' and c['cm'] else None)
F1('frame-event-twice', S6, 'frame', lambda i, n, name, js, c: b'event: ' + name.encode() + b'\n' + std(name, js) if i == 1 else None)
F1('frame-no-event', S6 + ' (no event: line on progress)', 'frame', lambda i, n, name, js, c: b'data: ' + js + b'\n\n' if name == 'progress' else None)
F1('frame-no-event-once', S6, 'frame', lambda i, n, name, js, c: b'data: ' + js + b'\n\n' if i == 1 else None)
F1('frame-empty-event', S6 + ' The value of event: names the type', 'frame', lambda i, n, name, js, c: b'event: \ndata: ' + js + b'\n\n' if name == 'filters' else None)
F1('frame-no-data', S6 + ' (done without data)', 'frame', lambda i, n, name, js, c: b'event: done\n\n' if name == 'done' else None)
F1('frame-empty-data', S6j + ' (done with empty data)', 'frame', lambda i, n, name, js, c: b'event: done\ndata: \n\n' if name == 'done' else None)
F1('frame-bom', S6 + ' (BOM at the start)', 'frame', lambda i, n, name, js, c: b'\xef\xbb\xbf' + std(name, js) if i == 0 else None)
F1('frame-bom-data', S6j + ' (BOM before JSON)', 'frame', lambda i, n, name, js, c: std(name, b'\xef\xbb\xbf' + js) if name == 'matches' else None)
F1('frame-event-upper', '6: event name matches', 'frame', lambda i, n, name, js, c: std(name.title(), js) if name == 'matches' else None)
F1('frame-event-quoted', '6: event name', 'frame', lambda i, n, name, js, c: std('"' + name + '"', js))
F1('frame-event-trailing-space', '6: event name', 'frame', lambda i, n, name, js, c: std(name + ' ', js) if name == 'filters' else None)
F1('frame-field-upper', S6, 'frame', lambda i, n, name, js, c: b'Event: ' + name.encode() + b'\nData: ' + js + b'\n\n')
F1('frame-field-space', S6, 'frame', lambda i, n, name, js, c: b'event : ' + name.encode() + b'\ndata : ' + js + b'\n\n')
F1('frame-extra-field', S6, 'frame', lambda i, n, name, js, c: std(name, js)[:-1] + b'time: 12\n\n' if name == 'progress' else None)
F1('frame-unknown-line', S6, 'frame', lambda i, n, name, js, c: b'event: ' + name.encode() + b'\nx\ndata: ' + js + b'\n\n' if i == 3 else None)
F1('frame-nul', S6j, 'frame', lambda i, n, name, js, c: std(name, js + b'\0') if name == 'progress' and i > 1 else None)
F1('json-python', S6j, 'frame', lambda i, n, name, js, c: std(name, repr(json.loads(js)).encode()) if name == 'filters' else None)
F1('json-trailing-comma', S6j, 'frame', lambda i, n, name, js, c: std(name, js[:-1] + b',]') if name == 'filters' else None)
F1('json-truncated-last-matches', S6j, 'frame', lambda i, n, name, js, c: std(name, js[:-1]) if name == 'matches' and len(js) % 4 == 0 else None)
F1('json-nan', S6j, 'frame', lambda i, n, name, js, c: std(name, re.sub(rb'"durationMs": \d+', b'"durationMs": NaN', js)) if name == 'progress' else None)
F1('json-string-encoded', S6j + ' array of match objects', 'frame', lambda i, n, name, js, c: std(name, json.dumps(js.decode()).encode()) if name == 'matches' else None)
F1('json-bad-utf8', S6j, 'frame', lambda i, n, name, js, c: std(name, js.replace('übermäßig'.encode(), b'\xfcberm\xe4\xdfig')) if name == 'matches' else None)
F1('json-raw-tab', S6j + ' (control char unescaped)', 'frame', lambda i, n, name, js, c: std(name, js.replace(b'\\t', b'\t')) if name == 'matches' else None)
F1('json-bad-escape', S6j, 'frame', lambda i, n, name, js, c: std(name, js.replace(b"'x'", b"\\'x\\'")) if name == 'matches' else None)
F1('json-leading-zero', S6j, 'frame', lambda i, n, name, js, c: std(name, js.replace(b'"matchCount": ', b'"matchCount": 0')) if name == 'progress' and b'"done": true' in js else None)
F1('json-dup-done-key', S6j + ' duplicate member (doubtful)', 'frame', lambda i, n, name, js, c: std(name, js[:-1] + b', "matchCount": 0}') if name == 'progress' else None)
F1('json-two-values', S6j, 'frame', lambda i, n, name, js, c: std(name, js + b' {}') if name == 'progress' else None)
F1('json-done-plain', '3: data of done is an empty JSON object', 'frame', lambda i, n, name, js, c: std(name, b'[DONE]') if name == 'done' else None)
F1('json-lone-surrogate', S6j + ' (doubtful)', 'frame', lambda i, n, name, js, c: std(name, js.replace('😀'.encode(), b'\\ud83d')) if name == 'matches' else None)
F1('json-comment', S6j, 'frame', lambda i, n, name, js, c: std(name, js + b' // x') if name == 'filters' else None)

# ======================= faults: order, lifecycle =========================
S3d = '3/6: done is always the last event; data is an empty JSON object.'
@F('no-done', S3d, E)
def _(evs, c): evs.pop()
@F('no-done-count-all', S3d + ' (count:all only)', E)
def _(evs, c):
    if 'count:all' in c['q']: evs.pop()
@F('no-done-display', S3d + ' (only when display cut)', E)
def _(evs, c):
    if c.get('dcut'): evs.pop()
@F('no-done-on-alert', S3d + ' (invalid query only)', E)
def _(evs, c):
    if c['alert']: evs.pop()
@F('no-done-cm', S3d + ' (cm only)', E)
def _(evs, c):
    if c['cm']: evs.pop()
@F('no-done-empty', S3d + ' (no results only)', E)
def _(evs, c):
    if not mts(evs): evs.pop()
@F('done-twice', S3d, E)
def _(evs, c): evs.append(['done', {}])
@F('done-first', S3d, E)
def _(evs, c): evs.insert(0, ['done', {}])
@F('done-middle', S3d, E)
def _(evs, c): evs.insert(len(evs) // 2, ['done', {}])
@F('done-before-progress', S3d, E)
def _(evs, c): evs[-1], evs[-2] = evs[-2], evs[-1]
@F('matches-after-done', S3d, E)
def _(evs, c):
    i = idx(evs, 'matches')
    if len(i) > 1: evs.append(evs.pop(i[-1]))
@F('progress-after-done', S3d, E)
def _(evs, c): evs.append(['progress', copy.deepcopy(final(evs))])
@F('alert-after-done', S3d, E)
def _(evs, c): evs.append(['alert', {'title': 'x', 'description': 'y', 'level': 'info'}])
@F('alert-after-done-invalid', S3d + ' (invalid query only)', E)
def _(evs, c):
    if c['alert']: evs.append(evs.pop(1))
@F('filters-after-done', S3d, E)
def _(evs, c):
    if filts(evs): evs.append(['filters', filts(evs)[-1]])
@F('filters-after-done-cm', S3d, E)
def _(evs, c):
    if filts(evs) and c['cm']: evs.append(['filters', filts(evs)[-1]])
@F('unknown-after-done', S3d, E)
def _(evs, c): evs.append(['stats', {}])
for nm, val in (('content', {'ok': True}), ('null', None), ('array', []), ('string', ''), ('true', True), ('zero', 0)):
    F1('done-' + nm, S3d, E, (lambda val: lambda evs, c: evs.__setitem__(-1, ['done', val]))(val))
@F('done-content-cm', S3d + ' (cm=true)', E)
def _(evs, c):
    if c['cm']: evs[-1] = ['done', {'cm': True}]
@F('done-content-alert', S3d + ' (invalid query)', E)
def _(evs, c):
    if c['alert']: evs[-1] = ['done', {'error': 'x'}]
@F('done-content-display', S3d + ' (display given)', E)
def _(evs, c):
    if c['p'].get('display'): evs[-1] = ['done', {'limited': True}]
S3p = '3: progress done true -> open, finishing; 2.2 done true in the final progress event.'
@F('progress-never', S3p, E)
def _(evs, c): evs[:] = [e for e in evs if e[0] != 'progress']
@F('progress-never-on-alert', S3p + ' (invalid query only)', E)
def _(evs, c):
    if c['alert']: evs[:] = [e for e in evs if e[0] != 'progress']
@F('progress-final-missing', S3p, E)
def _(evs, c): evs[:] = [e for e in evs if not (e[0] == 'progress' and e[1]['done'])]
F1('progress-final-done-false', S3p, E, lambda evs, c: final(evs).__setitem__('done', False))
@F('progress-final-done-false-display', S3p + ' (only when display cut)', E)
def _(evs, c):
    if c.get('dcut'): final(evs)['done'] = False
@F('progress-final-done-false-empty', S3p + ' (no match)', E)
def _(evs, c):
    if not mts(evs): final(evs)['done'] = False
@F('progress-final-done-false-alert', S3p + ' (invalid query)', E)
def _(evs, c):
    if c['alert']: final(evs)['done'] = False
@F('progress-final-done-false-type', S3p + ' (type: query only)', E)
def _(evs, c):
    if 'type:' in c['q']: final(evs)['done'] = False
@F('progress-done-all', S3p + ' (all events done true)', E)
def _(evs, c):
    for d in progs(evs): d['done'] = True
@F('progress-done-second', S3p + ' (second last too)', E)
def _(evs, c):
    ps = progs(evs)
    if len(ps) > 1: ps[-2]['done'] = True
@F('progress-done-twice', S3p, E)
def _(evs, c): evs.insert(-1, ['progress', copy.deepcopy(final(evs))])
@F('progress-false-after-true', S3p, E)
def _(evs, c):
    d = copy.deepcopy(final(evs)); d['done'] = False; evs.insert(-1, ['progress', d])
@F('matches-after-final-progress', '3: matches arrive while open, searching (done false)', E)
def _(evs, c):
    i = idx(evs, 'matches')
    if len(i) > 1: evs.insert(-1, evs.pop(i[-1]))
@F('matches-after-final-cm', '3: matches arrive while searching (cm=true only)', E)
def _(evs, c):
    i = idx(evs, 'matches')
    if len(i) > 1 and c['cm']: evs.insert(-1, evs.pop(i[-1]))
@F('filters-after-final-progress', '3: filters arrive while searching (doubtful)', E)
def _(evs, c):
    i = idx(evs, 'filters')
    if i: evs.insert(-1, evs.pop(i[-1]))
@F('late-all', '1: returns results incrementally so first results arrive quickly (everything held 4 s)', 'plan')
def _(plan, c): return [(4.0 if i == 0 else 0, b) for i, (d, b) in enumerate(plan)]
@F('buffered', '1: returns results incrementally (spread 3 s of work, all sent at the end in one block)', 'plan')
def _(plan, c): return [(3.0, b''.join(b for d, b in plan))]
@F('stream-cut', S3d + ' (connection reset before done)', 'plan')
def _(plan, c): return plan[:-2] + [(0, 'RESET')]
@F('stream-hang', S3d + ' (never closed: state closed after done)', 'plan')
def _(plan, c): return plan + [(60, b'')]
@F('stream-hang-before-done', S3d, 'plan')
def _(plan, c): return plan[:-1] + [(45, b'')]
@F('bytes-after-done', '3: done closes (garbage bytes after done)', 'plan')
def _(plan, c): return plan + [(0, b'bye\n')]
@F('newline-after-done', S6s + ' (one more newline after done)', 'plan')
def _(plan, c): return plan + [(0, b'\n')]
@F('comment-after-done', S3d, 'plan')
def _(plan, c): return plan + [(0, b': end\n\n')]

# ======================= faults: progress object ==========================
P2 = '2.2 progress object: '
for k, v in (('done', 'true'), ('matchCount', '5'), ('durationMs', '12ms'), ('repositoriesCount', '2'), ('trace', 17), ('skipped', 'none')):
    F1('prog-type-' + k, P2 + k + ' wrong type', E, (lambda k, v: setk(progs, k, v))(k, v))
for k, v in (('done', 1), ('matchCount', 1.5), ('matchCount', -1), ('durationMs', -3), ('durationMs', 12.75), ('repositoriesCount', 1.5), ('repositoriesCount', -1), ('repositoriesCount', None), ('matchCount', None), ('durationMs', None), ('done', None), ('skipped', {}), ('trace', 'not a url'), ('trace', None), ('skipped', None)):
    nm = 'prog-%s-%s' % (k, json.dumps(v).strip('"').replace(' ', '_'))
    if k in ('skipped',) and v is None: nm += '-(doubtful)'
    F1(nm, P2 + '%s is %r' % (k, v), E, (lambda k, v: setk(last(progs), k, v))(k, v))
F1('prog-interim-matchCount-string', P2 + 'matchCount integer (interim events only)', E, setk(interim, 'matchCount', '7'))
F1('prog-interim-duration-string', P2 + 'durationMs integer (interim, second on)', E, setk(interim, 'durationMs', '7', from2))
F1('prog-interim-done-null', P2 + 'done boolean, false while searching', E, setk(interim, 'done', None))
F1('prog-interim-done-missing', P2 + 'done false while searching', E, delk(interim, 'done'))
F1('prog-final-no-repositoriesCount', P2 + 'repositoriesCount present in the final event', E, delk(last(progs), 'repositoriesCount'))
F1('prog-final-no-repositoriesCount-empty', P2 + 'repositoriesCount present in the final event (no match)', E, delk(last(progs), 'repositoriesCount', lambda i, c, m: m['matchCount'] == 0))
F1('prog-final-no-repositoriesCount-alert', P2 + 'repositoriesCount present in the final event (invalid query)', E, delk(last(progs), 'repositoriesCount', lambda i, c, m: c['alert']))
F1('prog-final-no-matchCount', P2 + 'matchCount', E, delk(last(progs), 'matchCount'))
F1('prog-final-no-durationMs', P2 + 'durationMs', E, delk(last(progs), 'durationMs'))
F1('prog-final-no-skipped', P2 + 'skipped (although cut off)', E, delk(progs, 'skipped'))
F1('prog-matchCount-0', '6: progress: match count (final says 0 although matches)', E, setk(last(progs), 'matchCount', 0))
F1('prog-matchCount-objects-minus', '6: match count lower than number of match objects', E, lambda evs, c: final(evs).__setitem__('matchCount', max(0, len(mts(evs)) - 1)))
F1('prog-matchCount-minus1', '6: match count one less than ranges returned', E, lambda evs, c: final(evs).__setitem__('matchCount', max(0, final(evs)['matchCount'] - 1)))
F1('prog-matchCount-plus1', '6: match count one more than found', E, lambda evs, c: final(evs).__setitem__('matchCount', final(evs)['matchCount'] + 1))
F1('prog-matchCount-double', '6: match count double', E, lambda evs, c: final(evs).__setitem__('matchCount', final(evs)['matchCount'] * 2))
F1('prog-matchCount-empty-nonzero', '6: match count 5 with no match', E, lambda evs, c: final(evs).__setitem__('matchCount', final(evs)['matchCount'] or 5))
F1('prog-matchCount-falls', '6: match count falls in the course of the stream', E, lambda evs, c: [d.__setitem__('matchCount', 9999 - i) for i, d in enumerate(interim(evs))])
F1('prog-matchCount-interim-over', '6: an interim match count higher than the final one', E, lambda evs, c: interim(evs) and interim(evs)[-1].__setitem__('matchCount', final(evs).get('matchCount', 0) + 3))
F1('prog-duration-falls', '2.2 durationMs: falls', E, lambda evs, c: [d.__setitem__('durationMs', 5000 - 10 * i) for i, d in enumerate(progs(evs))])
F1('prog-duration-seconds', '2.2 durationMs milliseconds (seconds: 0 after > 1 s)', E, lambda evs, c: [d.__setitem__('durationMs', 0) for d in progs(evs)])
F1('prog-duration-micro', '2.2 durationMs milliseconds (microseconds)', E, lambda evs, c: [d.__setitem__('durationMs', d['durationMs'] * 1000000) for d in progs(evs)])
F1('prog-repos-total', '6: repositories with matches (says all searched, 100)', E, setk(last(progs), 'repositoriesCount', 100))
F1('prog-repos-0', '6: repositories with matches (0 although matches)', E, setk(last(progs), 'repositoriesCount', 0))
F1('prog-repos-minus1', '6: repositories with matches, one less', E, setk(last(progs), 'repositoriesCount', lambda m: max(0, m['repositoriesCount'] - 1)))
F1('prog-repos-plus1', '6: repositories with matches, one more', E, setk(last(progs), 'repositoriesCount', lambda m: m['repositoriesCount'] + 1))
F1('prog-repos-plus1-cm', '6: repositories with matches, one more (cm=true)', E, setk(last(progs), 'repositoriesCount', lambda m: m['repositoriesCount'] + 1, lambda i, c, m: c['cm']))
F1('prog-repos-interim-over', '6: interim repositoriesCount above final', E, setk(interim, 'repositoriesCount', 50))
F1('prog-array', '6: progress data is a progress object (array)', E, lambda evs, c: [e.__setitem__(1, [e[1]]) for e in evs if e[0] == 'progress'])
F1('prog-array-first', '6: progress data is a progress object (first one is [])', E, lambda evs, c: evs.insert(0, ['progress', []]))
F1('prog-none-interim', '1: progress between - only final (doubtful, permitted)', E, lambda evs, c: evs.__setitem__(slice(None), [e for e in evs if e[0] != 'progress' or e[1]['done']]))
F1('prog-stats-stop-at-display', '4: after display limit the backend keeps aggregating statistics (matchCount = shown)', E, lambda evs, c: c.get('dcut') and final(evs).__setitem__('matchCount', c['display']))
F1('prog-trace-relative', '2.2 trace is URL of a trace (path only, doubtful)', E, setk(progs, 'trace', '/-/debug/trace/1'))
F1('prog-trace-number-interim', '2.2 trace string', E, setk(interim, 'trace', 5))

# ======================= faults: skipped ==================================
S2 = '2.2 skipped object: '
for k, v in (('reason', 5), ('title', None), ('message', ['x']), ('severity', 2), ('suggested', 'count:1000'), ('suggested', []), ('suggested', None)):
    F1('skip-%s-%s' % (k, json.dumps(v).strip('"').replace(' ', '')), S2 + k + ' wrong type', E, (lambda k, v: setk(sk, k, v))(k, v))
for k in ('reason', 'title', 'message', 'severity'):
    F1('skip-no-' + k, S2 + k + ' missing', E, (lambda k: delk(sk, k))(k))
F1('skip-reason-archive-number', S2 + 'reason string (only excluded-archive)', E, setk(sk, 'title', 3, lambda i, c, m: m['reason'] == 'excluded-archive'))
def sug(fn):
    def g(evs, c):
        for s in sk(evs):
            if isinstance(s.get('suggested'), dict): fn(s['suggested'], s, c)
    return g
F1('skip-suggested-no-title', S2 + 'suggested {title, queryExpression}', E, sug(lambda u, s, c: u.pop('title')))
F1('skip-suggested-no-query', S2 + 'suggested {title, queryExpression}', E, sug(lambda u, s, c: u.pop('queryExpression')))
F1('skip-suggested-query-number', S2 + 'queryExpression string', E, sug(lambda u, s, c: u.__setitem__('queryExpression', 1000)))
F1('skip-suggested-query-camel', S2 + 'queryExpression misspelt query_expression', E, sug(lambda u, s, c: u.__setitem__('query_expression', u.pop('queryExpression'))))
F1('skip-suggested-other-count', '8: suggestion count:1000 (says count:5000)', E, sug(lambda u, s, c: s['reason'] == 'shard-match-limit' and u.__setitem__('queryExpression', 'count:5000')))
F1('skip-limit-without-suggestion', '8: reported with reason shard-match-limit and a suggestion count:1000', E, delk(sk, 'suggested', lambda i, c, m: m['reason'] == 'shard-match-limit'))
@F('skip-limit-silent', '7/8: results cut off are reported in skipped', E)
def _(evs, c):
    for d in progs(evs): d['skipped'] = [s for s in d['skipped'] if s['reason'] != 'shard-match-limit']
@F('skip-display-silent-(doubtful)', '7: results cut off by display are reported in skipped', E)
def _(evs, c):
    for d in progs(evs): d['skipped'] = [s for s in d['skipped'] if s['reason'] != 'display']
@F('skip-count-silent', '7: results cut off by count:n reported in skipped', E)
def _(evs, c):
    if re.search(r'count:\d', c['q']):
        for d in progs(evs): d['skipped'] = [s for s in d['skipped'] if s['reason'] != 'shard-match-limit']
@F('skip-limit-other-reason', '8: reported with the skipped reason shard-match-limit', E)
def _(evs, c):
    for s in sk(evs):
        if s['reason'] == 'shard-match-limit': s['reason'] = 'document-match-limit'
@F('skip-limit-always', '8: shard-match-limit although no limit was hit (count:all)', E)
def _(evs, c):
    if 'count:all' in c['q'] and final(evs): final(evs)['skipped'].append({'reason': 'shard-match-limit', 'title': 'limit', 'message': 'limit', 'severity': 'info', 'suggested': {'title': 'x', 'queryExpression': 'count:1000'}})
F1('skip-entries-strings', '2.2 skipped: array of skipped objects', E, lambda evs, c: [d.__setitem__('skipped', [s['reason'] for s in d['skipped']]) for d in progs(evs)])
F1('skip-in-last-null-entry', '2.2 skipped: array of skipped objects (null element)', E, lambda evs, c: final(evs) and final(evs)['skipped'].append(None))
F1('skip-interim-only', '7: cut-off only in interim progress, gone in final', E, lambda evs, c: final(evs).__setitem__('skipped', []))

# ======================= faults: filters ==================================
F2 = '2.1 filter: '
for k, v in (('value', 3), ('label', None), ('count', '3'), ('count', 1.5), ('count', -1), ('count', None), ('exhaustive', 'true'), ('exhaustive', None), ('kind', 4), ('kind', None), ('exhaustive', 1)):
    F1('filt-%s-%s' % (k, json.dumps(v).strip('"')), F2 + k + ' wrong type', E, (lambda k, v: setk(fe, k, v))(k, v))
for k in ('value', 'label', 'count', 'exhaustive', 'kind'):
    F1('filt-no-' + k, F2 + k + ' missing', E, (lambda k: delk(fe, k))(k))
F1('filt-count-string-utility', F2 + 'count integer (only utility)', E, setk(fe, 'count', '3', lambda i, c, m: m['kind'] == 'utility'))
F1('filt-count-string-last', F2 + 'count integer (only last filter of last event)', E, setk(last(fe), 'count', '3'))
F1('filt-label-missing-20', F2 + 'label (one in twenty)', E, delk(fe, 'label', tw))
F1('filt-value-empty', F2 + 'value a query filter to add (empty)', E, setk(fe, 'value', ''))
F1('filt-value-not-filter', F2 + 'value a query filter to add (plain word)', E, setk(fe, 'value', 'hello'))
F1('filt-lang-value-bare', F2 + 'value form lang:<language> (only Go)', E, setk(fe, 'value', lambda m: m['value'].split(':', 1)[1], lambda i, c, m: m['kind'] == 'lang'))
F1('filt-kind-mismatch', F2 + 'kind lang for a repo: value', E, setk(fe, 'kind', 'lang', lambda i, c, m: m['kind'] == 'repo'))
F1('filt-kind-empty', F2 + 'kind empty string', E, setk(fe, 'kind', ''))
F1('filt-object', '6: filters data is an array (object)', E, lambda evs, c: [e.__setitem__(1, {'filters': e[1]}) for e in evs if e[0] == 'filters'])
F1('filt-null', '6: filters data is an array (null, first only)', E, lambda evs, c: evs.insert(1, ['filters', None]))
F1('filt-count-double', F2 + 'count number of matches (doubled, lang)', E, setk(fe, 'count', lambda m: m['count'] * 2, lambda i, c, m: m['kind'] == 'lang'))
F1('filt-count-zero', F2 + 'count number of matches (0)', E, setk(fe, 'count', 0))
F1('filt-count-repo-plus1', F2 + 'count number of matches (repo +1)', E, setk(fe, 'count', lambda m: m['count'] + 1, lambda i, c, m: m['kind'] == 'repo'))
F1('filt-lang-unknown', F2 + 'count: a language no match has', E, lambda evs, c: [d.append({'value': 'lang:cobol', 'label': 'Cobol', 'count': 4, 'exhaustive': True, 'kind': 'lang'}) for d in filts(evs)])
F1('filt-shrinks', '6: later filters events can hold more entries (hold fewer)', E, lambda evs, c: filts(evs) and filts(evs)[-1].__delitem__(slice(1, None)))
F1('filt-exhaustive-always', F2 + 'exhaustive true although limits were hit (doubtful)', E, setk(fe, 'exhaustive', True))
F1('filt-strings', '6: array of filter suggestions (strings)', E, lambda evs, c: [e.__setitem__(1, [f['value'] for f in e[1]]) for e in evs if e[0] == 'filters'])
F1('filt-null-entry', '6: array of filter suggestions (null element at end)', E, lambda evs, c: [d.append(None) for d in filts(evs)[-1:]])
F1('filt-narrow-ignored', 'filter lang: added does not narrow', 'params', lambda p, c: p.__setitem__('q', re.sub(r'\blang:\S+', '', p.get('q', ''))))

# ======================= faults: content matches ==========================
C2 = '2.3 content match: '
WR = {'path': 5, 'pathMatches': 'x', 'repositoryID': '7', 'repository': 9, 'repoStars': '42', 'repoLastFetched': 1700000000, 'branches': 'main', 'commit': 7, 'hunks': {}, 'lineMatches': {}, 'language': 3}
for k, v in WR.items():
    F1('cm-type-' + k, C2 + k + ' wrong type', E, (lambda k, v: setk(lambda e: [m for m in cont(e) if k in m], k, v))(k, v))
    F1('cm-null-' + k if k != 'hunks' else 'cm-hunks-string', C2 + k + ' null/not of the type', E, (lambda k, v: setk(lambda e: [m for m in cont(e) if k in m], k, None if k != 'hunks' else 'x'))(k, v))
    if k not in ('hunks',): F1('cm-no-' + k, C2 + k + ' missing (doubtful for the optional ones)', E, (lambda k: delk(cont, k))(k))
F1('cm-no-type', C2 + 'type', E, delk(cont, 'type'))
F1('cm-no-type-20', C2 + 'type (one of twenty)', E, delk(mts, 'type', tw))
F1('cm-type-file', '2.3 match types are content, path ... (file)', E, setk(cont, 'type', 'file'))
F1('cm-type-upper', '2.3 match types (Content)', E, setk(cont, 'type', 'Content'))
F1('cm-type-unknown-last', '2.3 match types (one text match at the end)', E, setk(last(cont), 'type', 'text'))
F1('cm-branches-number', C2 + 'branches array of string', E, setk(cont, 'branches', [1]))
F1('cm-branches-null-element', C2 + 'branches array of string', E, setk(cont, 'branches', ['main', None]))
F1('cm-branches-objects', C2 + 'branches array of string', E, setk(cont, 'branches', [{'name': 'main'}]))
F1('cm-fetched-rfc1123', C2 + 'repoLastFetched ISO 8601', E, setk(cont, 'repoLastFetched', 'Tue, 14 May 2024 10:00:00 GMT'))
F1('cm-fetched-space', C2 + 'repoLastFetched ISO 8601 (blank in place of T)', E, setk(cont, 'repoLastFetched', lambda m: m['repoLastFetched'].replace('T', ' ')))
F1('cm-fetched-date-only', C2 + 'repoLastFetched timestamp (date only, doubtful)', E, setk(cont, 'repoLastFetched', '2024-05-14'))
F1('cm-fetched-month13', C2 + 'repoLastFetched ISO 8601 (month 13)', E, setk(cont, 'repoLastFetched', '2024-13-01T10:00:00Z'))
F1('cm-fetched-feb30', C2 + 'repoLastFetched ISO 8601 (30 February)', E, setk(cont, 'repoLastFetched', '2024-02-30T10:00:00Z'))
F1('cm-fetched-hour25', C2 + 'repoLastFetched ISO 8601 (hour 25)', E, setk(cont, 'repoLastFetched', '2024-02-20T25:00:00Z'))
F1('cm-fetched-epoch-string', C2 + 'repoLastFetched ISO 8601 (epoch string)', E, setk(cont, 'repoLastFetched', '1715680800'))
F1('cm-fetched-us', C2 + 'repoLastFetched ISO 8601 (05/14/2024)', E, setk(cont, 'repoLastFetched', '05/14/2024 10:00', tw))
F1('cm-fetched-empty', C2 + 'repoLastFetched ISO 8601 (empty)', E, setk(cont, 'repoLastFetched', ''))
F1('cm-commit-short', C2 + 'commit hash (7 digits, doubtful)', E, setk(cont, 'commit', lambda m: m['commit'][:7]))
F1('cm-commit-branch', C2 + 'commit hash (HEAD)', E, setk(cont, 'commit', 'HEAD'))
F1('cm-commit-empty', C2 + 'commit hash (empty)', E, setk(cont, 'commit', ''))
F1('cm-commit-nothex', C2 + 'commit hash (g in it)', E, setk(cont, 'commit', lambda m: 'g' + m['commit'][1:], tw))
F1('cm-commit-39', C2 + 'commit hash (39 digits)', E, setk(cont, 'commit', lambda m: m['commit'][:39]))
F1('cm-path-empty', C2 + 'path empty', E, setk(cont, 'path', ''))
F1('cm-repo-empty', C2 + 'repository empty', E, setk(cont, 'repository', ''))
F1('cm-repoid-float', C2 + 'repositoryID integer (1.5)', E, setk(cont, 'repositoryID', 1.5))
F1('cm-repoid-string-beta', C2 + 'repositoryID integer (one repository only)', E, setk(cont, 'repositoryID', '107', lambda i, c, m: m['repository'].endswith('beta')))
F1('cm-repoid-negative', C2 + 'repositoryID -1 (doubtful)', E, setk(cont, 'repositoryID', -1))
F1('cm-repoid-differs', C2 + 'same repository with two ids', E, setk(cont, 'repositoryID', lambda m: m['repositoryID'] + (len(m['path']) % 2)))
F1('cm-stars-float', C2 + 'repoStars integer', E, setk(cont, 'repoStars', 4.5))
F1('cm-stars-negative', C2 + 'repoStars -1 (doubtful)', E, setk(cont, 'repoStars', -1))
F1('cm-hunks-bool', C2 + 'hunks array or null (false)', E, setk(cont, 'hunks', False))
F1('cm-hunks-object-20', C2 + 'hunks array or null (object, one of 20)', E, setk(cont, 'hunks', {}, lambda i, c, m: i == 2))
def lmm(fn, only=lambda i, c, m: True):
    def g(evs, c):
        for i, l in enumerate(lm(evs)):
            if only(i, c, l): fn(l)
    return g
L2 = '2.3 lineMatches: '
F1('lm-line-number', L2 + 'line string', E, lmm(lambda l: l.__setitem__('line', 5)))
F1('lm-line-missing', L2 + 'line', E, lmm(lambda l: l.pop('line')))
F1('lm-line-null-20', L2 + 'line (one of twenty null)', E, lmm(lambda l: l.__setitem__('line', None), tw))
F1('lm-number-string', L2 + 'lineNumber integer', E, lmm(lambda l: l.__setitem__('lineNumber', str(l['lineNumber']))))
F1('lm-number-string-20', L2 + 'lineNumber integer, one of twenty', E, lmm(lambda l: l.__setitem__('lineNumber', str(l['lineNumber'])), tw))
F1('lm-number-missing', L2 + 'lineNumber', E, lmm(lambda l: l.pop('lineNumber')))
F1('lm-number-negative', L2 + 'lineNumber -1', E, lmm(lambda l: l.__setitem__('lineNumber', -1)))
F1('lm-number-float', L2 + 'lineNumber 1.5', E, lmm(lambda l: l.__setitem__('lineNumber', l['lineNumber'] + .5)))
F1('lm-oal-missing', L2 + 'offsetAndLengths', E, lmm(lambda l: l.pop('offsetAndLengths')))
F1('lm-oal-null', L2 + 'offsetAndLengths null', E, lmm(lambda l: l.__setitem__('offsetAndLengths', None)))
F1('lm-oal-flat', L2 + 'array of pairs (flat)', E, lmm(lambda l: l.__setitem__('offsetAndLengths', l['offsetAndLengths'][0])))
F1('lm-oal-triple', L2 + 'pairs (three numbers)', E, lmm(lambda l: l.__setitem__('offsetAndLengths', [x + [0] for x in l['offsetAndLengths']])))
F1('lm-oal-single', L2 + 'pairs (one number)', E, lmm(lambda l: l.__setitem__('offsetAndLengths', [x[:1] for x in l['offsetAndLengths']])))
F1('lm-oal-strings', L2 + 'integer pairs (strings)', E, lmm(lambda l: l.__setitem__('offsetAndLengths', [[str(y) for y in x] for x in l['offsetAndLengths']])))
F1('lm-oal-objects', L2 + 'pairs (objects)', E, lmm(lambda l: l.__setitem__('offsetAndLengths', [{'offset': x[0], 'length': x[1]} for x in l['offsetAndLengths']])))
F1('lm-oal-float', L2 + 'integer pairs (x.5)', E, lmm(lambda l: l['offsetAndLengths'][-1].__setitem__(0, l['offsetAndLengths'][-1][0] + .5)))
F1('lm-oal-negative', L2 + 'offset negative', E, lmm(lambda l: l['offsetAndLengths'][-1].__setitem__(0, -1)))
F1('lm-oal-swapped', L2 + '[offset, length] (swapped)', E, lmm(lambda l: l.__setitem__('offsetAndLengths', [[b, a] for a, b in l['offsetAndLengths']])))
F1('lm-oal-end', L2 + '[offset, length] ([start, end])', E, lmm(lambda l: l.__setitem__('offsetAndLengths', [[a, a + b] for a, b in l['offsetAndLengths']])))
F1('lm-oal-offset-plus1', L2 + 'offset one too high', E, lmm(lambda l: l.__setitem__('offsetAndLengths', [[a + 1, b] for a, b in l['offsetAndLengths']])))
F1('lm-oal-length-minus1', L2 + 'length one too low', E, lmm(lambda l: l.__setitem__('offsetAndLengths', [[a, b - 1] for a, b in l['offsetAndLengths']])))
F1('lm-oal-zero-length', L2 + 'length 0', E, lmm(lambda l: l.__setitem__('offsetAndLengths', [[a, 0] for a, b in l['offsetAndLengths']])))
F1('lm-oal-beyond', L2 + 'offset beyond the line', E, lmm(lambda l: l.__setitem__('offsetAndLengths', [[a + 9999, b] for a, b in l['offsetAndLengths']])))
F1('lm-oal-plus1-20', L2 + 'offset +1 in one of twenty', E, lmm(lambda l: l.__setitem__('offsetAndLengths', [[a + 1, b] for a, b in l['offsetAndLengths']]), tw))
F1('lm-oal-second-shifted', L2 + 'second pair of a line +2', E, lmm(lambda l: [x.__setitem__(0, x[0] + 2) for x in l['offsetAndLengths'][1:]]))
F1('lm-oal-empty', L2 + 'offsetAndLengths empty (a line match without match)', E, lmm(lambda l: l.__setitem__('offsetAndLengths', [])))
F1('lm-oal-empty-20', L2 + 'offsetAndLengths empty (one in twenty)', E, lmm(lambda l: l.__setitem__('offsetAndLengths', []), tw))
F1('lm-line-truncated', L2 + 'line cut before the match', E, lmm(lambda l: l.__setitem__('line', l['line'][:max(0, l['offsetAndLengths'][0][0])])))
F1('lm-line-trimmed', L2 + 'line without its indent, offsets not moved', E, lmm(lambda l: l.__setitem__('line', l['line'].strip())))
F1('lm-line-wrong-20', L2 + 'line of another match in one of twenty', E, lmm(lambda l: l.__setitem__('line', 'nothing here'), tw))
F1('lm-line-empty', L2 + 'line empty', E, lmm(lambda l: l.__setitem__('line', '')))
F1('lm-line-two-lines', L2 + 'line holds a newline', E, lmm(lambda l: l.__setitem__('line', l['line'] + '\nnext line')))
F1('lm-string', L2 + 'elements objects (strings)', E, lambda evs, c: [m.__setitem__('lineMatches', [l['line'] for l in m['lineMatches']]) for m in cont(evs) if 'lineMatches' in m])
F1('lm-empty', C2 + 'content match without line matches', E, lambda evs, c: [m.__setitem__('lineMatches', []) for m in cont(evs) if 'lineMatches' in m])
F1('lm-dup', L2 + 'each line twice', E, lambda evs, c: [m.__setitem__('lineMatches', m['lineMatches'] * 2) for m in cont(evs) if 'lineMatches' in m])
def pms(evs): return [x for m in mts(evs) for x in m.get('pathMatches') or []]
F1('pm-null', '2.3 pathMatches array', E, setk(lambda e: [m for m in ptype(e, 'content')], 'pathMatches', None, lambda i, c, m: not m['pathMatches']))
F1('pm-pairs', '2.3 pathMatches range objects (pairs)', E, lambda evs, c: [m.__setitem__('pathMatches', [[x['start']['offset'], x['end']['offset']] for x in m['pathMatches']]) for m in cont(evs)])
F1('pm-no-end', '2.3 pathMatches {start, end}', E, delk(pms, 'end'))
F1('pm-start-number', '2.3 start is a position (number)', E, setk(pms, 'start', lambda x: x['start']['offset']))
F1('pm-no-offset', '2.3 position {offset,line,column}', E, lambda evs, c: [x['start'].pop('offset') for x in pms(evs)])
F1('pm-no-column-end', '2.3 position {offset,line,column}', E, lambda evs, c: [x['end'].pop('column') for x in pms(evs)])
F1('pm-line-string', '2.3 position of integers', E, lambda evs, c: [x['end'].__setitem__('line', '0') for x in pms(evs)])
F1('pm-column-float', '2.3 position of integers', E, lambda evs, c: [x['end'].__setitem__('column', 1.5) for x in pms(evs)])
F1('pm-negative', '2.3 position negative', E, lambda evs, c: [x['start'].__setitem__('offset', -1) for x in pms(evs)])
F1('pm-end-before-start', '2.3 range start, end (swapped)', E, lambda evs, c: [x.update(start=x['end'], end=x['start']) for x in pms(evs)])
F1('pm-beyond', '2.3 range beyond the path', E, lambda evs, c: [x['end'].__setitem__('offset', 5000) for x in pms(evs)])
F1('pm-shifted', '2.3 range does not cover the match in path', E, lambda evs, c: [(x['start'].__setitem__('offset', x['start']['offset'] + 1), x['end'].__setitem__('offset', x['end']['offset'] + 1), x['start'].__setitem__('column', x['start']['column'] + 1), x['end'].__setitem__('column', x['end']['column'] + 1)) for x in pms(evs)])
F1('matches-object', '6: matches data is array (object)', E, lambda evs, c: [e.__setitem__(1, {'matches': e[1]}) for e in evs if e[0] == 'matches'])
F1('matches-null-first', '6: matches data is array (null)', E, lambda evs, c: evs.insert(1, ['matches', None]))
F1('matches-single', '6: matches data is array (single object)', E, lambda evs, c: [e.__setitem__(1, e[1][0]) for e in evs if e[0] == 'matches' and len(e[1]) == 1])
F1('matches-null-element', '6: array of match objects (null at end)', E, lambda evs, c: [e[1].append(None) for e in evs[-6:] if e[0] == 'matches'])
F1('matches-string-element', '6: array of match objects', E, lambda evs, c: [e[1].append('x') for e in evs if e[0] == 'matches'])
F1('matches-dup', 'a match delivered twice (last of each event again in the next)', E, lambda evs, c: [evs[i].__setitem__(1, evs[i][1] + [copy.deepcopy(evs[i][1][0])]) for i in idx(evs, 'matches')])
F1('matches-dup-event', 'one matches event repeated', E, lambda evs, c: idx(evs, 'matches') and evs.insert(idx(evs, 'matches')[0] + 1, copy.deepcopy(evs[idx(evs, 'matches')[0]])))
F1('matches-lost', '6: matchCount > 0 but no matches events', E, lambda evs, c: evs.__setitem__(slice(None), [e for e in evs if e[0] != 'matches']))
F1('matches-lost-cm', 'matches: none with cm=true', E, lambda evs, c: c['cm'] and evs.__setitem__(slice(None), [e for e in evs if e[0] != 'matches']))
F1('matches-lost-20', '6: one match object in twenty lost', E, lambda evs, c: [e.__setitem__(1, [m for k, m in enumerate(e[1]) if (k + len(json.dumps(m))) % 20]) for e in evs if e[0] == 'matches'])
F1('event-renamed', '6: event matches (match)', E, lambda evs, c: [e.__setitem__(0, 'match') for e in evs if e[0] == 'matches'])
for ty in ('path', 'repo', 'commit', 'diff', 'symbol'):
    F1('type-%s-missing' % ty, '2.3 match has type (none on %s)' % ty, E, (lambda ty: delk(lambda e: ptype(e, ty), 'type'))(ty))
    F1('type-%s-wrong' % ty, '2.3 match types (unknown for %s)' % ty, E, (lambda ty: setk(lambda e: ptype(e, ty), 'type', {'path': 'file', 'repo': 'repository', 'commit': 'COMMIT', 'diff': 'patch', 'symbol': 'sym'}[ty]))(ty))
F1('type-diff-as-commit', '2.3/6: diff results have type diff (commit; doubtful)', E, setk(lambda e: ptype(e, 'diff'), 'type', 'commit'))
F1('type-path-as-content', '2.3: content without lineMatches for type:path', E, setk(lambda e: ptype(e, 'path'), 'type', 'content'))
F1('type-number', '2.3 type string (number for repo)', E, setk(lambda e: ptype(e, 'repo'), 'type', 6))

# ======================= faults: chunk matches ============================
K2 = '2.3/4 cm: '
F1('chunk-no-context', '2.3 with chunk matches enabled results carry context', E, delk(cmx, 'context'))
F1('chunk-context-null', '2.3 context', E, setk(cmx, 'context', None))
F1('chunk-context-20-missing', '2.3 context missing in one of twenty', E, delk(cmx, 'context', tw))
F1('chunk-context-last-missing', '2.3 context missing in the last ChunkMatch', E, delk(last(cmx), 'context'))
F1('chunk-context-renamed', '2.3 context named content', E, lambda evs, c: [m.__setitem__('content', m.pop('context')) for m in cmx(evs)])
F1('chunk-context-number', '2.3 context number', E, setk(cmx, 'context', 3))
F1('chunk-context-empty', '2.3 context empty string', E, setk(cmx, 'context', ''))
F1('chunk-only-first-event', '2.3 chunk matches only in first event, lineMatches later', 'search2', lambda p, c: 'mixcm')
F1('chunk-ignored', '4: cm enables chunk matches (ignored)', 'params', lambda p, c: p.pop('cm', None))
F1('chunk-always', '4: cm default false (chunk matches always)', 'params', lambda p, c: p.__setitem__('cm', 'true'))
F1('chunk-default-true', '4: cm default false (true when absent)', 'params', lambda p, c: p.setdefault('cm', 'true'))
F1('chunk-inverse-false', '4: cm=false gives chunk matches (any value true)', 'params', lambda p, c: 'cm' in p and p.__setitem__('cm', 'true'))
F1('chunk-extra-lm', '4: cm=false, yet chunkMatches beside lineMatches', E, lambda evs, c: [m.__setitem__('chunkMatches', [{'context': 'x', 'ranges': []}]) for m in cont(evs) if 'lineMatches' in m])
F1('cl-ignored', '4: cl lines of context (always 1)', 'params', lambda p, c: p.pop('cl', None))
F1('cl-default-0', '4: cl default 1 (0)', 'params', lambda p, c: p.setdefault('cl', '0'))
F1('cl-default-3', '4: cl default 1 (3)', 'params', lambda p, c: p.setdefault('cl', '3'))
F1('cl-plus1', '4: cl lines of context (one more)', 'params', lambda p, c: 'cl' in p and p.__setitem__('cl', str(core.intp(p['cl'], 1) + 1)))
F1('cl-cap2', '4: cl lines of context (at most 2)', 'params', lambda p, c: 'cl' in p and p.__setitem__('cl', str(min(2, core.intp(p['cl'], 1)))))
F1('cl-zero-is-one', '4: cl=0 gives 1', 'params', lambda p, c: p.get('cl') == '0' and p.__setitem__('cl', '1'))
F1('cl-before-only', '4: context around a match (only before)', E, lambda evs, c: [m.__setitem__('context', '\n'.join(m['context'].split('\n')[:-c['cl']] if c['cl'] and len(m['context'].split('\n')) > c['cl'] else m['context'].split('\n'))) for m in cmx(evs)])
F1('cl-after-only', '4: context around a match (only after)', E, lambda evs, c: [m.__setitem__('context', '\n'.join(m['context'].split('\n')[c['cl']:])) for m in cmx(evs)])
F1('cl-without-cm', '4: cl only with cm=true (switches cm on)', 'params', lambda p, c: 'cl' in p and p.__setitem__('cm', 'true'))
F1('mll-ignored', '4: max-line-len truncates', 'params', lambda p, c: p.pop('max-line-len', None))
F1('mll-plus1', '4: no line is longer (one longer)', 'params', lambda p, c: core.intp(p.get('max-line-len'), -1) >= 0 and p.__setitem__('max-line-len', str(int(p['max-line-len']) + 1)))
F1('mll-ellipsis', '4: no line is longer (an ellipsis added)', E, lambda evs, c: c.get('mll', -1) >= 0 and [m.__setitem__('context', '\n'.join(l + '...' if len(l) == c['mll'] else l for l in m['context'].split('\n'))) for m in cmx(evs)])
F1('mll-default-20', '4: max-line-len default no limit (20)', 'params', lambda p, c: p.setdefault('max-line-len', '20'))
F1('mll-default-100', '4: max-line-len default no limit (100)', 'params', lambda p, c: p.setdefault('max-line-len', '100'))
F1('mll-minus1-zero', '4: max-line-len=-1 no limit (treated as 0)', 'params', lambda p, c: p.get('max-line-len') == '-1' and p.__setitem__('max-line-len', '0'))
def untr(evs, c, which):
    if c.get('mll', -1) < 0: return
    full, _ = core.search({**c['p'], 'max-line-len': '-1'}, None)
    for i, (a, b) in enumerate(zip(cmx(evs), cmx(full))):
        la, lb = a['context'].split('\n'), b['context'].split('\n')
        if which == 'first': la = la[:1] + lb[1:]
        if which == 'last': la[-1] = lb[-1]
        if which == 'chunk20' and i % 20 == 3: la = lb
        if which == 'from2' and i >= 1: la = lb
        if which == 'whole': la = [b['context'][:c['mll']]]
        a['context'] = '\n'.join(la)
F1('mll-first-line-only', '4: max-line-len, no line is longer (only first cut)', E, lambda evs, c: untr(evs, c, 'first'))
F1('mll-last-line-not', '4: max-line-len (last line of a context not cut)', E, lambda evs, c: untr(evs, c, 'last'))
F1('mll-chunk20', '4: max-line-len (one chunk in twenty not cut)', E, lambda evs, c: untr(evs, c, 'chunk20'))
F1('mll-first-chunk-only', '4: max-line-len (only the first chunk)', E, lambda evs, c: untr(evs, c, 'from2'))
F1('mll-whole-context', '4: max-line-len per line (whole context cut; lines lost)', E, lambda evs, c: untr(evs, c, 'whole'))
F1('mll-ignored-with-cl0', '4: max-line-len (ignored when cl=0)', 'params', lambda p, c: p.get('cl') == '0' and p.pop('max-line-len', None))
F1('mll-ignored-with-display', '4: max-line-len (ignored when display is given)', 'params', lambda p, c: 'display' in p and p.pop('max-line-len', None))
F1('mll-drops-match', '4: max-line-len truncates context (drops the chunk instead)', E, lambda evs, c: c.get('mll', -1) >= 0 and [m.__setitem__('chunkMatches', [x for x in m['chunkMatches'] if all(len(l) < c['mll'] for l in x['context'].split('\n'))]) for m in cont(evs) if 'chunkMatches' in m])

# ======================= faults: parameters ===============================
D4 = '4: display: maximum number of matches returned'
F1('display-ignored', D4, 'params', lambda p, c: p.pop('display', None))
F1('display-plus1', D4, 'params', lambda p, c: core.intp(p.get('display'), -1) > 0 and p.__setitem__('display', str(int(p['display']) + 1)))
F1('display-double', D4, 'params', lambda p, c: core.intp(p.get('display'), -1) > 0 and p.__setitem__('display', str(int(p['display']) * 2)))
F1('display-minus1', D4 + ' (one less than the limit)', 'params', lambda p, c: core.intp(p.get('display'), -1) > 1 and p.__setitem__('display', str(int(p['display']) - 1)))
F1('display-zero-all', D4 + ' (0 is unlimited)', 'params', lambda p, c: p.get('display') == '0' and p.pop('display'))
F1('display-minus-one-none', D4 + ' (-1 no limit; returns none)', 'params', lambda p, c: p.get('display') == '-1' and p.__setitem__('display', '0'))
F1('display-cap-10', '4: display default no limit (default 10)', 'params', lambda p, c: p.setdefault('display', '10'))
F1('display-default-100', '4/8: display default unlimited (default 100)', 'params', lambda p, c: p.setdefault('display', '100'))
F1('display-default-500-count-all', '4/8: display default unlimited (100 with count:all)', 'params', lambda p, c: 'count:all' in p.get('q', '') and p.setdefault('display', '100'))
F1('display-ignored-cm', D4 + ' (ignored with cm)', 'params', lambda p, c: core.yes(p.get('cm', '')) and p.pop('display', None))
F1('display-ignored-count-all', D4 + ' (ignored with count:all)', 'params', lambda p, c: 'count:all' in p.get('q', '') and p.pop('display', None))
F1('display-ignored-type', D4 + ' (ignored with type:)', 'params', lambda p, c: 'type:' in p.get('q', '') and p.pop('display', None))
F1('display-ignored-path', D4 + ' (ignored with type:path)', 'params', lambda p, c: 'type:path' in p.get('q', '') and p.pop('display', None))
F1('display-ignored-commit', D4 + ' (ignored with type:commit)', 'params', lambda p, c: 'type:commit' in p.get('q', '') and p.pop('display', None))
F1('display-ignored-big', D4 + ' (ignored above 5)', 'params', lambda p, c: core.intp(p.get('display'), -1) > 5 and p.pop('display', None))
@F('display-per-event', D4 + ' (bound per event)', 'search2')
def _(p, c): return 'display-per-event'
F1('display-as-count', '4: after the limit the backend keeps searching (display acts as count:)', 'params', lambda p, c: core.intp(p.get('display'), -1) > 0 and 'count:' not in p['q'] and p.__setitem__('q', p['q'] + ' count:' + p['display']))
F1('display-as-count-over', '4: after the limit backend keeps searching (display acts as count: even with count:)', 'params', lambda p, c: core.intp(p.get('display'), -1) > 0 and p.__setitem__('q', re.sub(r'count:\S+', '', p['q']) + ' count:' + p['display']))
N4 = '4: count:<n> makes the search stop once n matches are found'
qs = lambda pat, rep: (lambda p, c: p.__setitem__('q', re.sub(pat, rep, p.get('q', ''))))
F1('count-ignored', N4, 'params', qs(r'count:\d+', 'count:all'))
F1('count-ignored-default', N4 + ' (dropped)', 'params', qs(r'count:\d+', ''))
F1('count-plus1', N4, 'params', qs(r'count:(\d+)', lambda m: 'count:%d' % (int(m.group(1)) + 1)))
F1('count-plus5', N4, 'params', qs(r'count:(\d+)', lambda m: 'count:%d' % (int(m.group(1)) + 5)))
F1('count-minus1', N4, 'params', qs(r'count:(\d+)', lambda m: 'count:%d' % max(1, int(m.group(1)) - 1)))
F1('count-cap-50', N4 + ' (at most 50)', 'params', qs(r'count:(\d+)', lambda m: 'count:%d' % min(50, int(m.group(1)))))
F1('count-double', N4, 'params', qs(r'count:(\d+)', lambda m: 'count:%d' % (2 * int(m.group(1)))))
F1('count-as-display', N4 + ' (only bounds what is returned; search goes on)', 'params', lambda p, c: (lambda m: m and (p.setdefault('display', m.group(1)), p.__setitem__('q', p['q'].replace(m.group(0), 'count:all'))))(re.search(r'count:(\d+)', p.get('q', ''))))
F1('count-ignored-cm', N4 + ' (cm)', 'params', lambda p, c: core.yes(p.get('cm', '')) and p.__setitem__('q', re.sub(r'count:\d+', 'count:all', p['q'])))
F1('count-ignored-type', N4 + ' (with type:)', 'params', lambda p, c: 'type:' in p.get('q', '') and p.__setitem__('q', re.sub(r'count:\d+', 'count:all', p['q'])))
F1('count-ignored-display', N4 + ' (with display)', 'params', lambda p, c: 'display' in p and p.__setitem__('q', re.sub(r'count:\d+', 'count:all', p['q'])))
F1('count-all-ignored', '4: count:all searches exhaustively (as default)', 'params', qs(r'count:all', ''))
F1('count-all-500', '4: count:all searches exhaustively (stops at 500)', 'params', qs(r'count:all', 'count:500'))
F1('count-all-100', '4: count:all searches exhaustively (stops at 100)', 'params', qs(r'count:all', 'count:100'))
F1('count-all-invalid', '4: count:all (rejected with alert)', 'params', qs(r'count:all', 'count:every'))
F1('count-all-literal', '4: count:all (searched as text)', 'params', qs(r'count:all', 'kount:all'))
@F('count-all-one-repo', '4: count:all over all indexed repositories (only first two)', 'params')
def _(p, c):
    if 'count:all' in p.get('q', '') and 'repo:' not in p['q']: p['q'] += ' -repo:gamma'
@F('count-all-silent-cut', '4/7: count:all loses half without a skipped entry', E)
def _(evs, c):
    if 'count:all' in c['q']:
        for e in evs:
            if e[0] == 'matches': e[1][:] = e[1][::2]
F1('v-ignored-invalid', '4: v version of the query syntax (V99 accepted; doubtful)', 'params', lambda p, c: p.__setitem__('v', 'V3'))
F1('v-required', '4: v not required (alert when absent)', 'params', lambda p, c: p.setdefault('v', 'V99'))
F1('v3-rejected', '4/9: V3 is the latest version (explicit V3 rejected)', 'params', lambda p, c: p.get('v') == 'V3' and p.__setitem__('v', 'V99'))
F1('v-default-differs', '4: v default V3 (absent: another result)', 'params', lambda p, c: 'v' not in p and p.setdefault('t', 'regexp'))
F1('v-default-empty', '4: v default V3 (absent: no result)', 'params', lambda p, c: 'v' not in p and p.__setitem__('q', 'zzzqqq'))
F1('t-ignored', '4: t pattern type (always standard)', 'params', lambda p, c: p.pop('t', None))
F1('t-default-keyword', '4: t default standard (keyword)', 'params', lambda p, c: p.setdefault('t', 'keyword'))
F1('t-default-regexp', '4: t default standard (regexp)', 'params', lambda p, c: p.setdefault('t', 'regexp'))
F1('t-keyword-rejected', '4: t: keyword, standard or regexp', 'params', lambda p, c: p.get('t') == 'keyword' and p.__setitem__('t', 'bogus'))
F1('t-regexp-as-standard', '4: t=regexp', 'params', lambda p, c: p.get('t') == 'regexp' and p.__setitem__('t', 'standard'))
F1('t-keyword-as-standard', '4: t=keyword', 'params', lambda p, c: p.get('t') == 'keyword' and p.__setitem__('t', 'standard'))
F1('t-keyword-as-regexp', '4: t=keyword', 'params', lambda p, c: p.get('t') == 'keyword' and p.__setitem__('t', 'regexp'))
F1('t-standard-as-regexp', '4: t=standard', 'params', lambda p, c: p.get('t') == 'standard' and p.__setitem__('t', 'regexp'))
F1('t-beats-patterntype', '4: t used only when query has no patternType:', 'params', lambda p, c: 't' in p and p.__setitem__('q', re.sub(r'patternType:\S+', '', p['q'], flags=re.I)))
F1('t-beats-patterntype-regexp', '4: t used only when no patternType: (t=regexp wins only)', 'params', lambda p, c: p.get('t') == 'regexp' and p.__setitem__('q', re.sub(r'patternType:\S+', '', p['q'], flags=re.I)))
F1('patterntype-ignored', '4: patternType: filter (ignored always)', 'params', qs(r'(?i)patternType:\S+', ''))
F1('patterntype-literal-text', '4: patternType: filter searched as text', 'params', qs(r'(?i)patternType:', 'patternTypo:'))
F1('q-not-decoded', '4: q query string (percent escapes not decoded)', 'rawq', lambda raw: re.sub('%(?!20)', '%25', raw))
F1('q-plus-kept', '4: q (plus not decoded as blank)', 'rawq', lambda raw: raw.replace('+', '%2B'))
F1('q-missing-all', '4: q required (without q everything is found)', 'params', lambda p, c: p.setdefault('q', 'test'))
F1('q-empty-200', '4: q required; empty body 200 for missing', 'params', lambda p, c: 'q' not in p and c.__setitem__('empty', True))
F1('q-latin1', '4: q (decoded as Latin-1)', 'params', lambda p, c: p.__setitem__('q', p.get('q', '').encode('utf-8').decode('latin-1')))
F1('q-first-word', '4: q (only first word is used)', 'params', lambda p, c: p.__setitem__('q', p.get('q', '').split(' ')[0]))
F1('q-lower-regexp', 'query: matches returned have nothing to do with the query (always test)', 'params', lambda p, c: p.get('q') and p.__setitem__('q', 'test ' + ' '.join(re.findall(r'count:\S+', p['q']))))
for f in ('repo', 'file', 'lang', 'type', 'archived'):
    F1('filter-%s-ignored' % f, 'query filter %s: ignored (2.1: value is a query filter to add)' % f, 'params', qs(r'(^|\s)-?%s:\S+' % f, ' '))
F1('cm-values-1', '4: cm boolean (true not recognised, only 1)', 'params', lambda p, c: p.get('cm') == 'true' and p.__setitem__('cm', 'false'))
F1('post-only', '4: GET (answers 405 to GET with Accept */*)', 'http', ok)
F1('param-cm-drops-filters', '6: filters event with cm=true missing (doubtful)', E, lambda evs, c: c['cm'] and evs.__setitem__(slice(None), [e for e in evs if e[0] != 'filters']))

# ======================= faults: alert ====================================
A7 = '7: Problems with the search are reported as alert events'
F1('alert-none', A7, E, lambda evs, c: c['alert'] and evs.__setitem__(slice(None), [e for e in evs if e[0] != 'alert']))
F1('alert-array', '6: alert data object (array)', E, lambda evs, c: [e.__setitem__(1, [e[1]]) for e in evs if e[0] == 'alert'])
F1('alert-string', '6: alert data object (string)', E, lambda evs, c: [e.__setitem__(1, 'bad query') for e in evs if e[0] == 'alert'])
F1('alert-null', '6: alert data object (null)', E, lambda evs, c: [e.__setitem__(1, None) for e in evs if e[0] == 'alert'])
F1('alert-empty', '6/7: alert: messages (empty object, doubtful)', E, lambda evs, c: [e.__setitem__(1, {}) for e in evs if e[0] == 'alert'])
F1('alert-level-fatal', '7: level of info, warning or error (fatal)', E, lambda evs, c: [e[1].update(level='fatal', severity='fatal') for e in evs if e[0] == 'alert'])
F1('alert-level-number', '7: level of info, warning or error (3)', E, lambda evs, c: [e[1].update(level=3, severity=3) for e in evs if e[0] == 'alert'])
F1('alert-500', A7 + ' (HTTP 500 instead)', 'http', ok)
F1('alert-as-match', A7 + ' (as error event)', E, lambda evs, c: [e.__setitem__(0, 'error') for e in evs if e[0] == 'alert'])
F1('alert-invalid-with-matches', A7 + ' (invalid query silently gives matches)', 'search2', lambda p, c: 'lenient')
F1('alert-always', '7: alert of level error on a good search', E, lambda evs, c: not c['alert'] and evs.insert(1, ['alert', {'title': 'x', 'description': 'y', 'level': 'error', 'severity': 'error'}]))

# ======================= faults: http, auth ===============================
F1('http-content-type-json', '4: Response: a stream in the event format (Content-Type application/json)', 'http', ok)
F1('http-content-type-none', '4: Response (no Content-Type; doubtful)', 'http', ok)
F1('http-status-500', '4: 500 with a good stream', 'http', ok)
F1('http-status-201', '4: 201 (doubtful)', 'http', ok)
F1('http-status-204', '4: 204 with no body', 'http', ok)
F1('http-gzip-unasked', 'gzip though not accepted', 'http', ok)
F1('http-gzip-undeclared', '6: bytes gzip without Content-Encoding', 'http', ok)
F1('http-short-length', 'Content-Length higher than body', 'http', ok)
F1('http-truncating-length', 'Content-Length cuts off the done event', 'http', ok)
F1('http-406', 'Accept: text/event-stream rejected with 406', 'http', ok)
F1('http-charset-utf16', '6: the body is UTF-16', 'http', ok)
F1('http-redirect', '4: redirects to /login', 'http', ok)
F1('http-no-final-chunk', 'chunked body without last chunk', 'http', ok)
S5 = '5: '
F1('auth-any-token', S5 + 'any token accepted (wrong token)', 'auth', lambda sch, tok, good: sch is not None)
F1('auth-none-needed', S5 + 'private instance answers without token', 'auth', lambda sch, tok, good: True if sch is None else good)
F1('auth-no-bearer', S5 + 'Bearer <OAUTH_TOKEN> refused', 'auth', lambda sch, tok, good: good and sch.lower() != 'bearer')
F1('auth-no-token', S5 + 'token <ACCESS_TOKEN> refused', 'auth', lambda sch, tok, good: good and sch.lower() != 'token')
F1('auth-prefix', S5 + 'a prefix of a token is enough', 'auth', lambda sch, tok, good: good or (tok is not None and any(t.startswith(tok) and len(tok) > 3 for t in TOK)))
F1('auth-suffix', S5 + 'a token with more characters is accepted', 'auth', lambda sch, tok, good: good or (tok is not None and any(tok.startswith(t) for t in TOK)))
F1('auth-case', S5 + 'token compared without case', 'auth', lambda sch, tok, good: good or (tok is not None and tok.lower() in [t.lower() for t in TOK]))
F1('auth-basic', S5 + 'Basic scheme accepted (doubtful)', 'auth', lambda sch, tok, good: good or (sch or '').lower() == 'basic')
F1('auth-scheme-any', S5 + 'any scheme word accepted with a good token (doubtful)', 'auth', lambda sch, tok, good: good or tok in TOK)
F1('auth-empty-token', S5 + 'empty token accepted', 'auth', lambda sch, tok, good: good or tok == '')
F1('auth-unscoped', S5 + 'token without scope user:all accepted', 'auth', lambda sch, tok, good: good or tok in UNS)
F1('auth-wrong-empty-stream', S5 + 'wrong token: 200 with stream without matches (doubtful)', 'http', ok)
F1('auth-ignored-cm', S5 + 'no token needed when cm=true', 'http', ok)
F1('auth-head', S5 + 'no token needed when query is given twice', 'http', ok)

# ======================= variations =======================================
W = 'open: '
V1('v-order-reversed', W + 'order of JSON members', 'ser', lambda o: json.dumps(rev(o), ensure_ascii=False))
def rev(o):
    if isinstance(o, dict): return {k: rev(o[k]) for k in reversed(list(o))}
    if isinstance(o, list): return [rev(x) for x in o]
    return o
V1('v-order-sorted', W + 'order of JSON members', 'ser', lambda o: json.dumps(o, ensure_ascii=False, sort_keys=True))
V1('v-compact', W + 'white space in JSON', 'ser', lambda o: json.dumps(o, ensure_ascii=False, separators=(',', ':')))
V1('v-spaces', W + 'white space in JSON', 'ser', lambda o: ' ' + json.dumps(o, ensure_ascii=False, separators=(' ,  ', ' : ')) + '  ')
V1('v-tabs', W + 'white space in JSON (tabs)', 'ser', lambda o: json.dumps(o, ensure_ascii=False, separators=('\t,\t', '\t:\t')))
V1('v-ascii', W + 'unicode escapes', 'ser', lambda o: json.dumps(o, ensure_ascii=True))
V1('v-escape-html', W + 'escapes of < > & /', 'ser', lambda o: json.dumps(o, ensure_ascii=False).replace('<', '\\u003c').replace('>', '\\u003e').replace('&', '\\u0026').replace('/', '\\/'))
V1('v-escape-keys', W + 'escapes in member names', 'ser', lambda o: json.dumps(o, ensure_ascii=False).replace('"type"', '"\\u0074ype"').replace('"done"', '"\\u0064one"'))
V1('v-exp-numbers', W + 'integer written as 1e3/1.0 (doubtful)', 'ser', lambda o: re.sub(r'"durationMs": (\d+)', r'"durationMs": \1.0', json.dumps(o, ensure_ascii=False)))
V1('v-u2028', W + 'U+2028 unescaped in a text', E, lambda evs, c: [m.__setitem__('label2', 'a\u2028b\u0085c') for m in mts(evs)])
def unk(o):
    if isinstance(o, dict):
        d = {k: unk(x) for k, x in o.items()}; d['x-new'] = {'a': [1, None, 'b']}; d['zeta'] = None; return d
    if isinstance(o, list) and o and isinstance(o[0], dict): return [unk(x) for x in o]
    return o
V1('v-unknown-members', W + 'unknown members everywhere', E, lambda evs, c: [e.__setitem__(1, unk(e[1])) for e in evs if e[0] != 'done'])
V1('v-unknown-event', W + 'an event type not in the table (doubtful)', E, lambda evs, c: evs.insert(1, ['stats', {'a': 1}]))
V1('v-no-space-colon', W + 'event:name without blank (doubtful)', 'frame', lambda i, n, name, js, c: b'event:' + name.encode() + b'\ndata:' + js + b'\n\n')
def allmatches(evs, c):
    ms = mts(evs); i = idx(evs, 'matches')
    if not i: return
    evs[:] = [e for k, e in enumerate(evs) if e[0] != 'matches' or k == i[-1]]
    for e in evs:
        if e[0] == 'matches': e[1] = ms
V1('v-one-matches-event', W + 'one event for all matches', E, allmatches)
def permatch(evs, c):
    out = []
    for e in evs:
        if e[0] == 'matches': out += [['matches', [m]] for m in e[1]]
        else: out.append(e)
    evs[:] = out
V1('v-one-event-each', W + 'one event for each match', E, permatch)
V1('v-empty-matches', W + 'a matches event with an empty array', E, lambda evs, c: evs.insert(1, ['matches', []]))
V1('v-empty-filters', W + 'a filters event with an empty array', E, lambda evs, c: evs.insert(1, ['filters', []]))
V1('v-extra-progress', W + 'many progress events', E, lambda evs, c: evs.__setitem__(slice(1, 1), [['progress', copy.deepcopy(evs[0][1])] for _ in range(30)] if evs[0][0] == 'progress' else []))
V1('v-no-interim-progress', W + 'only the final progress', E, lambda evs, c: evs.__setitem__(slice(None), [e for e in evs if e[0] != 'progress' or e[1]['done']]))
V1('v-no-filters', W + 'no filters event', E, lambda evs, c: evs.__setitem__(slice(None), [e for e in evs if e[0] != 'filters']))
V1('v-filters-once', W + 'filters only once', E, lambda evs, c: evs.__setitem__(slice(None), [e for k, e in enumerate(evs) if e[0] != 'filters' or k == idx(evs, 'filters')[-1]]))
V1('v-filters-repeated', W + 'same filters event three times', E, lambda evs, c: [evs.insert(k, copy.deepcopy(evs[k])) for k in reversed(idx(evs, 'filters'))])
V1('v-filters-first', W + 'filters before matches', E, lambda evs, c: idx(evs, 'filters') and evs.insert(0, copy.deepcopy(evs[idx(evs, 'filters')[0]])))
V1('v-filters-shrink-last', W + 'later filters may hold more entries, "can" (fewer; doubtful)', E, lambda evs, c: filts(evs) and filts(evs)[-1].pop())
V1('v-filters-order', W + 'order of filters', E, lambda evs, c: [d.reverse() for d in filts(evs)])
V1('v-matches-order', W + 'order of matches', E, lambda evs, c: [e[1].reverse() for e in evs if e[0] == 'matches'])
def swapprog(evs, c):
    i = idx(evs, 'matches')
    if i:
        ms = [evs[k] for k in i]; evs[:] = [e for e in evs if e[0] != 'matches']
        k = [j for j, e in enumerate(evs) if e[0] == 'progress' and e[1]['done']][0]
        evs[k:k] = ms
V1('v-matches-at-end', W + 'any interleaving: matches after all interim progress and filters', E, swapprog)
V1('v-alert-info', W + 'an info alert beside results', E, lambda evs, c: evs.insert(1, ['alert', {'title': 'hint', 'description': 'x', 'level': 'info', 'severity': 'info'}]))
V1('v-alert-warning', W + 'a warning alert beside results', E, lambda evs, c: evs.insert(2, ['alert', {'title': 'hint', 'level': 'warning', 'severity': 'warning', 'description': None}]))
V1('v-alert-other-shape', W + 'alert payload not shown', E, lambda evs, c: [e.__setitem__(1, {'messages': [{'level': 'error', 'text': 'bad query'}]}) for e in evs if e[0] == 'alert'])
V1('v-alert-no-level', W + 'alert payload not shown: no level member', E, lambda evs, c: [e.__setitem__(1, {'title': 'Unable', 'description': 'bad'}) for e in evs if e[0] == 'alert'])
V1('v-alert-twice', W + 'two alerts for invalid query', E, lambda evs, c: c['alert'] and evs.insert(1, ['alert', {'title': 'first', 'level': 'warning', 'severity': 'warning'}]))
V1('v-alert-first', W + 'alert is the first event', E, lambda evs, c: c['alert'] and evs.insert(0, evs.pop(1)))
V1('v-alert-after-final', W + 'alert after final progress, before done', E, lambda evs, c: idx(evs, 'alert') and evs.insert(len(evs) - 2, evs.pop(idx(evs, 'alert')[0])))
V1('v-no-alert-empty', W + 'no alert when nothing is found', E, lambda evs, c: not c['alert'] and evs.__setitem__(slice(None), [e for e in evs if e[0] != 'alert']))
V1('v-skip-other-reason', W + 'reason: observed values; another one', E, lambda evs, c: final(evs) and final(evs)['skipped'].append({'reason': 'repository-cloning', 'title': 'a', 'message': 'b', 'severity': 'warn'}))
V1('v-skip-severity', W + 'severity observed info; error', E, setk(sk, 'severity', 'error'))
V1('v-skip-suggested-absent', W + 'suggested absent for excluded-archive', E, delk(sk, 'suggested', lambda i, c, m: m['reason'] == 'excluded-archive'))
V1('v-skip-message-empty', W + 'empty message/title strings', E, setk(sk, 'message', ''))
V1('v-skip-twice', W + 'same reason twice', E, lambda evs, c: [d.__setitem__('skipped', d['skipped'] * 2) for d in progs(evs)])
V1('v-skip-no-interim', W + 'skipped [] in interim events', E, setk(interim, 'skipped', []))
V1('v-skip-no-archive', W + 'no excluded-archive', E, lambda evs, c: [d.__setitem__('skipped', [s for s in d['skipped'] if s['reason'] != 'excluded-archive']) for d in progs(evs)])
V1('v-display-not-skipped', W + 'display limit not reported in skipped (doubtful)', E, lambda evs, c: [d.__setitem__('skipped', [s for s in d['skipped'] if s['reason'] != 'display']) for d in progs(evs)])
V1('v-trace-absent', W + 'no trace (doubtful)', E, delk(progs, 'trace'))
V1('v-trace-empty', W + 'trace empty string (doubtful)', E, setk(progs, 'trace', ''))
V1('v-interim-repos', W + 'repositoriesCount in every event', E, lambda evs, c: [d.setdefault('repositoriesCount', 0) for d in progs(evs)])
V1('v-interim-no-repos', W + 'repositoriesCount only in the final event', E, delk(interim, 'repositoriesCount'))
V1('v-duration-zero', W + 'durationMs 0 everywhere', E, setk(progs, 'durationMs', 0))
V1('v-huge', W + 'huge numbers', E, lambda evs, c: (setk(mts, 'repositoryID', lambda m: 2**40 + m.get('repositoryID', 0))(evs, c), setk(lambda e: [m for m in mts(e) if 'repoStars' in m], 'repoStars', 2**33)(evs, c)))
V1('v-id-zero', W + 'repositoryID 0, repoStars 0 in all', E, lambda evs, c: setk(lambda e: [m for m in mts(e) if 'repoStars' in m], 'repoStars', 0)(evs, c))
V1('v-kind-other', W + 'kind: observed values; file', E, setk(fe, 'kind', 'file', lambda i, c, m: m['kind'] == 'utility'))
V1('v-kind-symbol', W + 'kind: new value with any value', E, lambda evs, c: [d.append({'value': 'select:symbol.function', 'label': 'Function', 'count': 3, 'exhaustive': False, 'kind': 'symbol type'}) for d in filts(evs)])
V1('v-filter-repo-at-rev', W + 'repo value with @rev', E, setk(fe, 'value', lambda m: m['value'] + '@main', lambda i, c, m: m['kind'] == 'repo'))
V1('v-filter-negated', W + 'value -file:', E, lambda evs, c: [d.append({'value': '-file:_test\\.go$', 'label': 'Exclude tests', 'count': 1, 'exhaustive': False, 'kind': 'utility'}) for d in filts(evs)])
V1('v-filter-lang-caps', W + 'lang:Go in value', E, setk(fe, 'value', lambda m: 'lang:' + m['label'], lambda i, c, m: m['kind'] == 'lang'))
V1('v-filter-lang-quoted', W + 'lang:"Go" quoted', E, setk(fe, 'value', lambda m: 'lang:"%s"' % m['label'], lambda i, c, m: m['kind'] == 'lang'))
V1('v-filter-count-zero-util', W + 'utility with count 0', E, setk(fe, 'count', 0, lambda i, c, m: m['kind'] == 'utility'))
V1('v-exhaustive-false', W + 'exhaustive false always', E, setk(fe, 'exhaustive', False))
V1('v-filter-label-empty', W + 'empty label', E, setk(fe, 'label', ''))
V1('v-fetched-offset', W + 'ISO 8601 with offset', E, setk(cont, 'repoLastFetched', '2024-05-14T10:00:00+02:00'))
V1('v-fetched-fraction', W + 'ISO 8601 with fraction', E, setk(cont, 'repoLastFetched', '2024-05-14T10:00:00.123456789Z'))
V1('v-fetched-basic', W + 'ISO 8601 basic format', E, setk(cont, 'repoLastFetched', '20240514T100000Z'))
V1('v-fetched-minutes', W + 'ISO 8601 without seconds', E, setk(cont, 'repoLastFetched', '2024-05-14T10:00Z'))
V1('v-fetched-local', W + 'ISO 8601 without zone', E, setk(cont, 'repoLastFetched', '2024-05-14T10:00:00'))
V1('v-fetched-comma', W + 'ISO 8601 comma fraction', E, setk(cont, 'repoLastFetched', '2024-05-14T10:00:00,5Z'))
V1('v-fetched-week', W + 'ISO 8601 week date', E, setk(cont, 'repoLastFetched', '2024-W20-2T10:00:00Z'))
V1('v-fetched-ordinal', W + 'ISO 8601 ordinal date', E, setk(cont, 'repoLastFetched', '2024-135T10:00:00Z'))
V1('v-fetched-24', W + 'ISO 8601 24:00:00', E, setk(cont, 'repoLastFetched', '2024-05-14T24:00:00Z'))
V1('v-fetched-leap', W + 'ISO 8601 leap second', E, setk(cont, 'repoLastFetched', '2016-12-31T23:59:60Z'))
V1('v-fetched-hh', W + 'ISO 8601 offset +02', E, setk(cont, 'repoLastFetched', '2024-05-14T10:00:00+02'))
V1('v-fetched-zero', W + 'ISO 8601 year 1', E, setk(cont, 'repoLastFetched', '0001-01-01T00:00:00Z'))
V1('v-commit-sha256', W + 'commit hash of 64 digits', E, setk(cont, 'commit', lambda m: (m['commit'] * 2)[:64]))
V1('v-commit-upper', W + 'commit hash in capitals', E, setk(cont, 'commit', lambda m: m['commit'].upper()))
V1('v-branches-empty', W + 'branches []', E, setk(cont, 'branches', []))
V1('v-branches-many', W + 'branches many, with empty name', E, setk(cont, 'branches', ['HEAD', '', 'féature/x y']))
V1('v-hunks-array', W + 'hunks []', E, setk(cont, 'hunks', []))
V1('v-hunks-full', W + 'hunks array of objects', E, setk(cont, 'hunks', [{'a': 1}, None, 3]))
V1('v-hunks-absent', W + 'hunks absent (doubtful)', E, delk(cont, 'hunks'))
V1('v-language-empty', W + 'language empty string', E, setk(cont, 'language', ''))
V1('v-language-lower', W + 'language lower case', E, setk(cont, 'language', lambda m: m['language'].lower()))
V1('v-pathmatches-empty', W + 'pathMatches []', E, setk(cont, 'pathMatches', []))
V1('v-line-1based', W + 'lineNumber base not shown (1)', E, lmm(lambda l: l.__setitem__('lineNumber', l['lineNumber'] + 1)))
V1('v-line-newline-kept', W + 'line with its CR at end', E, lmm(lambda l: l.__setitem__('line', l['line'] + '\r')))
def units(enc, k):
    def f(l):
        l['offsetAndLengths'] = [[len(l['line'][:a].encode(enc)) // k, len(l['line'][a:a + b].encode(enc)) // k] for a, b in l['offsetAndLengths']]
    return f
V1('v-offset-bytes', W + 'unit of offsets not shown (bytes)', E, lmm(units('utf-8', 1)))
V1('v-offset-utf16', W + 'unit of offsets not shown (UTF-16)', E, lmm(units('utf-16-le', 2)))
V1('v-pm-1based', W + 'base of line/column in pathMatches not shown', E, lambda evs, c: [x[y].__setitem__('line', 1) for x in pms(evs) for y in ('start', 'end')])
V1('v-lm-split', W + 'one lineMatch for each pair', E, lambda evs, c: [m.__setitem__('lineMatches', [{**l, 'offsetAndLengths': [p]} for l in m['lineMatches'] for p in l['offsetAndLengths']]) for m in cont(evs) if 'lineMatches' in m])
V1('v-lm-order', W + 'order of lineMatches', E, lambda evs, c: [m['lineMatches'].reverse() for m in cont(evs) if 'lineMatches' in m])
V1('v-repo-bare', W + 'fields of repo match not shown', E, lambda evs, c: [[m.pop(k) for k in list(m) if k not in ('type', 'repository')] for m in ptype(evs, 'repo')])
V1('v-other-types-bare', W + 'fields of non-content matches not shown (only type)', E, lambda evs, c: [[m.pop(k) for k in list(m) if k != 'type'] for m in mts(evs) if m['type'] != 'content'])
V1('v-other-types-odd', W + 'fields of non-content matches not shown (other types of same names)', E, lambda evs, c: [m.update(repositoryID='x', path=None, branches=None, commit={}, repoLastFetched=0, lineMatches=None, content=[1]) for m in mts(evs) if m['type'] in ('commit', 'diff', 'symbol', 'repo')])
V1('v-chunk-fields', W + 'ChunkMatch beyond context not shown (only context)', E, lambda evs, c: [[m.pop(k) for k in list(m) if k != 'context'] for m in cmx(evs)])
V1('v-chunk-content-too', W + 'ChunkMatch has untruncated content as well', E, lambda evs, c: [m.__setitem__('content', 'x' * 500) for m in cmx(evs)])
V1('v-chunk-other-name', W + 'member that holds ChunkMatch not shown (chunks)', E, lambda evs, c: [m.__setitem__('chunks', m.pop('chunkMatches')) for m in cont(evs) if 'chunkMatches' in m])
V1('v-chunk-in-hunks', W + 'ChunkMatch in hunks', E, lambda evs, c: [m.__setitem__('hunks', m.pop('chunkMatches')) for m in cont(evs) if 'chunkMatches' in m])
V1('v-chunk-with-lm', W + 'cm=true keeps lineMatches too', 'search2', lambda p, c: 'both')
V1('v-chunk-unmerged', W + 'chunks not merged / final newline in context', E, lambda evs, c: [m.__setitem__('context', m['context'] + '\n') for m in cmx(evs)])
V1('v-mll-bytes', W + 'unit of max-line-len not shown: truncated in bytes (shorter)', E, lambda evs, c: c.get('mll', -1) >= 0 and [m.__setitem__('context', '\n'.join(l.encode()[:c['mll']].decode('utf-8', 'ignore') for l in m['context'].split('\n'))) for m in cmx(evs)])
V1('v-mll-shorter', W + 'truncates shorter than needed (no line is longer)', E, lambda evs, c: c.get('mll', -1) > 3 and [m.__setitem__('context', '\n'.join(l if len(l) < c['mll'] else l[:c['mll'] - 3] for l in m['context'].split('\n'))) for m in cmx(evs)])
V1('v-display-objects', W + 'display counts match objects', 'search2', lambda p, c: 'display-objects')
V1('v-display-fewer', W + 'display is a maximum: fewer returned (doubtful)', E, lambda evs, c: c.get('dcut') and len(mts(evs)) > 1 and [e[1].pop() for e in evs if e[0] == 'matches' and len(e[1]) > 1][:1])
V1('v-count-overshoot-none', W + 'matchCount counts objects rather than lines', E, lambda evs, c: (setk(progs, 'matchCount', 0)(evs, c), recount(evs)))
def recount(evs):
    n = 0
    for e in evs:
        if e[0] == 'matches': n += len(e[1])
        elif e[0] == 'progress': e[1]['matchCount'] = n
V1('v-t-literal', W + 'query syntax: unknown v accepted', 'params', lambda p, c: p.__setitem__('v', 'V3'))
V1('v-default-limit-20', W + 'default search stops at 20 (reported)', 'params', lambda p, c: 'count:' not in p.get('q', '') and p.get('q') and p.__setitem__('q', p['q'] + ' count:20'))
for h in ('server-header', 'content-type-case', 'content-type-charset', 'content-type-quoted', 'extra-headers', 'content-length', 'close-delimited', 'http10', 'tiny-segments', 'one-write', 'bytewise', 'slow', 'missing-q-400', 'missing-q-422', 'invalid-400-(doubtful)', 'auth-403', 'auth-404', 'auth-302', 'auth-html', 'gzip-if-accepted', 'split-utf8', 'trailers', 'chunk-ext', 'delay-first-2s', 'pause-mid-3s', 'header-lower', 'conn-close', 'cookie', 'early-hints', 'no-cache', 'missing-q-alert-200'):
    V1('v-http-' + h, W + 'HTTP: ' + h, 'http', ok)
V1('v-auth-scheme-case', W + 'scheme word case-insensitive', 'auth', lambda sch, tok, good: good)
V1('v-token-cross', W + 'both tokens under both schemes', 'auth', lambda sch, tok, good: good)
V1('v-token-strict', W + 'access token only as token, OAuth only as Bearer', 'auth', lambda sch, tok, good: good and ((sch == 'token' and tok in TOK[:1]) or (sch == 'Bearer' and tok in TOK[1:])))
V1('v-no-skipped-interim', W + 'skipped absent in interim events (doubtful)', E, delk(interim, 'skipped'))
V1('v-no-stars', W + 'repoStars absent (doubtful)', E, delk(cont, 'repoStars'))

TOK = []; UNS = []
# ======================= server ===========================================
NAME = None; FX = (None, None, None, None); PRIVATE = False; LOG = None
def hook(h): return FX[3] if FX[2] == h else None
def H(n): return NAME == n

class Hd(BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    server_version = 'x'; sys_version = ''
    def log_message(self, *a): pass
    def do_POST(self): self.plain(405, 'method not allowed\n')
    do_PUT = do_DELETE = do_PATCH = do_POST
    def plain(self, st, body, ct='text/plain; charset=utf-8', hdr=()):
        b = body.encode(); self.send_response(st); self.send_header('Content-Type', ct); self.send_header('Content-Length', str(len(b)))
        for k, v in hdr: self.send_header(k, v)
        self.end_headers()
        if self.command != 'HEAD': self.wfile.write(b)
    def do_HEAD(self): self.do_GET()
    def do_GET(self):
        try: self.go()
        except (BrokenPipeError, ConnectionResetError): self.close_connection = True
    def go(self):
        u = urlsplit(self.path)
        if LOG: 
            with open(LOG, 'a') as f: f.write(json.dumps([self.command, self.path, self.headers.get('Authorization'), self.headers.get('Accept'), self.headers.get('Accept-Encoding')]) + '\n')
        if u.path != '/.api/search/stream': return self.plain(404, 'not found\n')
        raw = u.query
        if hook('rawq'): raw = hook('rawq')(raw)
        pairs = parse_qsl(raw, keep_blank_values=True); p = {}
        for k, v in pairs: p.setdefault(k, v)
        # auth
        a = self.headers.get('Authorization'); sch = tok = None
        if a is not None:
            b = a.split(' ', 1); sch = b[0]; tok = b[1].strip() if len(b) > 1 else ''
        good = tok in TOK and (sch or '').lower() in ('token', 'bearer')
        if H('auth-ignored-cm') and core.yes(p.get('cm', '')): good = True
        if hook('auth'): good = hook('auth')(sch, tok, good)
        if not good and not (a is None and not PRIVATE):
            st = 403 if tok in UNS else 401
            if H('v-http-auth-403'): st = 403
            if H('v-http-auth-404'): st = 404
            if H('v-http-auth-302'): return self.plain(302, '', hdr=[('Location', '/sign-in')])
            if H('v-http-auth-html'): return self.plain(401, '<html>no</html>', 'text/html')
            if H('auth-wrong-empty-stream') and a is not None: p['q'] = 'zzzqqqz'
            else: return self.plain(st, 'Invalid access token.\n' if a else 'Private mode requires authentication.\n')
        ctx = {}
        if H('v-http-missing-q-400') and not p.get('q'): return self.plain(400, 'no query\n')
        if H('v-http-missing-q-422') and not p.get('q'): return self.plain(422, '{"error":"no query"}', 'application/json')
        if hook('params'): hook('params')(p, ctx)
        s2 = hook('search2')(p, ctx) if hook('search2') else None
        if s2 == 'lenient':
            try: core.parse(p.get('q', ''), p.get('t') or 'standard', 'V3')
            except core.Bad: p['q'] = 'test'
        if s2 == 'display-per-event':
            dd = core.intp(p.pop('display', None), -1)
        if s2 == 'display-objects': dd = core.intp(p.pop('display', None), -1)
        evs, c = core.search(p, None)
        if s2 == 'display-per-event' and dd >= 0:
            for e in evs:
                if e[0] == 'matches': e[1] = e[1][:dd]
        if s2 == 'display-objects' and dd >= 0:
            n = 0
            for e in evs:
                if e[0] == 'matches': e[1] = e[1][:max(0, dd - n)]; n += len(e[1])
            evs[:] = [e for e in evs if e[0] != 'matches' or e[1]]
            final(evs).get('skipped', []).append({'reason': 'display', 'title': 'd', 'message': 'd', 'severity': 'info'})
        if s2 in ('mixcm', 'both') and c['cm']:
            e2, _ = core.search({**p, 'cm': 'false'}, None); k = 0
            for x, y in zip(evs, e2):
                if x[0] == 'matches':
                    if s2 == 'mixcm' and k >= 1: x[1] = y[1]
                    if s2 == 'both':
                        for m, o in zip(x[1], y[1]):
                            if m['type'] == 'content': m['lineMatches'] = o['lineMatches']
                    k += 1
        if H('alert-500') and c['alert']: return self.plain(500, 'bad query\n')
        if H('v-http-invalid-400-(doubtful)') and c['alert']: return self.plain(400, 'bad query\n')
        if hook('events'): hook('events')(evs, c)
        ser = hook('ser') or (lambda o: json.dumps(o, ensure_ascii=False))
        frames = []
        for i, (n, d) in enumerate(evs):
            js = ser(d).encode('utf-8'); b = hook('frame')(i, len(evs), n, js, c) if hook('frame') else None
            frames.append(b if b is not None else std(n, js))
        plan = [(0.006, f) for f in frames]
        if ctx.get('empty'): plan = []
        if hook('plan'): plan = hook('plan')(plan, c)
        self.send(plan, evs)
    def send(self, plan, evs):
        st = 200; ct = 'text/event-stream'; hd = [('Cache-Control', 'no-cache')]; mode = 'chunked'
        n = NAME or ''
        if n == 'http-content-type-json': ct = 'application/json'
        if n == 'http-content-type-none': ct = None
        if n == 'http-status-500': st = 500
        if n == 'http-status-201': st = 201
        if n == 'http-status-204': self.send_response(204); self.end_headers(); return
        if n == 'http-406': return self.plain(406, 'no\n')
        if n == 'http-redirect': return self.plain(302, '', hdr=[('Location', '/login')])
        if n == 'post-only': return self.plain(405, 'no\n')
        whole = b''.join(b for d, b in plan if isinstance(b, bytes))
        if n == 'http-gzip-unasked': plan = [(0, gzip.compress(whole))]; hd.append(('Content-Encoding', 'gzip'))
        if n == 'http-gzip-undeclared': plan = [(0, gzip.compress(whole))]
        if n == 'v-http-gzip-if-accepted' and 'gzip' in (self.headers.get('Accept-Encoding') or ''): plan = [(0, gzip.compress(whole))]; hd.append(('Content-Encoding', 'gzip'))
        if n == 'http-charset-utf16': plan = [(0, whole.decode('utf-8', 'replace').encode('utf-16'))]
        if n == 'v-http-server-header': hd.append(('Server', 'nginx/1.2 (x) é'))
        if n == 'v-http-content-type-case': ct = 'Text/Event-Stream'
        if n == 'v-http-content-type-charset': ct = 'text/event-stream; charset=utf-8'
        if n == 'v-http-content-type-quoted': ct = 'text/event-stream;Charset="UTF-8"; x=y'
        if n == 'v-http-extra-headers': hd += [('X-Trace', 'a'), ('X-Trace', 'b'), ('Vary', 'Cookie'), ('X-Accel-Buffering', 'no'), ('Transfer-Foo', '')]
        if n == 'v-http-no-cache': hd = []
        if n == 'v-http-cookie': hd += [('Set-Cookie', 'a=b; Path=/; HttpOnly'), ('Set-Cookie', 'c=d')]
        if n == 'v-http-content-length': mode = 'length'
        if n == 'v-http-close-delimited': mode = 'close'
        if n == 'v-http-http10': mode = 'http10'
        if n == 'v-http-conn-close': hd.append(('Connection', 'close')); self.close_connection = True
        if n == 'http-short-length': mode = 'shortlen'
        if n == 'http-truncating-length': mode = 'trunclen'
        if n == 'v-http-one-write': plan = [(0, whole)]
        if n == 'v-http-tiny-segments': plan = [(0.0005, whole[i:i + 97]) for i in range(0, min(len(whole), 60000), 97)] + ([(0, whole[60000 - 60000 % 97 + (97 if 60000 % 97 else 0):])] if len(whole) > 60000 else [])
        if n == 'v-http-split-utf8':
            pl = []; 
            for part in re.split(rb'(?<=[\xc3\xf0\xe2])', whole): pl.append((0.001, part))
            plan = pl
        if n == 'v-http-bytewise': plan = [(0, whole[i:i + 1]) for i in range(min(3000, len(whole)))] + ([(0, whole[3000:])] if len(whole) > 3000 else [])
        if n == 'v-http-slow': plan = [(0.15, b) for d, b in plan]
        if n == 'v-http-delay-first-2s': plan = [(2.0 if i == 0 else d, b) for i, (d, b) in enumerate(plan)]
        if n == 'v-http-pause-mid-3s': plan = [(3.0 if i == 3 else d, b) for i, (d, b) in enumerate(plan)]
        w = self.wfile; self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if n == 'v-http-early-hints': w.write(b'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n')
        if mode == 'http10': self.protocol_version = 'HTTP/1.0'
        if n == 'v-http-header-lower':
            w.write(b'HTTP/1.1 200 OK\r\ncontent-type:text/event-stream\r\ntransfer-encoding:chunked\r\n\r\n')
        else:
            self.send_response(st)
            if ct: self.send_header('Content-Type', ct)
            for k, v in hd: self.send_header(k, v)
            if mode == 'chunked': self.send_header('Transfer-Encoding', 'chunked')
            elif mode == 'length': self.send_header('Content-Length', str(len(whole)))
            elif mode == 'shortlen': self.send_header('Content-Length', str(len(whole) + 50)); self.close_connection = True
            elif mode == 'trunclen': self.send_header('Content-Length', str(len(whole) - 30)); self.close_connection = True
            else: self.send_header('Connection', 'close'); self.close_connection = True
            if n == 'v-http-trailers': self.send_header('Trailer', 'X-End')
            self.end_headers()
        if self.command == 'HEAD': return
        sent = 0
        for d, b in plan:
            if d: w.flush(); time.sleep(d)
            if b == 'RESET':
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b'\1\0\0\0\0\0\0\0'); self.close_connection = True; self.connection.close(); return
            if not b: continue
            if mode == 'chunked': w.write(b'%x%s\r\n' % (len(b), b';a=b' if n == 'v-http-chunk-ext' else b'') + b + b'\r\n')
            elif mode == 'trunclen': b = b[:max(0, len(whole) - 30 - sent)]; w.write(b); sent += len(b)
            else: w.write(b)
            w.flush()
        if mode == 'chunked':
            if n == 'http-no-final-chunk': self.close_connection = True
            elif n == 'v-http-trailers': w.write(b'0\r\nX-End: 1\r\n\r\n')
            else: w.write(b'0\r\n\r\n')

class Srv(ThreadingHTTPServer):
    daemon_threads = True; request_queue_size = 128
    def handle_error(self, *a):
        if LOG: super().handle_error(*a)
