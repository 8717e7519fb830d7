import { expect, test } from "vitest";
import { documentedParametersAreAccepted } from "./index.ts";
import { judgedBy } from "../../testing/judge-streams.ts";
import type { ExchangeSketch } from "../../testing/judge-streams.ts";
import { doneEvent, wireEvent } from "../../testing/stream-report.ts";

const body = wireEvent("progress", { done: true }) + doneEvent;
const refused: ExchangeSketch = { query: { q: "words", cm: "true" }, status: 400 };
const isBroken = "a search that works without `cm=true` fails with it: the response was 400";

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
  { name: "finds nothing and reports an error", answer: alert("error") + body, says: 1 },
  { name: "finds nothing and reports a warning", answer: alert("warning") + body, says: 0 },
  { name: "finds nothing and reports nothing", answer: body, says: 0 },
  { name: "finds something and reports an error", answer: alert("error") + plainMatch + body, says: 0 },
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
    "a search that works without `cm=true` fails with it: the response had an alert of the level `error` and no matches";
  expect(outcomes.get(documentedParametersAreAccepted.id)?.findings).toMatchObject([{ message }]);
});

test.each<{ name: string; works: readonly Readonly<Record<string, string>>[]; says: string | undefined }>([
  { name: "some of its parameters", works: [{ v: "V3" }], says: "cm=true&cl=2" },
  { name: "more of them", works: [{}, { v: "V3" }, { v: "V3", cl: "2" }], says: "cm=true" },
  { name: "another value of one", works: [{ v: "V3", cl: "3" }], says: undefined },
  { name: "the same ones, another time", works: [{ v: "V3", cm: "true", cl: "2" }], says: undefined },
])("names what makes a search fail that works with $name: $says", ({ works, says }) => {
  const sent = works.map((query): ExchangeSketch => ({ query: { q: "words", ...query }, body: plainMatch + body }));
  const failing: ExchangeSketch = { query: { q: "words", v: "V3", cm: "true", cl: "2" }, status: 400 };
  const { outcomes } = judgedBy([documentedParametersAreAccepted], [...sent, failing]);
  const messages = outcomes.get(documentedParametersAreAccepted.id)?.findings.map(({ message }) => message);
  const message = `a search that works without \`${says}\` fails with it: the response was 400`;
  expect(messages).toEqual(says === undefined ? [] : [message]);
});

test("a search without the query that is required may be refused, also where an empty one works", () => {
  const works: ExchangeSketch = { query: { q: "" }, body };
  const { outcomes } = judgedBy([documentedParametersAreAccepted], [works, { query: { cm: "true" }, status: 400 }]);
  expect(outcomes.get(documentedParametersAreAccepted.id)).toMatchObject({ observations: 0, findings: [] });
});

const working = (q: string): ExchangeSketch => ({ query: { q }, body: plainMatch + body });

test.each<{ name: string; others: readonly ExchangeSketch[]; q?: string; status?: number; says: number }>([
  { name: "works without it", others: [working("words")], says: 1 },
  { name: "works with a number", others: [working("words count:7")], says: 1 },
  { name: "works for other words", others: [working("other")], says: 0 },
  {
    name: "works with the same number the other time",
    others: [working("words"), working("words count:all")],
    says: 0,
  },
  { name: "fails without it", others: [{ query: { q: "words" }, status: 422 }], says: 0 },
  { name: "works without it, and is asked for a number", others: [working("words")], q: "words count:9", says: 1 },
  { name: "works without it, and is asked for no number", others: [working("words")], q: "words count:many", says: 0 },
  { name: "works without it, and has quotes", others: [working('"a words"')], q: '"a words" count:all', says: 0 },
  { name: "works without it, and is too much at the moment", others: [working("words")], status: 429, says: 0 },
  { name: "works without it, and breaks the server", others: [working("words")], status: 500, says: 0 },
])("of a query whose `count:` is refused and which $name it says $says", (row) => {
  const { others, q = "words count:all", status = 422, says } = row;
  const { outcomes } = judgedBy([documentedParametersAreAccepted], [...others, { query: { q }, status }]);
  expect(outcomes.get(documentedParametersAreAccepted.id)?.findings ?? []).toHaveLength(says);
});

test("says which `count:` is refused, and how", () => {
  const sent = [working("words"), { query: { q: "words count:all" }, status: 422 }];
  const { outcomes } = judgedBy([documentedParametersAreAccepted], sent);
  const message =
    "the search works with a different `count:` or none, but fails with `count:all`: the response was 422";
  expect(outcomes.get(documentedParametersAreAccepted.id)?.findings).toMatchObject([{ message, argument: "count" }]);
});
