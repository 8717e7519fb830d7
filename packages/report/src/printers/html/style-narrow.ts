import { narrowMapStyle } from "./style-columns.ts";

/** Styles for narrow pages. */
export const narrowStyle = `
@media (max-width: 720px) {
  body { padding: 0 .75rem 3rem; font-size: 14.5px; }
  .strip, .part, .side { padding: .9rem .9rem; border-radius: 10px; margin-bottom: .8rem; }
  .part > h3 { margin-bottom: .6rem; }
  .summary { margin: .3rem 0 .6rem; font-size: 1.05rem; }
  .strip h2 { font-size: 1.7rem; }
  .keys, .card > header .meta { display: none; }
  #filter label { font-size: .72rem; margin: 0; }
  #filter { margin-bottom: .4rem; }
  #found { min-height: 0; padding: 0; }
  .top { padding: .7rem 0 .3rem; }
  .counters { gap: .4rem; }
  .counters li { flex: 1 1 5rem; min-width: 4.6rem; }
  .counters.speed li { min-width: 6.6rem; }
  .counter { padding: .35rem .5rem; }
  .counter b { font-size: 1.25rem; }
  .counter span { font-size: .76rem; }
  .facts .wide { grid-column: 1 / -1; }
  .facts { grid-template-columns: repeat(auto-fill, minmax(8.5rem, 1fr)); }
  .runs, .runs tbody, .runs tr, .runs th, .runs td { display: block; width: auto; border: 0; padding: 0; }
  .runs thead { display: none; }
  .runs tbody tr { border-left: 4px solid var(--tone); padding: .1rem 0 .1rem .8rem; margin-bottom: 1rem; }
  .runs tbody th { border-left: 0; padding-left: 0; }
  .runs .end, .runs .end .title { width: auto; display: inline; }
  .runs .end .title { margin-left: .5rem; }
  .rules, .rules tbody, .rules tr, .rules th, .rules td,
  .covered table, .covered tbody, .covered tr, .covered td { display: block; width: auto; }
  .rules thead { display: none; }
  .rules th[scope=row] { width: auto; border: 0; padding-bottom: .2rem; }
  .rules td { border: 0; padding: .1rem 0 .3rem; }
  .rules td.none { display: none; }
  .rules td[data-c]::before { content: attr(data-c); display: inline-block; min-width: 6rem; margin-right: .5rem; color: var(--soft); font-size: .82rem; }
  .rules td small { display: inline; }
  .rules tr { border-bottom: 1px solid var(--line); padding: .3rem 0; }
  .diff tbody tr { display: flex; flex-wrap: wrap; gap: .15rem 1rem; padding: .5rem 0; }
  .diff th[scope=row] { flex-basis: 100%; }
  .rules.diff td[data-c]::before { min-width: 0; }
  .rules tr.group { border: 0; }
  .covered td:first-child { border: 0; padding-bottom: 0; }
  .covered td { width: auto; }
  .covered table { margin-left: 0; width: 100%; }
  .covered > summary { grid-template-columns: 1fr 4.5rem; }
  .covered > summary .bar { grid-column: 1 / -1; grid-row: 2; }
  ${narrowMapStyle}
  .map.one th[scope=row] { width: 36%; }
  .rules caption { display: block; }
  .fig > .scroll { display: none; }
  .fig .fig-narrow { display: block; }
  .scroll {
    background: linear-gradient(to right, var(--paper) 30%, transparent) left / 2.5rem 100% no-repeat local,
      linear-gradient(to left, var(--paper) 30%, transparent) right / 2.5rem 100% no-repeat local,
      linear-gradient(to right, var(--strong-line), transparent) left / .6rem 100% no-repeat scroll,
      linear-gradient(to left, var(--strong-line), transparent) right / .6rem 100% no-repeat scroll;
  }
  .fig-table.long { min-width: 34rem; }
  .fig-table.many, .fig-table.many tbody, .fig-table.many caption { display: block; }
  .fig-table.many thead { display: none; }
  .fig-table.many tr { display: flex; flex-wrap: wrap; gap: 0 .9rem; border-bottom: 1px solid var(--line); padding: .35rem 0; }
  .fig-table.many :is(th, td) { border: 0; padding: 0; overflow-wrap: anywhere; }
  .fig-table.many th { flex-basis: 100%; }
  .fig-table.many td::before { content: attr(data-c) " "; color: var(--soft); font-size: .82rem; }
  .fig-table.many td:empty { display: none; }
  .exchanges, .exchanges tbody { display: block; }
  .exchanges thead { display: none; }
  .exchanges tr { display: flex; flex-wrap: wrap; gap: 0 .9rem; border-bottom: 1px solid var(--line); padding: .35rem 0; }
  .exchanges :is(th, td) { border: 0; padding: 0; text-align: left; overflow-wrap: anywhere; }
  .exchanges td:nth-child(2) { flex: 1 1 70%; }
  .exchanges td:nth-child(n + 4)::before { color: var(--soft); font-size: .82rem; }
  .exchanges td:nth-child(4)::before { content: "status "; }
  .exchanges td:nth-child(7)::before { content: "matches "; }
  .exchanges td:nth-child(6)::before { content: "events "; }
  .exchanges td:nth-child(8)::before { content: "first match "; }
  .exchanges td:nth-child(9)::before { content: "took "; }
  .card { padding: .9rem .85rem; }
  .findings > li { padding-left: 0; }
  .findings > li::before { position: static; display: block; text-align: left; }
}
`;
