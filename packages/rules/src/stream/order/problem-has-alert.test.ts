import type { CredentialKind } from "@assay/evidence";
import { expect, test } from "vitest";
import { doneEvent, streamReport, summarizeReport, wireEvent } from "../../testing/stream-report.ts";

const id = "stream/problem-has-alert";
const alert = wireEvent("alert", { title: "no" });
const error = wireEvent("error", { message: "no" });
const query = { q: "test" };
const holds = "holds, 1 observed";
const isBroken = "broken 1 times, 1 observed";

test.each([
  { name: "`done` alone", body: doneEvent, is: isBroken },
  { name: "an error without an alert", body: error + doneEvent, is: isBroken },
  { name: "an alert", body: alert + doneEvent, is: holds },
  { name: "an alert and an error", body: alert + error + doneEvent, is: holds },
  { name: "an alert that is not JSON", body: `event: alert\ndata: {no\n\n${doneEvent}`, is: holds },
  { name: "matches", body: wireEvent("matches", []) + doneEvent, is: "not observed" },
  { name: "filters", body: wireEvent("filters", []) + doneEvent, is: "not observed" },
  { name: "a progress", body: wireEvent("progress", {}) + doneEvent, is: "not observed" },
  { name: "a progress and an alert", body: wireEvent("progress", {}) + alert + doneEvent, is: "not observed" },
  { name: "no `done`", body: error, is: "not observed" },
  { name: "nothing", body: "", is: "not observed" },
  { name: "two times `done`", body: doneEvent + doneEvent, is: isBroken },
  { name: "an event that lost its name", body: `data: {}\n\n${doneEvent}`, is: "not observed" },
  { name: "an alert beside an event that lost its name", body: `data: {}\n\n${alert}${doneEvent}`, is: holds },
  { name: "a comment", body: `: ping\n\n${doneEvent}`, is: isBroken },
])("of a search answered with $name it says: $is", ({ body, is }) => {
  expect(summarizeReport(id, { body, query })).toBe(is);
});

test.each<{ name: string; query: Readonly<Record<string, string>>; silent: string; error: string }>([
  { name: "that is not known", query: {}, silent: isBroken, error: "not observed" },
  { name: "with a query alone", query: { q: "a" }, silent: isBroken, error: isBroken },
  {
    name: "with every documented parameter",
    query: { q: "a", v: "V3", t: "regexp", cm: "true", cl: "2", display: "-1", "max-line-len": "-1" },
    silent: isBroken,
    error: isBroken,
  },
  { name: "without a query", query: { v: "V3" }, silent: "not observed", error: "not observed" },
  { name: "with an empty query", query: { q: "" }, silent: "not observed", error: "not observed" },
  { name: "with a blank query", query: { q: " " }, silent: "not observed", error: "not observed" },
  { name: "with another parameter", query: { q: "a", sm: "1" }, silent: "not observed", error: "not observed" },
  { name: "with another value", query: { q: "a", v: "V9" }, silent: "not observed", error: "not observed" },
  { name: "with a limit below -1", query: { q: "a", display: "-2" }, silent: "not observed", error: "not observed" },
])("a search $name", ({ query: asked, silent, error: whenError }) => {
  expect(summarizeReport(id, { body: doneEvent, query: asked })).toBe(silent);
  expect(summarizeReport(id, { body: error + doneEvent, query: asked })).toBe(whenError);
  expect(summarizeReport(id, { body: alert + doneEvent, query: asked })).toBe(holds);
});

test.each([
  { name: "a progress and an error", body: wireEvent("progress", {}) + error + doneEvent, is: isBroken },
  { name: "an error and a progress", body: error + wireEvent("progress", {}) + doneEvent, is: isBroken },
  { name: "a progress, an alert and an error", body: wireEvent("progress", {}) + alert + error + doneEvent, is: holds },
  { name: "a progress", body: wireEvent("progress", {}) + doneEvent, is: "not observed" },
])("of a query that cannot be understood, answered with $name, it says: $is", ({ body, is }) => {
  expect(summarizeReport(id, { body, query: { q: "patternType:regexp (" } })).toBe(is);
});

test.each<{ credential: CredentialKind; silent: string; error: string }>([
  { credential: "access-token", silent: isBroken, error: isBroken },
  { credential: "oauth-token", silent: isBroken, error: isBroken },
  { credential: "unknown", silent: isBroken, error: "not observed" },
  { credential: "none", silent: "not observed", error: "not observed" },
  { credential: "invalid-token", silent: "not observed", error: "not observed" },
  { credential: "unscoped-token", silent: "not observed", error: "not observed" },
])("a search that came with the credential $credential", ({ credential, silent, error: whenError }) => {
  expect(summarizeReport(id, { body: doneEvent, query, credential })).toBe(silent);
  expect(summarizeReport(id, { body: error + doneEvent, query, credential })).toBe(whenError);
});

test("a stream that the connection cut before `done` is not asked", () => {
  expect(summarizeReport(id, { body: error, query, cutBy: "reset" })).toBe("not observed");
});

test("the place is that of `done`", () => {
  const { violations } = streamReport(id, { body: error + doneEvent, query });
  expect(violations).toMatchObject([
    { event: 1, message: "the stream ends without a search, and no `alert` gives the reason" },
  ]);
});

const nothingFound = wireEvent("progress", { done: true, matchCount: 0, skipped: [] });

test.each([
  { name: "nothing", body: nothingFound, is: "not observed" },
  { name: "nothing, and an alert", body: nothingFound + alert, is: holds },
  { name: "no search, and an alert", body: alert, is: holds },
  { name: "no search", body: "", is: isBroken },
])("a broken regular expression that is answered with $name: $is", ({ body, is }) => {
  expect(summarizeReport(id, { body: body + doneEvent, query: { q: "patternType:regexp (" } })).toBe(is);
});
