/** The verdict strip, the map and table of rules, and everything else of a run but its failures. */
export const partsStyle = `
.strip, .part, .side {
  background: var(--paper); border: 1px solid var(--line); border-radius: 12px; padding: 1.5rem 1.75rem; margin-bottom: 1.25rem;
}
.part > h3 { font-size: 1.2rem; letter-spacing: -.01em; margin-bottom: 1.1rem; }
.chapter + .chapter { margin-top: 3rem; }
.t-good { --tone: var(--good); --tone-bg: var(--good-bg); --tone-line: var(--good-line); }
.t-bad { --tone: var(--bad); --tone-bg: var(--bad-bg); --tone-line: var(--bad-line); }
.t-warn { --tone: var(--warn); --tone-bg: var(--warn-bg); --tone-line: var(--warn-line); }
.t-unknown { --tone: var(--unknown); --tone-bg: var(--unknown-bg); --tone-line: var(--unknown-line); }
.strip { border-top: 5px solid var(--tone); }
.strip .head { display: flex; flex-wrap: wrap; align-items: baseline; gap: .2rem 1rem; }
.strip h2 { font-size: 2rem; font-weight: 750; letter-spacing: -.025em; color: var(--tone); }
.strip h2 i { display: inline-block; margin-right: .5rem; }
.exit { color: var(--soft); font-size: .9rem; font-variant-numeric: tabular-nums; }
.summary { font-size: 1.12rem; line-height: 1.5; margin: .5rem 0 1rem; max-width: 75ch; overflow-wrap: anywhere; }
.summary::first-letter { text-transform: uppercase; }
.change { border-left: 3px solid var(--tone); padding: .1rem 0 .1rem .9rem; margin: 0 0 1.1rem; max-width: 80ch; }
.change p { margin: 0 0 .2rem; }
.change .caveat { color: var(--soft); font-size: .9rem; }
.change h3 { font-size: .92rem; margin: .8rem 0 .3rem; }
.change ul { padding-left: 1.2rem; }
.change .meta { margin: 0 .4rem; }
.counters { list-style: none; display: flex; flex-wrap: wrap; gap: .6rem; margin: 0 0 .5rem; }
.counters li { flex: 0 1 9rem; min-width: 7.6rem; }
.counter {
  display: block; height: 100%; padding: .6rem .85rem .55rem; border-radius: 9px; text-decoration: none; color: var(--c);
  background: var(--cb); border: 1px solid var(--cl);
}
.counter:hover span { text-decoration: underline; text-underline-offset: .18em; }
.counter b { display: block; font-size: 1.6rem; line-height: 1.2; font-weight: 720; font-variant-numeric: tabular-nums; letter-spacing: -.02em; }
.counter span { font-size: .84rem; }
.counter.s-failed, .counter.s-unexpectedly-fixed { background: var(--solid); border-color: var(--solid); color: var(--on-solid); }
.zeros { color: var(--soft); font-size: .82rem; margin: 0 0 1.2rem; }
.first { border: 1px solid var(--bad-line); border-left: 4px solid var(--bad); border-radius: 8px; padding: .8rem 1rem .6rem; margin: 0 0 1.1rem; }
.first p { margin: 0 0 .4rem; }
.first p code { font-weight: 600; }
.first .bytes + p { margin-top: .5rem; }
.notice { background: var(--tone-bg); border: 1px solid var(--tone-line); border-radius: 8px; padding: .8rem 1rem; margin-bottom: .8rem; }
.counters + .notice { margin-top: 1rem; }
.notice p { margin: 0 0 .3rem; color: var(--tone); }
.notice ul { padding-left: 1.2rem; }
.notice code { font-weight: 600; }
.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(11rem, 1fr)); gap: .8rem 1.5rem; border-top: 1px solid var(--line); padding-top: 1.1rem; margin-top: .3rem; }
.facts dt { color: var(--soft); font-size: .78rem; }
.facts dd { overflow-wrap: anywhere; font-size: .92rem; }
.facts .wide { grid-column: span 2; }
.facts .wide:last-child { grid-column: 1 / -1; }
.runs { list-style: none; margin-top: 1rem; }
.runs li { display: grid; grid-template-columns: 9.5rem 1fr; gap: 1rem; padding: .7rem 0 .7rem .9rem; border-left: 4px solid var(--tone); margin-bottom: .7rem; }
.runs a { color: var(--tone); font-weight: 700; }
.runs .meta { display: block; }
.side h2 { font-size: 1.5rem; letter-spacing: -.02em; }

.s-passed { --c: var(--good); --cb: var(--good-bg); --cl: var(--good-line); }
.s-failed, .s-unexpectedly-fixed { --c: var(--bad); --cb: var(--bad-bg); --cl: var(--bad-line); }
.s-warned, .s-known-failure { --c: var(--warn); --cb: var(--warn-bg); --cl: var(--warn-line); }
.s-not-observed, .s-could-not-run { --c: var(--unknown); --cb: var(--unknown-bg); --cl: var(--unknown-line); }
.s-not-applicable { --c: var(--soft); --cb: var(--raised); --cl: var(--line); }
.badge {
  display: inline-block; color: var(--c); background: var(--cb); border: 1px solid var(--cl); border-radius: 99px;
  padding: 0 .6rem; font-size: .8rem; font-weight: 600; line-height: 1.5rem; white-space: nowrap;
}
.badge i { margin-right: .35rem; font-weight: 700; }
.badge.s-failed, .badge.s-unexpectedly-fixed { background: var(--solid); border-color: var(--solid); color: var(--on-solid); }
.badge.s-not-observed, .badge.s-known-failure { border-style: dashed; background: none; border-color: var(--c); }
.badge.s-not-applicable { background: none; border-color: transparent; padding-left: 0; font-weight: 400; }
.sq {
  display: inline-flex; align-items: center; justify-content: center; width: 20px; height: 20px; border-radius: 4px;
  font: 700 12px/1 var(--sans); text-decoration: none; color: var(--c); background: var(--cb); border: 1px solid var(--cl);
}
a.sq:hover { outline: 2px solid var(--c); outline-offset: 1px; }
.sq.s-failed, .sq.s-unexpectedly-fixed { background: var(--solid); border-color: var(--solid); color: var(--on-solid); }
.sq.s-known-failure, .sq.s-warned { border-color: var(--c); }
.sq.s-not-observed { background: none; border: 1px dashed var(--c); }
.sq.s-could-not-run { border: 2px solid var(--c); }
.sq.s-not-applicable { background: none; }
.sq.s-absent { border: 0; background: none; }
.sq.dim { opacity: .25; }
.squares { display: flex; flex-wrap: wrap; gap: 4px; }
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: .35rem 1.1rem; font-size: .82rem; color: var(--soft); margin-bottom: 1.4rem; }
.legend li { display: flex; align-items: center; gap: .4rem; }
.maps { display: grid; gap: 2rem; }
.map td small { display: block; margin-top: .25rem; line-height: 1.35; }
.map.one .squares { display: inline-flex; margin-right: .9rem; vertical-align: middle; }
.map.one td small { display: inline-block; margin: 0; }
.map th[scope=row] { font-weight: 500; width: 24%; }
.map .sec { display: inline-block; min-width: 1.1rem; }
.map tbody tr:last-child > * { border-bottom: 0; }
.tables { display: grid; gap: 2.2rem; }
.rules { table-layout: fixed; }
.rules thead th:first-child { width: 46%; }
.rules.one thead th:first-child { width: 74%; }
.rules th[scope=row] { font-weight: 400; }
.rules th[scope=row] > code { font-weight: 600; font-size: .9em; margin-right: .35rem; }
.rules td small { margin-left: .4rem; font-variant-numeric: tabular-nums; white-space: nowrap; }
.rules td a { text-decoration: none; display: inline-block; }
.rules .group th { padding-top: 1.3rem; border-bottom: 1px solid var(--strong-line); font-weight: 650; }
.rules td:target, tr:target > *, .listed li:target { background: var(--warn-bg); }
.card:target, .findings > li:target { box-shadow: 0 0 0 3px var(--focus); }
.findings > li:target { border-radius: 6px; }
.chips { list-style: none; display: flex; flex-wrap: wrap; gap: .15rem 1rem; font-size: .9rem; }
.chips a { display: inline-block; padding: .12rem 0; }
.unjudged p { margin-bottom: .25rem; }
.unjudged + .unjudged { margin-top: 1.1rem; }
.bar { display: block; border-radius: 5px; }
.key { list-style: none; display: flex; flex-wrap: wrap; gap: .3rem 1.4rem; font-size: .86rem; color: var(--soft); margin: .8rem 0 1.4rem; }
.key b { color: var(--ink); font-variant-numeric: tabular-nums; }
.key li { display: flex; align-items: center; gap: .4rem; }
.part h4 { font-size: 1rem; margin: 1.4rem 0 .4rem; }
.covered { border-bottom: 1px solid var(--line); }
.covered > summary { display: grid; grid-template-columns: minmax(9rem, 16rem) minmax(4rem, 1fr) 7rem; gap: 1rem; align-items: center; color: var(--ink); padding: .45rem 0; }
.covered > summary .meta { text-align: right; }
.covered > summary .name::before { content: "▸"; display: inline-block; width: 1.1rem; color: var(--soft); }
.covered[open] > summary .name::before { content: "▾"; }
.covered table { font-size: .9rem; margin: .3rem 0 1.2rem 1.1rem; width: calc(100% - 1.1rem); }
.covered td { width: 50%; }
.rule { display: block; text-decoration: none; color: var(--c, var(--soft)); }
.rule i { display: inline-block; width: 1.1rem; font-weight: 700; }
a.rule:hover { text-decoration: underline; }
.choices th { width: 50%; font-weight: 400; }
.choices td p { margin: 0; }
.choices + .choices { margin-top: 2rem; }
.exchanges { font-size: .86rem; }
.exchanges th[scope=row] { font-weight: 500; font-family: var(--mono); }
.exchanges td { min-width: 4rem; }
.scroll { overflow-x: auto; }
.part ul + p { margin-top: .6rem; }
.part > ul:not([class]), details > ul:not([class]) { padding-left: 1.2rem; }
`;
