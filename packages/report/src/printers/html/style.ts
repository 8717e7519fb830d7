import { manyColumnsStyle } from "./style-columns.ts";
import { narrowStyle } from "./style-narrow.ts";

/** The verdict strip, the map and table of rules, and all other parts except failures. */
const partsStyle = `
.strip, .part, .side {
  background: var(--paper); border: 1px solid var(--line); border-radius: 12px; padding: 1.5rem 1.75rem; margin-bottom: 1.25rem;
}
.part > h3 { font-size: 1.2rem; letter-spacing: -.01em; margin-bottom: 1.1rem; }
.chapter + .chapter { margin-top: 3rem; }
.chapter:has(> .run) + .chapter:has(> .run) { margin-top: 0; }
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
.counters { list-style: none; display: flex; flex-wrap: wrap; gap: .6rem; margin: .2rem 0 1rem; }
.head + .counters { margin-top: .9rem; }
.counters li { flex: 0 1 9rem; min-width: 7.6rem; }
.counter {
  display: block; height: 100%; padding: .6rem .85rem .55rem; border-radius: 9px; text-decoration: none; color: var(--c);
  background: var(--cb); border: 1px solid var(--cl);
}
.counter:hover span { text-decoration: underline; text-underline-offset: .18em; }
.counter b { display: block; font-size: 1.6rem; line-height: 1.2; font-weight: 720; font-variant-numeric: tabular-nums; letter-spacing: -.02em; }
.counter span { font-size: .84rem; }
.counter.s-failed, .counter.s-fixed { background: var(--solid); border-color: var(--solid); color: var(--on-solid); }
.notice { background: var(--tone-bg); border: 1px solid var(--tone-line); border-radius: 8px; padding: .8rem 1rem; margin-bottom: .8rem; }
.notice p { margin: 0 0 .3rem; color: var(--tone); }
.notice ul { padding-left: 1.2rem; }
.notice code { font-weight: 600; }
.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(11rem, 1fr)); gap: .8rem 1.5rem; border-top: 1px solid var(--line); padding-top: 1.1rem; margin-top: .3rem; }
.facts dt { color: var(--soft); font-size: .78rem; }
.facts dd { overflow-wrap: anywhere; font-size: .92rem; }
.facts .wide { grid-column: span 2; }
.facts .wide:last-child { grid-column: 1 / -1; }
.runs { table-layout: fixed; }
.runs thead th:first-child { width: 30%; }
.runs thead th:nth-child(2) { width: 11rem; }
.runs th { font-weight: 400; }
.runs th a { font-weight: 650; }
.runs th a code { font-size: .95rem; }
.runs .end { color: var(--tone); font-weight: 650; }
.runs tbody th { border-left: 4px solid var(--tone); padding-left: .8rem; }
.runs :is(th, td) { padding-top: .4rem; padding-bottom: .4rem; }
.runs .title { overflow-wrap: anywhere; }
.runs .when { white-space: nowrap; }
.runs .counts { display: block; font-size: .92rem; }
.runs tbody tr:last-child > * { border-bottom: 0; }
.diff .story { display: block; font-size: .9rem; overflow-wrap: anywhere; }
.rules.diff thead th:first-child { width: 36%; }
.rules.diff.wide thead th:first-child { width: 62%; }
.diff.wide td { vertical-align: middle; }
.diff td a { display: inline-block; max-width: 100%; }
.run > summary { display: flex; flex-wrap: wrap; align-items: baseline; gap: .1rem .9rem; padding: 0; color: var(--ink); }
.run > summary::before { content: "▸"; color: var(--soft); }
.run[open] > summary::before { content: "▾"; }
.run > summary h2 { font-size: 1.25rem; }
.run > summary h2 i { margin-right: .3rem; }
.run > summary .said { flex-basis: 100%; color: var(--soft); font-size: .92rem; overflow-wrap: anywhere; }
.run[open] > summary { margin-bottom: 1rem; }
.run > summary:hover { text-decoration: none; }
.run > summary:hover h2 { text-decoration: underline; text-underline-offset: .18em; }
.run .part { border: 0; border-top: 1px solid var(--line); border-radius: 0; padding: 1.2rem 0; margin: 1.2rem 0 0; }
.side h2 { font-size: 1.5rem; letter-spacing: -.02em; }
.side.bare { background: none; border: 0; padding: 0; margin-bottom: .8rem; }

.s-passed { --c: var(--good); --cb: var(--good-bg); --cl: var(--good-line); }
.s-failed, .s-fixed { --c: var(--bad); --cb: var(--bad-bg); --cl: var(--bad-line); }
.s-warned, .s-known-failure { --c: var(--warn); --cb: var(--warn-bg); --cl: var(--warn-line); }
.s-not-tested, .s-blocked { --c: var(--unknown); --cb: var(--unknown-bg); --cl: var(--unknown-line); }
.s-not-applicable { --c: var(--soft); --cb: var(--raised); --cl: var(--line); }
.badge {
  display: inline-block; color: var(--c); background: var(--cb); border: 1px solid var(--cl); border-radius: 99px;
  padding: 0 .6rem; font-size: .8rem; font-weight: 600; line-height: 1.5rem; white-space: nowrap;
}
.badge i { margin-right: .35rem; font-weight: 700; }
.badge.s-failed, .badge.s-fixed { background: var(--solid); border-color: var(--solid); color: var(--on-solid); }
.badge.s-not-tested, .badge.s-known-failure { border-style: dashed; background: none; border-color: var(--c); }
.badge.s-not-applicable { background: none; border-color: transparent; padding-left: 0; font-weight: 400; }
.sq {
  display: inline-flex; align-items: center; justify-content: center; width: 20px; height: 20px; border-radius: 4px;
  font: 700 12px/1 var(--sans); text-decoration: none; color: var(--c); background: var(--cb); border: 1px solid var(--cl);
}
a.sq:hover { outline: 2px solid var(--c); outline-offset: 1px; }
.sq.s-failed, .sq.s-fixed { background: var(--solid); border-color: var(--solid); color: var(--on-solid); }
.sq.s-known-failure, .sq.s-warned { border-color: var(--c); }
.sq.s-not-tested { background: none; border: 1px dashed var(--c); }
.sq.s-blocked { border: 2px solid var(--c); }
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
.rules.four thead th:first-child { width: 36%; }
.rules.four td .badge, .diff td .badge { padding: 0 .45rem; font-size: .78rem; overflow-wrap: anywhere; }
.rules.four td small { display: block; margin: .1rem 0 0; white-space: normal; }
.rules th[scope=row] { font-weight: 400; }
.rules th[scope=row] > code { font-weight: 600; font-size: .9em; margin-right: .35rem; }
.rules td small { margin-left: .4rem; font-variant-numeric: tabular-nums; white-space: nowrap; }
.proof summary { font-size: .86rem; padding: .1rem 0; }
.rules td a { text-decoration: none; display: inline-block; }
.rules .group th { padding-top: 1.3rem; border-bottom: 1px solid var(--strong-line); font-weight: 650; }
.rules td.here, tr.here > *, tr:has(> td.here) > *, .listed li.here { background: var(--warn-bg); }
.card.here, .findings > li.here { box-shadow: 0 0 0 3px var(--focus); }
.findings > li.here { border-radius: 6px; }
:root:not(.js) :is(.rules td, tr, .listed li):target { background: var(--warn-bg); }
:root:not(.js) :is(.card, .findings > li):target { box-shadow: 0 0 0 3px var(--focus); }
[data-step]:focus { outline: none; }
.card h4 a { color: inherit; text-decoration: none; }
.card h4 a:hover { text-decoration: underline; }
.entries { padding-left: 1.2rem; margin-bottom: .6rem; }
.entries.signed { list-style: none; padding-left: 0; }
.entries li { padding: .12rem 0; overflow-wrap: anywhere; }
.entries .entries, .entries li > p { margin: .1rem 0; }
.entries li > :is(p, .entries, details) { margin-left: 1.1rem; }
.scroll + p { margin-top: .4rem; }
th small { font-weight: 400; }
.sign { color: var(--tone); }
.t-none { --tone: var(--soft); }
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
.exchanges { font-size: .86rem; }
.exchanges th[scope=row] { font-weight: 500; font-family: var(--mono); }
.exchanges td { min-width: 4rem; }
.scroll { overflow-x: auto; }
.part ul + p { margin-top: .6rem; }
.part > ul:not([class]), details > ul:not([class]) { padding-left: 1.2rem; }
`;

