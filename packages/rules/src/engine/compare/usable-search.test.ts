import { describe, expect, test } from "vitest";
import { toUsableSearch as usableSearch, toUsableSearches } from "./usable-search.ts";
import { comparedSearches } from "../../testing/compared-searches.ts";
import type { ExchangeSketch } from "../../testing/judge-streams.ts";
import { doneEvent, wireEvent } from "../../testing/stream-report.ts";
import { files, found, search } from "../../testing/searches.ts";
import type { FoundSketch } from "../../testing/searches.ts";

const usable = (sketch: ExchangeSketch) => toUsableSearches(comparedSearches([sketch]))[0];

describe("a search is usable", () => {
  test("with what it found and when it was sent", () => {
    expect(usable(search({}, { matches: files(3) }, { id: "0007", sentAtMicros: 12 }))).toMatchObject({
      id: "0007",
      sentAtMicros: 12,
      completeness: "complete",
      results: { highlights: 3 },
    });
  });

  test.each<{ name: string; sketch: ExchangeSketch }>([
    { name: "refused", sketch: search({}, { matches: files(1) }, { status: 401 }) },
    { name: "that met a broken target", sketch: search({}, { matches: files(1) }, { status: 503 }) },
    { name: "cut short", sketch: search({}, { matches: files(1) }, { cutBy: "reset" }) },
    { name: "that was not carried out", sketch: { query: { q: "words" }, body: wireEvent("alert", {}) + doneEvent } },
    {
      name: "that lost an event",
      sketch: { query: { q: "words" }, body: `data: {}\n\n${found({ matches: files(1) })}` },
    },
    { name: "with matches that cannot be read", sketch: search({}, { matches: ["text"] }) },
    { name: "without a stream", sketch: { query: { q: "words" } } },
  ])("but not one $name", ({ sketch }) => {
    expect(usable(sketch)).toBeUndefined();
  });
});

test("a search whose results were not kept is not usable", () => {
  const [compared] = comparedSearches([search({}, { matches: files(1) })]).map((item) => {
    const { results, ...exchange } = item.exchange;
    return { search: item.search, exchange, results };
  });
  expect(compared?.results?.highlights).toBe(1);
  expect(compared && usableSearch(compared)).toBeUndefined();
});

describe("how far a search came", () => {
  const reasons = (...names: readonly unknown[]): FoundSketch => ({ skipped: names.map((reason) => ({ reason })) });
  test.each<{ name: string; result: FoundSketch; standing: string }>([
    { name: "without skipped entries: to its end", result: {}, standing: "complete" },
    { name: "with archives left out: to its end", result: reasons("excluded-archive"), standing: "complete" },
    {
      name: "with forks left out: to its end",
      result: reasons("excluded-fork", "repository-fork"),
      standing: "complete",
    },
    { name: "with a limit hit: to a limit", result: reasons("shard-match-limit"), standing: "limited" },
    { name: "with a limit of a file hit: to a limit", result: reasons("document-match-limit"), standing: "limited" },
    { name: "with a limit of a repository hit: to a limit", result: reasons("repository-limit"), standing: "limited" },
    { name: "with matches held back: to a limit", result: reasons("display", "excluded-archive"), standing: "limited" },
    {
      name: "out of time: nobody knows",
      result: reasons("shard-match-limit", "shard-timeout"),
      standing: "incomplete",
    },
    { name: "for an unknown reason: nobody knows", result: reasons("something new"), standing: "incomplete" },
    { name: "for no reason: nobody knows", result: reasons(undefined), standing: "incomplete" },
    { name: "with an alert: nobody knows", result: { before: wireEvent("alert", {}) }, standing: "incomplete" },
    {
      name: "with an alert that warns: nobody knows",
      result: { before: wireEvent("alert", { level: "warning" }) },
      standing: "incomplete",
    },
    {
      name: "with an alert that informs: to its end",
      result: { before: wireEvent("alert", { title: "a note", level: "info" }) },
      standing: "complete",
    },
    { name: "with an error: nobody knows", result: { before: wireEvent("error", {}) }, standing: "incomplete" },
    {
      name: "with events of other names: to its end",
      result: { before: wireEvent("notice", {}) },
      standing: "complete",
    },
  ])("$name", ({ result, standing }) => {
    expect(usable(search({}, { matches: files(1), ...result }))?.completeness).toBe(standing);
  });
});
