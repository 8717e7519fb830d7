import { narrowMapStyle } from "./style-columns.ts";

/** Failures with their bytes, figures, narrow pages and paper. */
export const failuresStyle = `
.card { border: 1px solid var(--line); border-left: 4px solid var(--c); border-radius: 10px; padding: 1.1rem 1.3rem; margin-bottom: 1rem; }
.card > header { display: flex; flex-wrap: wrap; align-items: center; gap: .3rem .8rem; margin-bottom: .5rem; }
.card h4 { margin: 0; font-size: 1rem; }
.card h4 code { font-size: .98rem; }
.card > .title { font-size: 1.02rem; color: var(--ink); margin-bottom: .7rem; max-width: 80ch; }
blockquote { border-left: 2px solid var(--strong-line); padding: .05rem 0 .05rem .8rem; margin-bottom: .35rem; font-size: .9rem; color: var(--soft); max-width: 85ch; }
blockquote cite { font-style: normal; font-size: .78rem; font-family: var(--mono); margin-right: .6rem; white-space: nowrap; }
.known { background: var(--cb); border-radius: 6px; padding: .5rem .8rem; margin: .7rem 0; font-size: .92rem; }
.findings { list-style: none; counter-reset: f; margin-top: 1rem; }
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
.copy { position: absolute; right: .4rem; top: .4rem; }
.js .curl { padding-right: 4.6rem; }
.copy, .zoom button {
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

@media (max-width: 720px) {
  body { padding: 0 .75rem 3rem; font-size: 14.5px; }
  .strip, .part, .side { padding: 1.1rem 1rem; border-radius: 10px; }
  .strip h2 { font-size: 1.7rem; }
  .facts .wide { grid-column: 1 / -1; }
  .facts { grid-template-columns: repeat(auto-fill, minmax(8.5rem, 1fr)); }
  .runs li { grid-template-columns: 1fr; gap: .2rem; }
  .rules, .rules tbody, .rules tr, .rules th, .rules td, .choices, .choices tbody, .choices tr, .choices th, .choices td,
  .covered table, .covered tbody, .covered tr, .covered td { display: block; width: auto; }
  .rules thead, .choices thead { display: none; }
  .rules th[scope=row] { width: auto; border: 0; padding-bottom: .2rem; }
  .rules td { border: 0; padding: .1rem 0 .3rem; }
  .rules td.none { display: none; }
  .rules td[data-c]::before { content: attr(data-c); display: inline-block; min-width: 6rem; margin-right: .5rem; color: var(--soft); font-size: .82rem; }
  .rules td small { display: inline; }
  .rules tr { border-bottom: 1px solid var(--line); padding: .3rem 0; }
  .rules tr.group { border: 0; }
  .choices th, .covered td:first-child { border: 0; padding-bottom: 0; }
  .choices th, .choices td, .covered td { width: auto; }
  .covered table { margin-left: 0; width: 100%; }
  .covered > summary { grid-template-columns: 1fr 4.5rem; }
  .covered > summary .bar { grid-column: 1 / -1; grid-row: 2; }
  ${narrowMapStyle}
  .map.one th[scope=row] { width: 36%; }
  .rules caption, .choices caption { display: block; }
  .fig svg.fig-wide { min-width: 800px; }
  .scroll {
    background: linear-gradient(to right, var(--paper) 30%, transparent) left / 2.5rem 100% no-repeat local,
      linear-gradient(to left, var(--paper) 30%, transparent) right / 2.5rem 100% no-repeat local,
      linear-gradient(to right, var(--strong-line), transparent) left / .6rem 100% no-repeat scroll,
      linear-gradient(to left, var(--strong-line), transparent) right / .6rem 100% no-repeat scroll;
  }
  .fig-table.many { min-width: 34rem; }
  .fig-table.many :is(th, td) { min-width: 4.8rem; }
  .card { padding: .9rem .85rem; }
  .findings > li { padding-left: 0; }
  .findings > li::before { position: static; display: block; text-align: left; }
  .js .curl { padding-right: .85rem; padding-top: 2.4rem; }
}
@media print {
  :root {
    --bg: #fff; --paper: #fff; --raised: #f6f6f6; --line: #ccc; --strong-line: #999; --ink: #000; --soft: #444; --link: #000;
    --good: #064d3f; --bad: #8c130a; --warn: #5c3d00; --unknown: #412d85; --solid: #8c130a; --mark: #ffd9d3; --mark-ink: #8c130a;
    --good-bg: #fff; --bad-bg: #fff; --warn-bg: #fff; --unknown-bg: #fff;
  }
  body { display: block; font-size: 10pt; padding: 0; max-width: none; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  nav, .skip, .copy, .zoom, #tip { display: none; }
  .strip, .part, .side { border: 0; border-top: 1px solid #999; border-radius: 0; padding: .8rem 0; margin: 0; }
  .strip { border-top: 5px solid var(--tone); }
  .card, .findings > li, tr, figure, .unjudged p { break-inside: avoid; }
  h3, h4 { break-after: avoid; }
  a { text-decoration: none; }

  .card details::details-content { content-visibility: visible; display: block; height: auto; }
  .js .curl { padding: .65rem .85rem; }
}
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
@media (forced-colors: active) { .sq, .badge, .counter, mark { border: 1px solid; } }
`;
