import { describe, expect, test } from "vitest";
import type { RuleId } from "@assay/contract";
import { allRules, createEvidenceJudge } from "../index.ts";
import type { Rule, StreamFacts } from "../index.ts";
import { exchangeRecord, judgedBy } from "../testing/judge-streams.ts";
import { doneEvent, streamReport, wireEvent } from "../testing/stream-report.ts";
import { defineStreamRule } from "./rule.ts";

interface Piece {
  readonly text: string;
  readonly atMicros: number;
}

/** The facts of a stream that arrives in these pieces. */
function factsOf(pieces: readonly Piece[], isEnded = true): StreamFacts {
  const stream = createEvidenceJudge([], { access: "undeclared" }).openStream(exchangeRecord({}));
  for (const { text, atMicros } of pieces) {
    stream.push(Buffer.from(text), atMicros);
  }
  return stream.finish(isEnded ? { isComplete: true } : { isComplete: false, missing: "the rest" });
}

const whole = (text: string): StreamFacts => factsOf([{ text, atMicros: 5 }]);

const noEvents = { alert: 0, done: 0, error: 0, filters: 0, matches: 0, other: 0, progress: 0 };

describe("the facts of a stream", () => {
  test("of an empty stream are empty", () => {
    expect(factsOf([])).toStrictEqual({
      bytes: 0,
      events: 0,
      matches: 0,
      isFinished: false,
      hasOnlyProblems: false,
      hasErrorAlert: false,
      isComplete: true,
      eventCounts: noEvents,
    });
  });

  test("are its size, its events by name, and times of arrival", () => {
    const pieces = [
      { text: wireEvent("progress", { done: false, durationMs: 1 }), atMicros: 10 },
      { text: wireEvent("matches", []), atMicros: 20 },
      { text: wireEvent("matches", [1, 2]), atMicros: 30 },
      { text: wireEvent("progress", { done: false, durationMs: 4 }), atMicros: 40 },
      { text: wireEvent("matches", [3]), atMicros: 50 },
      { text: wireEvent("progress", { done: true, durationMs: 6 }), atMicros: 60 },
      { text: wireEvent("progress", { done: true, durationMs: 7 }), atMicros: 70 },
      { text: wireEvent("filters", [1]), atMicros: 80 },
      { text: wireEvent("alert", {}), atMicros: 80 },
      { text: wireEvent("error", {}), atMicros: 80 },
      { text: wireEvent("ping", {}), atMicros: 80 },
      { text: wireEvent("pong", {}), atMicros: 80 },
      { text: doneEvent, atMicros: 90 },
    ];
    expect(factsOf(pieces, false)).toStrictEqual({
      bytes: pieces.map(({ text }) => text).join("").length,
      events: 13,
      matches: 3,
      firstByteAtMicros: 10,
      firstMatchAtMicros: 30,
      beforeFirstMatchAtMicros: 20,
      progressWithMatches: { durationMs: 4, atMicros: 40 },
      finalProgress: { durationMs: 6, atMicros: 60 },
      longestProgress: { durationMs: 6, atMicros: 60 },
      doneAtMicros: 90,
      isFinished: true,
      hasOnlyProblems: false,
      hasErrorAlert: false,
      isComplete: false,
      eventCounts: { alert: 1, done: 1, error: 1, filters: 1, matches: 3, other: 2, progress: 4 },
    });
  });

  test.each<{ name: string; text: string }>([
    { name: "matches that are not an array", text: wireEvent("matches", { length: 1 }) },
    { name: "an array of another event", text: wireEvent("filters", [1]) },
    { name: "an empty array", text: wireEvent("matches", []) },
  ])("hold no matches of $name", ({ text }) => {
    const { matches, firstMatchAtMicros } = whole(text);
    expect({ matches, firstMatchAtMicros }).toEqual({ matches: 0, firstMatchAtMicros: undefined });
  });

  test.each<{ name: string; progress: string; isFinished: boolean; durationMs: number | undefined }>([
    { name: "has a duration", progress: '{"done":true,"durationMs":3}', isFinished: true, durationMs: 3 },
    { name: "has no duration", progress: '{"done":true}', isFinished: true, durationMs: undefined },
    {
      name: "has a text as duration",
      progress: '{"done":true,"durationMs":"3"}',
      isFinished: true,
      durationMs: undefined,
    },
    {
      name: "has a duration that is too large",
      progress: '{"done":true,"durationMs":1e999}',
      isFinished: true,
      durationMs: undefined,
    },
    { name: "is not final", progress: '{"done":false,"durationMs":3}', isFinished: false, durationMs: undefined },
    {
      name: "is final as a text",
      progress: '{"done":"true","durationMs":3}',
      isFinished: false,
      durationMs: undefined,
    },
  ])("hold the final progress where one $name", ({ progress, isFinished, durationMs }) => {
    const facts = whole(`event: progress\ndata: ${progress}\n\n`);
    expect([facts.isFinished, facts.finalProgress?.durationMs, facts.progressWithMatches]).toEqual([
      isFinished,
      durationMs,
      undefined,
    ]);
  });

  test("ignore members of a progress in other events", () => {
    const { isFinished, finalProgress } = whole(wireEvent("alert", { done: true, durationMs: 3 }));
    expect([isFinished, finalProgress]).toEqual([false, undefined]);
  });

  test.each([
    { names: ["alert"], hasOnlyProblems: true },
    { names: ["error"], hasOnlyProblems: true },
    { names: ["alert", "error", "ping", "done"], hasOnlyProblems: true },
    { names: ["done"], hasOnlyProblems: false },
    { names: ["alert", "matches"], hasOnlyProblems: false },
    { names: ["alert", "matches", "filters"], hasOnlyProblems: false },
    { names: ["alert", "matches", "progress"], hasOnlyProblems: false },
    { names: ["alert", "filters"], hasOnlyProblems: false },
    { names: ["error", "progress"], hasOnlyProblems: false },
  ])("say of $names whether only problems came: $hasOnlyProblems", ({ names, hasOnlyProblems }) => {
    expect(whole(names.map((name) => wireEvent(name, [])).join("")).hasOnlyProblems).toBe(hasOnlyProblems);
  });
});

