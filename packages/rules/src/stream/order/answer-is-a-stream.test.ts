import { expect, test } from "vitest";
import { answerIsAStream } from "./index.ts";
import { judgedBy } from "../../testing/judge-streams.ts";
import type { ExchangeSketch } from "../../testing/judge-streams.ts";
import { doneEvent, wireEvent } from "../../testing/stream-report.ts";

const found: ExchangeSketch = {
  query: { q: "words" },
  body: wireEvent("matches", [{ type: "path" }]) + wireEvent("progress", { done: true }) + doneEvent,
};
const broken = { q: "patternType:regexp (" };

const redirect = (location: string): ExchangeSketch => ({ status: 302, headers: [["location", location]] });

const judged = (...sketches: readonly ExchangeSketch[]): { readonly seen: number; readonly broken: number } => {
  const inTurn = sketches.map((sketch, index) => ({ ...sketch, id: `000${index}`, sentAtMicros: 10 * index }));
  const outcome = judgedBy([answerIsAStream], inTurn).outcomes.get(answerIsAStream.id);
  return { seen: outcome?.observations ?? 0, broken: outcome?.findings.length ?? 0 };
};

test.each<{ name: string; answer: ExchangeSketch; broken: number }>([
  { name: "a stream without matches", answer: { query: { q: "none" }, body: doneEvent }, broken: 0 },
  { name: "404 for a search that finds nothing", answer: { query: { q: "none" }, status: 404 }, broken: 1 },
  { name: "500 for a query that cannot be understood", answer: { query: broken, status: 500 }, broken: 1 },
  {
    name: "a redirect for a search that finds nothing",
    answer: { query: { q: "none" }, ...redirect("/search") },
    broken: 1,
  },
  { name: "a redirect without an address", answer: { query: { q: "none" }, status: 302 }, broken: 1 },
  { name: "400 for it", answer: { query: broken, status: 400 }, broken: 1 },
])("a search is answered with $name", ({ answer, broken: count }) => {
  expect(judged(found, answer, found)).toEqual({ seen: 3, broken: count });
});

test.each<{ name: string; answer: ExchangeSketch }>([
  { name: "a request without a query", answer: { query: {}, status: 400 } },
  { name: "an empty query", answer: { query: { q: " " }, status: 400 } },
  { name: "a parameter, which another rule judges", answer: { query: { q: "words", cm: "true" }, status: 400 } },
  { name: "a number, which another rule judges", answer: { query: { q: "words count:all" }, status: 422 } },
  { name: "a token that was never issued", answer: { query: broken, status: 404, credential: "invalid-token" } },
  { name: "a refused token", answer: { query: broken, status: 401 } },
  { name: "a busy target", answer: { query: broken, status: 429 } },
  {
    name: "a redirect to another node",
    answer: { query: { q: "none" }, ...redirect("//node-2/.api/search/stream?q=none") },
  },
  { name: "a proxy without a target", answer: { query: broken, status: 502 } },
  { name: "a connection that broke", answer: { query: broken, status: 500, body: "", cutBy: "reset" } },
])("another answer than a stream is unspecified for $name", ({ answer }) => {
  expect(judged(found, answer, found)).toEqual({ seen: 2, broken: 0 });
});

test.each([
  { name: "after", sketches: [found, { query: broken, status: 500 }] },
  { name: "before", sketches: [{ query: broken, status: 500 }, found] },
])("a target that serves no search $name it may be out of order", ({ sketches }) => {
  expect(judged(...sketches)).toEqual({ seen: 1, broken: 0 });
});

test.each([
  { name: "a server error that does not come again", status: 500, again: { query: { q: "words" } }, broken: 0 },
  { name: "a server error that comes each time", status: 500, again: { status: 500 }, broken: 2 },
  { name: "a redirect that does not come again", status: 302, again: { query: { q: "words" } }, broken: 0 },
  { name: "a redirect that comes each time", status: 302, again: { status: 302 }, broken: 2 },
  { name: "another status that does not come again", status: 404, again: { query: { q: "words" } }, broken: 1 },
])("$name: $broken broken", ({ status, again, broken: count }) => {
  const once = { query: { q: "words" }, status };
  const second = "status" in again ? once : found;
  expect(judged({ ...found, query: { q: "others" } }, once, second, { ...found, query: { q: "others" } }).broken).toBe(
    count,
  );
});

const by = (token: string | undefined, sketch: ExchangeSketch): ExchangeSketch => ({
  ...sketch,
  credential: "unknown",
  requestHeaders: token === undefined ? [] : [["Authorization", `token ${token}`]],
});
const again = (status: number, changes: Partial<ExchangeSketch> = {}): ExchangeSketch => ({
  query: { q: "words" },
  status,
  ...changes,
});

test.each([401, 403, 404, 400, 302])(
  "a recording shows a search refused with %i between two streams of it",
  (status) => {
    expect(judged(by("anna", found), by("anna", again(status)), by("anna", found)).broken).toBe(1);
  },
);

test.each([
  { name: "another client's", sketches: [by("anna", found), by("bert", again(401)), by("anna", found)] },
  {
    name: "of a client the recording does not name",
    sketches: [by(undefined, found), by(undefined, again(401)), by(undefined, found)],
  },
  { name: "before the first stream", sketches: [by("anna", again(401)), by("anna", found)] },
  { name: "after the last stream", sketches: [by("anna", found), by("anna", again(401))] },
  {
    name: "of another search",
    sketches: [by("anna", found), by("anna", again(404, { query: { q: "other" } })), by("anna", found)],
  },
  { name: "of a busy target", sketches: [by("anna", found), by("anna", again(429)), by("anna", found)] },
  {
    name: "that names a time to try again",
    sketches: [by("anna", found), by("anna", again(403, { headers: [["Retry-After", "1"]] })), by("anna", found)],
  },
  {
    name: "of another node, which may answer it",
    sketches: [
      by("anna", found),
      by("anna", again(307, { headers: [["Location", "//b/.api/search/stream?q=words"]] })),
      by("anna", found),
    ],
  },
  {
    name: "of a cache, which has the answer still",
    sketches: [by("anna", found), by("anna", again(304)), by("anna", found)],
  },
])("a recording shows nothing by a refusal $name", ({ sketches }) => {
  expect(judged(...sketches).broken).toBe(0);
});

test("a target that redirects every search is another address", () => {
  const everySearch = redirect("/sign-in");
  expect(judged({ query: { q: "words" }, ...everySearch }, { query: { q: "none" }, ...everySearch }).broken).toBe(0);
});
