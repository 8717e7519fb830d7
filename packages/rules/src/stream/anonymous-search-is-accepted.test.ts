import { expect, test } from "vitest";
import { anonymousSearchIsAccepted } from "./access.ts";
import { judgedBy } from "../testing/judge-streams.ts";
import type { ExchangeSketch } from "../testing/judge-streams.ts";
import { doneEvent, wireEvent } from "../testing/stream-report.ts";

const query = { q: "words" };
const found: ExchangeSketch = { query, body: wireEvent("matches", [{ type: "path" }]) + doneEvent };
const failed: ExchangeSketch = { query, body: wireEvent("error", { message: "no" }) + doneEvent };

test.each<{ name: string; withToken: ExchangeSketch; anonymous: ExchangeSketch; messages: readonly string[] }>([
  {
    name: "that fails where a token gets it carried out is not accepted",
    withToken: found,
    anonymous: failed,
    messages: ["a search without a token was not accepted: the response had only alerts or errors"],
  },
  { name: "that fails with a token too proves nothing", withToken: failed, anonymous: failed, messages: [] },
  {
    name: "that met a target in distress proves nothing",
    withToken: found,
    anonymous: { query, status: 503 },
    messages: [],
  },
  {
    name: "that was cut short proves nothing",
    withToken: found,
    anonymous: { query, body: "", cutBy: "reset" },
    messages: [],
  },
  {
    name: "that fails where a token gets another one carried out proves nothing",
    withToken: { ...found, query: { q: "other" } },
    anonymous: failed,
    messages: [],
  },
])("a search without a token $name", ({ withToken, anonymous, messages }) => {
  const exchanges = [withToken, { ...anonymous, credential: "none" as const }];
  const outcome = judgedBy([anonymousSearchIsAccepted], exchanges, "public").outcomes.get(anonymousSearchIsAccepted.id);
  expect(outcome?.observations).toBe(messages.length);
  expect(outcome?.findings.map(({ message }) => message)).toEqual(messages);
});
