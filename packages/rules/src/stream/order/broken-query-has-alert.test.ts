import type { CredentialKind } from "@assay/evidence";
import { expect, test } from "vitest";
import type { ExchangeSketch } from "../../testing/judge-streams.ts";
import { doneEvent, wireEvent } from "../../testing/stream-report.ts";
import { chunksIn, lineMatch, linesIn, rowsOf, describeReport, search } from "../../testing/searches.ts";

const id = "stream/broken-query-has-alert";
const alert = wireEvent("alert", { title: "no" });
const final = (more: object = {}): string => wireEvent("progress", { done: true, matchCount: 0, skipped: [], ...more });
const nothing = wireEvent("matches", []) + final();
const broken = (body: string, more: Partial<ExchangeSketch> = {}): ExchangeSketch => ({
  query: { q: "patternType:regexp (" },
  body: body + doneEvent,
  ...more,
});
const code = search({}, { matches: [linesIn("a", [lineMatch(1, "call(it)")])] });

test.each<{ name: string; body: string; is: string }>([
  { name: "nothing", body: nothing, is: "broken" },
  { name: "nothing, and an alert", body: nothing + alert, is: "holds" },
  { name: "an alert alone", body: alert, is: "holds" },
  { name: "an error", body: wireEvent("error", {}), is: "not observed" },
  { name: "nothing, and an error", body: nothing + wireEvent("error", {}), is: "not observed" },
  { name: "the text", body: wireEvent("matches", [{ type: "repo", repository: "(" }]) + final(), is: "not observed" },
  { name: "a filter", body: wireEvent("filters", [{ value: "lang:go", count: 1 }]) + final(), is: "not observed" },
  { name: "some that it counts", body: final({ matchCount: 1 }), is: "not observed" },
  { name: "what it does not count", body: final({ matchCount: undefined }), is: "not observed" },
  { name: "what it skipped", body: final({ skipped: [{}] }), is: "not observed" },
  { name: "what got lost", body: `data: {}\n\n${nothing}`, is: "not observed" },
  { name: "a search that does not end", body: wireEvent("matches", []), is: "not observed" },
])("a broken regular expression whose text another search shows finds $name: $is", ({ body, is }) => {
  expect(describeReport(id, [code, broken(body)])).toBe(is);
});

test.each(
  rowsOf({
    broken: {
      "in a line": [code],
      "in a chunk": [search({ cm: "true" }, { matches: [chunksIn("a", ["call(it)"])] })],
    },
    "not observed": {
      nowhere: [search({}, { matches: [linesIn("a", [1])] })],
      "to somebody else": [{ ...code, credential: "oauth-token" }],
      "to nobody": [],
    },
  }),
)("a broken regular expression finds nothing, and its text is shown $name: $is", ({ searches, is }) => {
  expect(describeReport(id, [...searches, broken(nothing)])).toBe(is);
});

test.each<{ name: string; sketch: ExchangeSketch }>([
  { name: "is none", sketch: { ...broken(nothing), query: { q: "patternType:regexp ()" } } },
  { name: "is a text", sketch: { ...broken(nothing), query: { q: "(" } } },
  {
    name: "came with another parameter",
    sketch: { ...broken(nothing), query: { q: "patternType:regexp (", sm: "1" } },
  },
  { name: "broke off", sketch: broken(nothing, { cutBy: "reset" }) },
])("a search that $name is not judged", ({ sketch }) => {
  expect(describeReport(id, [code, sketch])).toBe("not observed");
});

test.each<CredentialKind>(["none", "invalid-token", "unscoped-token", "unknown"])(
  "a search with the credential %s is not judged",
  (credential) => {
    expect(describeReport(id, [{ ...code, credential }, broken(nothing, { credential })])).toBe("not observed");
  },
);
