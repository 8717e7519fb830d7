import { manyColumnsStyle } from "./style-columns.ts";
import { failuresStyle } from "./style-failures.ts";
import { partsStyle } from "./style-parts.ts";

/** Colours of both themes, type, and what every element looks like before any part of the page says otherwise. */
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
.brand { color: var(--ink); font-weight: 750; letter-spacing: -.01em; margin-right: .5rem; }
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
@media (min-width: 1120px) {
  body { grid-template-columns: 220px minmax(0, 1fr); column-gap: 2.5rem; padding: 0 2rem 5rem; }
  .top { grid-column: 2; }
  nav { grid-row: 1 / span 2; position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; padding: 1.4rem 2px 2rem; }
  nav ul { flex-direction: column; padding-bottom: 1rem; white-space: normal; overflow: visible; }
  nav a { display: flex; justify-content: space-between; gap: .5rem; padding: .25rem 0; }
  main { grid-column: 2; }
}
`;

/** Space that only the source needs. */
const packed = (style: string): string => style.replaceAll(/\s*\n\s*/gu, "\n").trim();

/** The one style sheet of a page. The page is known to the browser by its digest, so nothing may be added to it later. */
export const pageStyle = packed(`${baseStyle}${partsStyle}${manyColumnsStyle}${failuresStyle}`);
