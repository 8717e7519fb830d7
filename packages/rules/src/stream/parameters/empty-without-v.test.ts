import { describe, expect, test } from "vitest";
import type { ExchangeSketch } from "../../testing/judge-streams.ts";
import { reportOf, linesIn, describeReport, search } from "../../testing/searches.ts";
import type { FoundSketch } from "../../testing/searches.ts";

const id = "stream/omitted-v-is-v3";
const some = { matches: [linesIn("a", [1])] };

interface Step {
  readonly query: Readonly<Record<string, string>>;
  readonly found?: FoundSketch;
}

/** Searches that were sent one after the other. */
const sent = (steps: readonly Step[]): readonly ExchangeSketch[] =>
  steps.map(({ query, found = {} }, index) => search(query, found, { sentAtMicros: index + 1 }));

const empty: readonly Step[] = [
  { query: {} },
  { query: { t: "standard" } },
  { query: { cm: "false" } },
  { query: { cl: "3" } },
  { query: { "max-line-len": "9" } },
];
const explicit: readonly Step[] = [
  { query: { v: "V3" }, found: some },
  { query: { v: "V3", cm: "true" }, found: some },
];
const among = [empty[0], explicit[0], ...empty.slice(1), explicit[1]].flatMap((step) => step ?? []);

describe("searches without `v` that find nothing", () => {
  test.each<{ name: string; steps: readonly Step[]; is: string }>([
    { name: "and those with `v=V3` among them do", steps: among, is: "broken" },
    { name: "but one", steps: [...among, { query: { cm: "true" }, found: some }], is: "not observed" },
    {
      name: "and a search with `v=V3` does not either",
      steps: [...among, { query: { v: "V3", cl: "2" } }],
      is: "not observed",
    },
    { name: "and another version does", steps: [...among, { query: { v: "V1" }, found: some }], is: "broken" },
    {
      name: "and a keyword search without it does",
      steps: [...among, { query: { t: "keyword" }, found: some }],
      is: "broken",
    },
    { name: "and one search with `v=V3` does", steps: among.slice(0, -1), is: "not observed" },
    { name: "but are few", steps: among.filter((step) => step !== empty[4]), is: "not observed" },
    {
      name: "and three of them were sent twice",
      steps: [...among.slice(0, 4), ...among.slice(0, 4), ...explicit],
      is: "broken",
    },
    {
      name: "and two of them were sent often",
      steps: [...among.slice(0, 3), ...among.slice(0, 3), ...among.slice(0, 3), ...explicit],
      is: "not observed",
    },
    {
      name: "but are equal",
      steps: [...among.slice(0, 2), ...empty.map(() => ({ query: {} })), ...explicit.slice(1)],
      is: "not observed",
    },
    { name: "and the others came before them", steps: [...explicit, ...empty], is: "not observed" },
    { name: "and the others came after them", steps: [...empty, ...explicit], is: "not observed" },
    {
      name: "and the others found something once",
      steps: [...empty.slice(0, 2), ...explicit, ...empty.slice(2)],
      is: "not observed",
    },
    {
      name: "but count matches",
      steps: [...among, { query: { display: "0" }, found: { matchCount: 3 } }],
      is: "not observed",
    },
    {
      name: "but one was too slow",
      steps: [...among, { query: { cl: "1" }, found: { skipped: [{ reason: "shard-timeout" }] } }],
      is: "not observed",
    },
    {
      name: "for another query",
      steps: among.map((step) =>
        step.query["v"] === undefined ? step : { ...step, query: { ...step.query, q: "b" } },
      ),
      is: "not observed",
    },
  ])("$name: $is", ({ steps, is }) => {
    expect(describeReport(id, sent(steps))).toBe(is);
  });

  test("are said to be many", () => {
    expect(reportOf(id, sent(among)).violations).toMatchObject([
      {
        exchange: "1",
        code: "finds-less",
        message:
          "searches 1 to 6, 5 different ones without `v`, all find nothing, although each of the same with `v=V3`, such as search 2, finds something",
      },
    ]);
  });
});
