import { expect, test } from "vitest";
import type { ExchangeSketch } from "../../testing/judge-streams.ts";
import { files, found, said } from "../../testing/searches.ts";
import { doneEvent, wireEvent } from "../../testing/said-of-stream.ts";

const query = { v: "V3" };
const alert = wireEvent("alert", { title: "q is missing" });

test.each<{ name: string; exchange: ExchangeSketch; is: string }>([
  { name: "is a bad request", exchange: { query, status: 400 }, is: "holds" },
  { name: "is answered with an alert alone", exchange: { query, body: alert + doneEvent }, is: "holds" },
  { name: "ends with an alert", exchange: { query, body: found({ before: alert }) }, is: "holds" },
  { name: "finds nothing", exchange: { query, body: found({}) }, is: "broken" },
  { name: "finds something", exchange: { query, body: found({ matches: files(2) }) }, is: "broken" },
  { name: "has an empty query", exchange: { query: { q: "" }, body: found({}) }, is: "not observed" },
  { name: "does not tell what it asked", exchange: { query: {}, body: found({}) }, is: "not observed" },
  { name: "was recorded elsewhere", exchange: { query, credential: "unknown", body: found({}) }, is: "not observed" },
  { name: "was turned away by a busy target", exchange: { query, status: 503 }, is: "not observed" },
])("when a search without `q` $name it is: $is", ({ exchange, is }) => {
  expect(said("stream/q-is-required", [exchange])).toBe(is);
});