/** Writes down which events it is shown. */
function witness(names: readonly ("matches" | "progress")[]): {
  readonly rule: Rule;
  readonly shown: string[];
} {
  const shown: string[] = [];
  const note =
    (by: string) =>
    (_: undefined, { name }: { readonly name: string }): void => {
      shown.push(`${by}: ${name}`);
    };
  const on = Object.fromEntries(names.map((name) => [name, note(name)]));
  return { rule: defineStreamRule({ id: "stream/match-type-is-listed", start: () => undefined, on }), shown };
}

describe("a rule about streams", () => {
  test("receives the events it asks for", () => {
    const { rule, shown } = witness(["matches", "progress"]);
    const stream = createEvidenceJudge([rule], { access: "undeclared" }).openStream(exchangeRecord({}));
    const names = ["progress", "matches", "ping", "alert"];
    stream.push(Buffer.from(names.map((name) => wireEvent(name, [])).join("")), 0);
    expect(shown).toEqual(["progress: progress", "matches: matches"]);
  });

  test("receives nothing of other streams", () => {
    const shown: string[] = [];
    const rule = defineStreamRule({
      id: "stream/match-type-is-listed",
      appliesTo: () => false,
      start: () => shown.push("started"),
      on: { done: () => shown.push("shown") },
    });
    const stream = createEvidenceJudge([rule], { access: "undeclared" }).openStream(exchangeRecord({}));
    stream.push(Buffer.from(doneEvent), 0);
    expect(shown).toEqual([]);
  });
});

describe("a judged exchange", () => {
  const record = exchangeRecord({ query: { q: "words" } });
  const judged = (rules: readonly Rule[]) => {
    const judge = createEvidenceJudge(rules, { access: "public" }, { records: [record] });
    const stream = judge.openStream(record);
    // Without a departure from the form, so that what none of them set is seen too.
    stream.push(Buffer.from(wireEvent("matches", [{ type: "path", path: "a", repository: "r" }]) + doneEvent), 0);
    const facts = stream.finish({ isComplete: true });
    judge.addWithoutStream(record);
    return { facts, ...judge.finish() };
  };

  test("has its record, and the facts of its stream if there is one", () => {
    const { facts, exchanges } = judged([]);
    expect(exchanges).toStrictEqual([{ record, stream: facts }, { record }]);
  });

  test("has results if a rule compares it", () => {
    const compares: Rule = {
      needs: "exchanges",
      id: "stream/omitted-v-is-v3",
      comparedExchangeIds: () => new Set([record.id]),
      check() {},
    };
    const [, results] = judged([compares])
      .exchanges.map((exchange) => exchange.results)
      .toReversed();
    expect(results).toMatchObject({ isPartial: false, highlights: 1 });
  });

  test("names why a rule does not apply", () => {
    const { outcomes } = judged(allRules);
    const nothing = { observations: 0, findings: [], droppedViolations: 0 };
    expect(outcomes.get("stream/anonymous-search-is-accepted")).toStrictEqual(nothing);
    expect(outcomes.get("stream/missing-token-is-refused")).toStrictEqual({
      ...nothing,
      notApplicable: "the target is public",
    });
  });
});

