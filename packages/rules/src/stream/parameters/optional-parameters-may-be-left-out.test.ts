import { describe, expect, test } from "vitest";
import type { ExchangeSketch } from "../../testing/judge-streams.ts";
import { reportOf, files, rowsOf, describeReport, search } from "../../testing/searches.ts";
import { wireEvent } from "../../testing/stream-report.ts";

const id = "stream/optional-parameters-may-be-left-out";
const works = (query: Readonly<Record<string, string>>): ExchangeSketch => search(query, { matches: files(1) });
const refused = (query: Readonly<Record<string, string>> = {}): ExchangeSketch => ({
  query: { q: "words", ...query },
  status: 400,
});
const byUnknown = (sketch: ExchangeSketch): ExchangeSketch => ({ ...sketch, credential: "unknown" });
const before = wireEvent("alert", { title: "v is missing", level: "error" });

describe("stream/optional-parameters-may-be-left-out", () => {
  test.each(
    rowsOf({
      holds: {
        "both work": [works({}), works({ v: "V3" })],
      },
      broken: {
        "the search without it is a bad request": [refused(), works({ v: "V3" })],
        "it ends in an error": [search({}, { before }), works({ v: "V3" })],
        "the one with fewer of several is a bad request": [refused({ cm: "true" }), works({ cl: "3", cm: "true" })],
        "they differ in two parameters": [refused(), works({ v: "V3", cm: "true" })],
        "nobody knows who asked, and it is a bad request": [refused(), works({ v: "V3" })].map(byUnknown),
      },
      "not observed": {
        "both fail": [refused(), refused({ v: "V3" })],
        "they differ in two parameters, one of which bounds what comes": [refused(), works({ v: "V3", display: "2" })],
        "the other one has another value": [refused({ cl: "1" }), works({ v: "V3", cl: "2" })],
        "it was busy": [{ ...refused(), status: 429 }, works({ v: "V3" })],
        "the parameter bounds what comes": [refused(), works({ display: "2" })],
        "the query is read in another way": [refused(), works({ t: "regexp" })],
        "the parameter is none that is known": [refused(), works({ x: "1" })],
        "nobody knows who asked, and it was turned away": [{ ...refused(), status: 401 }, works({ v: "V3" })].map(
          byUnknown,
        ),
        "nobody knows who asked, and it ends in an error": [search({}, { before }), works({ v: "V3" })].map(byUnknown),
        "somebody else asked": [{ ...refused(), credential: "none" }, works({ v: "V3" })],
      },
    }),
  )("when $name it is: $is", ({ searches, is }) => {
    expect(describeReport(id, searches)).toBe(is);
    expect(describeReport(id, searches.toReversed())).toBe(is);
  });

  test.each([
    { query: { v: "V3" }, says: "`v` is required here: a search that works with it fails without it" },
    {
      query: { v: "V3", cl: "1" },
      says: "one of `v`, `cl` is required here: a search that works with them fails without them",
    },
  ])("says what is required: $says", ({ query, says }) => {
    expect(reportOf(id, [refused(), works(query)]).violations).toMatchObject([
      { exchange: "1", message: `${says}: the response was 400` },
    ]);
  });
});
