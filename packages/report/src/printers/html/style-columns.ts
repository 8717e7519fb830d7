/** Style for narrow pages: cells are stacked below their row, each with the name of its run or interface. */
const createStackedMapStyle = (map: string): string => `
  ${map}, ${map} tbody, ${map} tr, ${map} td, ${map} th { display: block; width: auto; border: 0; padding: 0; }
  ${map} thead, ${map} td.none { display: none; }
  ${map} tr { border-top: 1px solid var(--line); padding: .5rem 0; }
  ${map} td { padding-top: .35rem; }
  ${map} td::before { content: attr(data-c); display: block; color: var(--soft); font-size: .82rem; margin-bottom: .2rem; overflow-wrap: anywhere; }
  ${map} caption { display: block; }
`;

/**
 * Style of tables with more than `maxColumns` columns: cells are below their row. In a map they are stacked, so that the squares of a rule
 * form a column. In a table they wrap.
 */
export const manyColumnsStyle = `
.map thead th, .rules thead th { overflow-wrap: anywhere; }
${createStackedMapStyle(".map.many")}
@media (min-width: 721px) {
  .map.many td { display: grid; grid-template-columns: minmax(0, 15rem) minmax(0, 1fr) minmax(0, 10rem); gap: 1rem; align-items: start; }
  .map.many td small { margin: 0; }
}
.rules td .badge { white-space: normal; border-radius: .8rem; }
.rules.many, .rules.many tbody { display: block; }
.rules.many caption { display: block; }
.rules.many thead, .rules.many td.none { display: none; }
.rules.many tr {
  display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 13rem), 1fr)); gap: .1rem 1rem; padding: .4rem 0;
  border-bottom: 1px solid var(--line);
}
.rules.many th { grid-column: 1 / -1; width: auto; border: 0; padding: 0 0 .2rem; }
.rules.many tr.group { border-bottom-color: var(--strong-line); }
.rules.many .group th { padding-top: 1.3rem; }
.rules.many td { border: 0; padding: .1rem 0 .3rem; min-width: 0; }
.rules.many td::before { content: attr(data-c); display: block; color: var(--soft); font-size: .82rem; overflow-wrap: anywhere; }
`;

/** Style of a map on a page that is too narrow for two columns. */
export const narrowMapStyle = createStackedMapStyle(".map:not(.one)");