describe("a line above the size limit", () => {
  const limited = () => {
    const judge = createEvidenceJudge(allRules, { access: "undeclared" });
    const stream = judge.openStream(exchangeRecord({}));
    stream.push(Buffer.from(wireEvent("matches", [])), 0);
    const piece = Buffer.alloc(8 * 1024 * 1024, "x");
    for (let pieces = 0; pieces < 9; pieces += 1) {
      stream.push(piece, 0);
    }
    const facts = stream.finish({ isComplete: true });
    return { facts, outcomes: judge.finish().outcomes };
  };

  test("blocks every rule about streams, and the end of the stream is not judged", () => {
    const { facts, outcomes } = limited();
    const missing = expect.stringMatching(/^a line longer than the checker's limit \(\d+ bytes\) at offset \d+$/u);
    expect(facts).toMatchObject({ limit: missing, events: 1, isComplete: true });
    expect(outcomes.get("stream/done-is-last")).toStrictEqual({
      observations: 0,
      findings: [],
      droppedViolations: 0,
      blockedBy: { kind: "limit", missing },
    });
    expect(outcomes.get("stream/final-progress-before-done")?.blockedBy?.kind).toBe("limit");
    expect(outcomes.get("stream/matches-is-an-array")).toMatchObject({ observations: 1, blockedBy: { kind: "limit" } });
    expect(outcomes.get("stream/access-token-is-accepted")?.blockedBy).toMatchObject({ kind: "limit" });
  });
});

test("a message quotes the unexpected text", () => {
  const said = streamReport("stream/two-fields", { body: `event: ping\ndata: {}\n\n${doneEvent}` });
  const message = "an event name that the specification does not list: `ping`";
  expect(said.notes).toMatchObject([{ code: "unlisted-event-name", message }]);
});

test.each<{ name: string; rules: readonly RuleId[]; choices: readonly string[]; notes: readonly string[] }>([
  { name: "the rule about it", rules: ["stream/two-fields"], choices: [], notes: ["unlisted-event-name"] },
  { name: "another rule", rules: ["stream/data-is-json"], choices: ["unlisted-event-name"], notes: [] },
  { name: "no rule", rules: [], choices: ["unlisted-event-name"], notes: [] },
])("what the format leaves open is kept where $name is selected", ({ rules, choices, notes }) => {
  const { outcomes, formatChoices } = judgedBy(
    allRules.filter(({ id }) => rules.includes(id)),
    [{ body: `event: ping\ndata: {}\n\n${doneEvent}` }],
  );
  expect(formatChoices.map(({ code }) => code)).toEqual(choices);
  expect([...outcomes.values()].flatMap(({ findings }) => findings.map(({ code }) => code))).toEqual(notes);
});

describe("observations of the format", () => {
  test.each<{ name: string; text: string; counts: readonly (number | undefined)[] }>([
    { name: "a whole stream", text: wireEvent("matches", []) + doneEvent, counts: [2, 1, 1, 1] },
    { name: "a stream that goes on after its end", text: doneEvent + doneEvent, counts: [1, 1, 1, 1] },
    { name: "an empty stream", text: "", counts: [0, 0, 1, 0] },
  ])("by the observations of $name", ({ text, counts }) => {
    const judge = createEvidenceJudge(allRules, { access: "undeclared" });
    const stream = judge.openStream(exchangeRecord({}));
    stream.push(Buffer.from(text), 0);
    stream.finish({ isComplete: true });
    const { outcomes } = judge.finish();
    const ids = [
      "stream/two-fields",
      "stream/no-byte-order-mark",
      "stream/done-is-last",
      "stream/done-is-an-empty-object",
    ] as const;
    expect(ids.map((id) => outcomes.get(id)?.observations)).toEqual(counts);
  });
});