/** Failures with their bytes, figures, narrow pages and print. */
const failuresStyle = `
.card { border: 1px solid var(--line); border-left: 4px solid var(--c); border-radius: 10px; padding: 1.1rem 1.3rem; margin-bottom: 1rem; }
.card > header { display: flex; flex-wrap: wrap; align-items: center; gap: .3rem .8rem; margin-bottom: .5rem; }
.card h4 { margin: 0; font-size: 1rem; }
.card h4 code { font-size: .98rem; }
.card > .title { font-size: 1.02rem; color: var(--ink); margin-bottom: .7rem; max-width: 80ch; }
blockquote { border-left: 2px solid var(--strong-line); padding: .05rem 0 .05rem .8rem; margin-bottom: .35rem; font-size: .9rem; color: var(--soft); max-width: 85ch; }
blockquote cite { font-style: normal; font-size: .78rem; font-family: var(--mono); margin-right: .6rem; white-space: nowrap; }
.why { margin: .6rem 0 .3rem; font-size: .92rem; max-width: 85ch; }
.known { background: var(--cb); border-radius: 6px; padding: .5rem .8rem; margin: .7rem 0; font-size: .92rem; }
.findings { list-style: none; counter-reset: f; margin: .7rem 0; }
.findings > li:only-child { padding-left: 0; }
.findings > li:only-child::before { content: none; }
.findings > li { counter-increment: f; position: relative; padding: .9rem 0 .3rem 2rem; border-top: 1px solid var(--line); }
.findings > li::before { content: counter(f); position: absolute; left: 0; top: .95rem; width: 1.4rem; text-align: center; color: var(--soft); font-size: .82rem; font-variant-numeric: tabular-nums; }
.message { margin-bottom: .5rem; overflow-wrap: anywhere; }
.client { color: var(--soft); font-size: .86rem; margin: .35rem 0 .3rem; }
.client::first-letter { text-transform: uppercase; }
.bytes, .curl, .heads pre { background: var(--raised); border: 1px solid var(--line); border-radius: 8px; padding: .65rem .85rem; font-size: .86rem; }
.bytes code, .curl code { font-size: 1em; }
.off { display: block; color: var(--soft); font: .76rem/1.6 var(--sans); }
mark { background: var(--mark); color: var(--mark-ink); font-weight: 700; padding: .08em .2em; border-radius: 3px; box-decoration-break: clone; -webkit-box-decoration-break: clone; }
mark.gap { font-family: var(--sans); font-size: .78rem; outline: 1px dashed var(--bad); }
.curl { position: relative; margin: .5rem 0; }
.curl code::before { content: "$ "; color: var(--soft); user-select: none; }
.acts { display: flex; flex-wrap: wrap; gap: .4rem; margin: .6rem 0; }
.cause { background: var(--warn-bg); border-radius: 6px; padding: .45rem .8rem; margin: .6rem 0; font-size: .92rem; overflow-wrap: anywhere; }
.act { padding: .3rem .8rem; font-weight: 600; }
.affected { font-size: .9rem; }
.headline { font-size: 1.1rem; }
.headline b { font-size: 1.6rem; letter-spacing: -.02em; margin-right: .4rem; }
.v-regressed b { color: var(--bad); }
.v-improved b, .v-unchanged b { color: var(--good); }
.v-inconclusive b { color: var(--unknown); }
.early { border-top: 0; padding-top: 0; }
.early p { margin: 0; }
.try h3 { font-size: 1rem; margin: 1rem 0 .3rem; }
.try ol { padding-left: 1.3rem; }
.try + .about { margin-top: 1rem; }
.about summary { font-size: .9rem; }
.act, .zoom button {
  font: .78rem var(--sans); color: var(--ink); background: var(--paper); border: 1px solid var(--strong-line); border-radius: 5px;
  padding: .18rem .6rem; min-height: 24px; min-width: 24px; cursor: pointer;
}
.heads { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); gap: .7rem; margin: .3rem 0 .7rem; }

.exchange summary, .short summary, .xref { font-size: .9rem; margin: 0; padding: .3rem 0; }
.short ol { padding-left: 2rem; margin-top: .4rem; font-size: .92rem; }
.listed { list-style: none; }
.listed li { padding: .35rem 0; border-bottom: 1px solid var(--line); }

.fig { margin: 0 0 1.6rem; }
.fig svg { display: block; max-width: 100%; height: auto; }
.fig svg.fig-wide { max-width: none; min-width: 620px; }
.fig .fig-narrow { display: none; }
.fig-caption { color: var(--soft); font-size: .86rem; margin-top: .4rem; max-width: 85ch; }
.fig-axis { color: var(--soft); }
.fig-hover:hover { opacity: .75; }
.fig details { font-size: .86rem; }
.fig details > * + * { overflow-x: auto; }
#tip {
  position: fixed; z-index: 9; pointer-events: none; max-width: 24rem; background: var(--ink); color: var(--paper); padding: .3rem .6rem;
  border-radius: 6px; font-size: .8rem; line-height: 1.4; overflow-wrap: anywhere;
}
.zoom { position: sticky; left: 0; display: flex; gap: .3rem; justify-content: flex-end; margin-bottom: .3rem; }
.zoomable { touch-action: pan-y; cursor: crosshair; user-select: none; -webkit-user-select: none; }
.zoomable [data-zoom-target] * { vector-effect: non-scaling-stroke; }
.band { fill: var(--focus); opacity: .2; pointer-events: none; }

${narrowStyle}
@page { margin: 14mm; }
@media print {
  :root {
    --bg: #fff; --paper: #fff; --raised: #f6f6f6; --line: #ccc; --strong-line: #999; --ink: #000; --soft: #444; --link: #000;
    --good: #064d3f; --bad: #8c130a; --warn: #5c3d00; --unknown: #412d85; --solid: #8c130a; --mark: #ffd9d3; --mark-ink: #8c130a;
    --good-bg: #fff; --bad-bg: #fff; --warn-bg: #fff; --unknown-bg: #fff;
  }
  body { display: block; font-size: 10pt; padding: 0; max-width: none; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  nav, .skip, .acts, .zoom, #tip { display: none; }
  .strip, .part, .side { border: 0; border-top: 1px solid #999; border-radius: 0; padding: .8rem 0; margin: 0; }
  .strip { border-top: 5px solid var(--tone); }
  .maps, .tables { display: block; }
  .maps > *, .tables > * { margin-bottom: 2rem; }
  tr, figure, .message, .bytes, .curl, blockquote { break-inside: avoid; }
  h2, h3, h4, .run > summary, .card > header, .message { break-after: avoid; }
  a { text-decoration: none; }

  .card details::details-content, .run::details-content, main:not(:has(.run)) :is(.fold, .folded)::details-content { content-visibility: visible; display: block; height: auto; }
}
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
@media (forced-colors: active) { .sq, .badge, .counter, mark { border: 1px solid; } }
`;

