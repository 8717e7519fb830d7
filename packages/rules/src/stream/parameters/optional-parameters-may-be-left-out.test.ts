import { describe, expect, test } from "vitest";
import type { ExchangeSketch } from "../../testing/judge-streams.ts";
import { comparing, files, said, search } from "../../testing/searches.ts";
import { wireEvent } from "../../testing/said-of-stream.ts";

const id = "stream/optional-parameters-may-be-left-out";
const works = (query: Readonly<Record<string, string>>): ExchangeSketch => search(query, { matches: files(1) });
const refused = (query: Readonly<Record<string, string>> = {}): ExchangeSketch => ({
  query: { q: "words", ...query },
  status: 400,
});
const byUnknown = (sketch: ExchangeSketch): ExchangeSketch => ({ ...sketch, credential: "unknown" });
const before = wireEvent("alert", { title: "v is missing", level: "error" });

describe("stream/optional-parameters-may-be-left-out", () => {
  test.each<{ name: string; searches: readonly ExchangeSketch[]; is: string }>([
    { name: "both work", searches: [works({}), works({ v: "V3" })], is: "holds" },
    { name: "the search without it is a bad request", searches: [refused(), works({ v: "V3" })], is: "broken" },
    { name: "it ends in an error", searches: [search({}, { before }), works({ v: "V3" })], is: "broken" },
    { name: "both fail", searches: [refused(), refused({ v: "V3" })], is: "not observed" },
    {
      name: "they differ in two parameters",
      searches: [refused(), works({ v: "V3", cm: "true" })],
      is: "not observed",
    },
    {
      name: "the one with fewer of several is a bad request",
      searches: [refused({ cm: "true" }), works({ cl: "3", cm: "true" })],
      is: "broken",
    },
    { name: "it was busy", searches: [{ ...refused(), status: 429 }, works({ v: "V3" })], is: "not observed" },
    { name: "the parameter bounds what comes", searches: [refused(), works({ display: "2" })], is: "not observed" },
    { name: "the query is read in another way", searches: [refused(), works({ t: "regexp" })], is: "not observed" },
    { name: "the parameter is none that is known", searches: [refused(), works({ x: "1" })], is: "not observed" },
    {
      name: "nobody knows who asked, and it was turned away",
      searches: [{ ...refused(), status: 401 }, works({ v: "V3" })].map(byUnknown),
      is: "not observed",
    },
    {
      name: "nobody knows who asked, and it ends in an error",
      searches: [search({}, { before }), works({ v: "V3" })].map(byUnknown),
      is: "not observed",
    },
    {
      name: "nobody knows who asked, and it is a bad request",
      searches: [refused(), works({ v: "V3" })].map(byUnknown),
      is: "broken",
    },
    {
      name: "somebody else asked",
      searches: [{ ...refused(), credential: "none" }, works({ v: "V3" })],
      is: "not observed",
    },
  ])("when $name it is: $is", ({ searches, is }) => {
    expect(said(id, searches)).toBe(is);
    expect(said(id, searches.toReversed())).toBe(is);
  });

  test("says what is required", () => {
    expect(comparing(id, [refused(), works({ v: "V3" })]).violations).toMatchObject([
      {
        exchange: "1",
        message: "`v` is required here: a search that works with it fails without it: the answer was 400",
      },
    ]);
  });
});
