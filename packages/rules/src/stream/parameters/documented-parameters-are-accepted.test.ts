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

test.each([
  { status: 400, says: [isBroken] },
  { status: 401, says: [] },
  { status: 302, says: [] },
])("of searches of which nobody knows who sent them, one with status $status says $says", ({ status, says }) => {
  const sketches = [
    { query: { q: "words" }, body },
    { ...refused, status },
  ];
  const sent = sketches.map((sketch) => ({ ...sketch, credential: "unknown" as const }));
  const { outcomes } = judgedBy([documentedParametersAreAccepted], sent);
  expect((outcomes.get(documentedParametersAreAccepted.id)?.findings ?? []).map(({ message }) => message)).toEqual(
    says,
  );
});

const plainMatch = wireEvent("matches", [{ type: "path" }]);
const alert = (level: string): string => wireEvent("alert", { title: "no", level });

test.each<{ name: string; q?: string; parameters?: Readonly<Record<string, string>>; answer: string; says: number }>([
  { name: "finds nothing and tells of an error", answer: alert("error") + body, says: 1 },
  { name: "finds nothing and tells of a warning", answer: alert("warning") + body, says: 0 },
  { name: "finds nothing and tells of nothing", answer: body, says: 0 },
  { name: "finds something and tells of an error", answer: alert("error") + plainMatch + body, says: 0 },
  { name: "reads a word as a pattern", parameters: { t: "regexp" }, answer: alert("error") + body, says: 1 },
  { name: "reads what is no pattern", q: "f(", parameters: { t: "regexp" }, answer: alert("error") + body, says: 0 },
  { name: "reads it as by default", q: "f(", parameters: { t: "standard" }, answer: alert("error") + body, says: 1 },
])("a search with a parameter that $name breaks it $says times", ({ q = "words", parameters, answer, says }) => {
  const plain: ExchangeSketch = { query: { q }, body: plainMatch + body };
  const asked: ExchangeSketch = { query: { q, ...(parameters ?? { cm: "true" }) }, body: answer };
  const { outcomes } = judgedBy([documentedParametersAreAccepted], [plain, asked]);
  expect(outcomes.get(documentedParametersAreAccepted.id)?.findings ?? []).toHaveLength(says);
});

test("says that an error came", () => {
  const plain: ExchangeSketch = { query: { q: "words" }, body: plainMatch + body };
  const asked: ExchangeSketch = { query: { q: "words", cm: "true" }, body: alert("error") + body };
  const { outcomes } = judgedBy([documentedParametersAreAccepted], [plain, asked]);
  const message =
    "a search that works without `cm=true` fails with it: an alert of the level `error` came, and no match";
  expect(outcomes.get(documentedParametersAreAccepted.id)?.findings).toMatchObject([{ message }]);
});

test("a search without the query that is required may be refused, also where an empty one works", () => {
  const works: ExchangeSketch = { query: { q: "" }, body };
  const { outcomes } = judgedBy([documentedParametersAreAccepted], [works, { query: { cm: "true" }, status: 400 }]);
  expect(outcomes.get(documentedParametersAreAccepted.id)).toMatchObject({ observations: 0, findings: [] });
});
