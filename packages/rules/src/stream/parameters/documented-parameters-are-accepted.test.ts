import { expect, test } from "vitest";
import { documentedParametersAreAccepted } from "../parameters.ts";
import { judgedBy } from "../../testing/judge-streams.ts";
import type { ExchangeSketch } from "../../testing/judge-streams.ts";
import { doneEvent, wireEvent } from "../../testing/said-of-stream.ts";

const body = wireEvent("progress", { done: true }) + doneEvent;
const refused: ExchangeSketch = { query: { q: "words", cm: "true" }, status: 400 };
const isBroken = "a search that works without `cm=true` fails with it: the answer was 400";

test.each<{ name: string; works: Readonly<Record<string, string>>; says: readonly string[] }>([
  { name: "works without them", works: { q: "words" }, says: [isBroken] },
  { name: "works with others, and was not sent without any", works: { q: "words", v: "V3" }, says: [] },
  { name: "works for another query", works: { q: "other" }, says: [] },
])("a search whose parameters are refused and which $name says $says", ({ works, says }) => {
  const { outcomes } = judgedBy([documentedParametersAreAccepted], [{ query: works, body }, refused]);
  expect(outcomes.get(documentedParametersAreAccepted.id)?.findings.map(({ message }) => message)).toEqual(says);
});

test("a search without the query that is required may be refused, also where an empty one works", () => {
  const works: ExchangeSketch = { query: { q: "" }, body };
  const { outcomes } = judgedBy([documentedParametersAreAccepted], [works, { query: { cm: "true" }, status: 400 }]);
  expect(outcomes.get(documentedParametersAreAccepted.id)).toMatchObject({ observations: 0, findings: [] });
});