/** Colours of both themes, fonts, and basic styles of elements. */
const baseStyle = `
:root {
  color-scheme: light dark;
  --bg: #f6f7f9; --paper: #ffffff; --raised: #f4f5f8; --line: #dfe3e8; --strong-line: #b9c0ca;
  --ink: #181b20; --soft: #565e6b; --link: #1a5fb4; --focus: #2b7bd4;
  --good: #0a6b58; --good-bg: #e0f3ee; --good-line: #9fd4c6;
  --bad: #b3261a; --bad-bg: #fdeae7; --bad-line: #efb3ab;
  --warn: #7a5200; --warn-bg: #fbf0d9; --warn-line: #e2c384;
  --unknown: #5b41b0; --unknown-bg: #efebfb; --unknown-line: #c2b5ea;
  --solid: #b3261a; --on-solid: #ffffff; --mark: #ffd9d3; --mark-ink: #8c130a;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Code", "JetBrains Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --bg: #0e1013; --paper: #14161a; --raised: #1c1f25; --line: #2b3038; --strong-line: #49505c;
    --ink: #e6e8ec; --soft: #9fa7b3; --link: #84b8f5; --focus: #84b8f5;
    --good: #5fd0b6; --good-bg: #10302a; --good-line: #20594d;
    --bad: #ff9d90; --bad-bg: #3a1a17; --bad-line: #7a352d;
    --warn: #e8b754; --warn-bg: #33270c; --warn-line: #6b5220;
    --unknown: #bcaaff; --unknown-bg: #261f42; --unknown-line: #52458a;
    --solid: #c23525; --on-solid: #ffffff; --mark: #6d1f16; --mark-ink: #ffe3df;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; background: var(--bg); color: var(--ink); font: 15px/1.55 var(--sans); overflow-wrap: break-word; }
[hidden] { display: none !important; }
h1, h2, h3, h4 { line-height: 1.25; margin: 0; text-wrap: balance; }
p { margin: 0 0 .6rem; }
ul, ol, dl, dd, figure, blockquote { margin: 0; padding: 0; }
a { color: var(--link); text-decoration-thickness: .06em; text-underline-offset: .18em; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; border-radius: 3px; }
i { font-style: normal; }
small, .meta { color: var(--soft); font-size: .82rem; }
code, pre, kbd { font-family: var(--mono); font-size: .86em; }
code { overflow-wrap: anywhere; }
pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; line-height: 1.5; tab-size: 4; }
table { border-collapse: collapse; width: 100%; }
caption { text-align: left; font-weight: 650; font-size: 1rem; padding: 0 0 .5rem; }
th, td { text-align: left; vertical-align: top; padding: .5rem .75rem .5rem 0; border-bottom: 1px solid var(--line); }
th { font-weight: 600; }
thead th { color: var(--soft); font-size: .8rem; font-weight: 600; vertical-align: bottom; }
.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
summary { cursor: pointer; color: var(--link); padding: .3rem 0; }
summary:hover { text-decoration: underline; text-underline-offset: .18em; }
.unseen {
  position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap;
}
.skip { position: absolute; left: 1rem; top: -4rem; background: var(--paper); padding: .5rem 1rem; z-index: 9; }
.skip:focus { top: 1rem; }
.more { color: var(--soft); font-size: .86rem; margin: .5rem 0 0; }
.title { display: block; color: var(--soft); font-weight: 400; font-size: .86rem; line-height: 1.45; }
.place { display: block; color: var(--soft); font-size: .82rem; }
.sec { color: var(--soft); font-variant-numeric: tabular-nums; font-weight: 400; }
.count { color: var(--soft); font-weight: 400; font-size: .82rem; margin-left: .5rem; }

body { display: grid; grid-template-columns: minmax(0, 1fr); max-width: 1440px; margin: 0 auto; padding: 0 1rem 4rem; }
.top { padding: 1.4rem 0 .8rem; }
.top h1 { font-size: 1rem; font-weight: 450; color: var(--soft); overflow-wrap: anywhere; }
.brand { color: var(--ink); font-weight: 750; letter-spacing: -.01em; }
main { min-width: 0; outline: none; }
nav { margin-bottom: 1rem; font-size: .86rem; }
nav ul { list-style: none; display: flex; gap: .1rem 1.1rem; overflow-x: auto; white-space: nowrap; padding: 2px; }
nav a { display: inline-block; padding: .2rem 0; color: var(--ink); text-decoration: none; }
nav a:hover { text-decoration: underline; }
nav .chapter-link { font-weight: 650; }
#filter { margin: 0 0 .9rem; }
#filter label { display: block; font-size: .8rem; font-weight: 600; color: var(--soft); margin-bottom: .25rem; }
#filter input {
  width: 100%; font: .86rem var(--mono); color: var(--ink); background: var(--paper); padding: .4rem .55rem;
  border: 1px solid var(--strong-line); border-radius: 6px;
}
#found { display: block; min-height: 1.3em; font-size: .8rem; color: var(--soft); padding-top: .2rem; }
kbd { border: 1px solid var(--line); border-bottom-width: 2px; border-radius: 4px; padding: 0 .3rem; background: var(--raised); }
.keys summary { color: var(--soft); font-size: .8rem; padding: 0; }
.keys dl { display: grid; grid-template-columns: auto 1fr; gap: .3rem .6rem; margin: .5rem 0; font-size: .8rem; }
.keys p { color: var(--soft); font-size: .8rem; }
@media (min-width: 1120px) {
  body { grid-template-columns: 220px minmax(0, 1fr); column-gap: 2.5rem; padding: 0 2rem 5rem; }
  .top { grid-column: 2; }
  nav { grid-row: 1 / span 2; position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; padding: 1.4rem 2px 2rem; }
  nav ul { flex-direction: column; padding-bottom: 1rem; white-space: normal; overflow: visible; }
  nav a { display: flex; justify-content: space-between; gap: .5rem; padding: .25rem 0; }
  main { grid-column: 2; }
}
`;

/** Removes the indentation of the source. */
const removeIndentation = (style: string): string => style.replaceAll(/\s*\n\s*/gu, "\n").trim();

/** The style sheet of a page. The policy of the page has its digest. */
export const pageStyle = removeIndentation(`${baseStyle}${partsStyle}${manyColumnsStyle}${failuresStyle}`);
