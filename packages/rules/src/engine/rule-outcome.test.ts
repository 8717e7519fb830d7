import { describe, expect, test } from "vitest";
import type { BlockedBy } from "./reporter.ts";
import { createOutcomeBuilder, maxKeptFindings, mergeOutcomes } from "./rule-outcome.ts";

describe("the outcome of a rule", () => {
  test("is empty at first", () => {
    expect(createOutcomeBuilder().build()).toStrictEqual({ observations: 0, findings: [], droppedViolations: 0 });
  });

  test("has the reports of all exchanges, violations first", () => {
    const builder = createOutcomeBuilder();
    const [one, two] = [builder.reporterFor("1"), builder.reporterFor("2")];
    one.observation();
    one.note({ message: "a note", code: "c" });
    two.observation(3);
    two.observation(0);
    two.violation({ message: "a departure", event: 4, offset: 5, length: 6 });
    expect(builder.build()).toStrictEqual({
      observations: 4,
      findings: [
        { kind: "violation", exchange: "2", message: "a departure", event: 4, offset: 5, length: 6 },
        { kind: "note", exchange: "1", message: "a note", code: "c" },
      ],
      droppedViolations: 0,
    });
  });

  test("keeps twenty violations and twenty notes, and counts the violations that are left out", () => {
    const builder = createOutcomeBuilder();
    const report = builder.reporterFor("1");
    for (let index = 0; index < 25; index += 1) {
      report.violation({ message: `violation ${index}` });
      report.note({ message: `observation ${index}` });
    }
    builder.reporterFor("2").violation({ message: "in another exchange" });
    const { findings, droppedViolations, violatingExchanges } = builder.build();
    const kept = (kind: string) => findings.filter((finding) => finding.kind === kind).map(({ message }) => message);
    expect(maxKeptFindings).toBe(20);
    expect(kept("violation")).toEqual(Array.from({ length: 20 }, (_, index) => `violation ${index}`));
    expect(kept("note")).toEqual(Array.from({ length: 20 }, (_, index) => `observation ${index}`));
    expect([droppedViolations, violatingExchanges]).toEqual([6, 2]);
  });

  const prerequisite: BlockedBy = { kind: "prerequisite", missing: "a token" };
  const transport: BlockedBy = { kind: "transport", missing: "the end" };
  const limit: BlockedBy = { kind: "limit", missing: "a long line" };
  test.each<{ name: string; causes: readonly BlockedBy[]; shown: BlockedBy }>([
    { name: "the only one", causes: [prerequisite], shown: prerequisite },
    { name: "the first that cut evidence short", causes: [transport, limit], shown: transport },
    { name: "one that cut evidence short before one that was missing", causes: [limit, prerequisite], shown: limit },
    { name: "the same in the other order", causes: [prerequisite, limit], shown: limit },
  ])("shows of several causes $name", ({ causes, shown }) => {
    const builder = createOutcomeBuilder();
    for (const blockedBy of causes) {
      builder.reporterFor("1").blocked(blockedBy);
    }
    expect(builder.build().blockedBy).toEqual(shown);
  });
});

test("one violation of each kind is kept before a second of any", () => {
  const builder = createOutcomeBuilder();
  const report = builder.reporterFor("1");
  for (let index = 0; index < 2 * maxKeptFindings; index += 1) {
    report.violation({ message: "a", code: "a", argument: "same" });
  }
  report.violation({ message: "b", code: "a", argument: "other" });
  report.violation({ message: "c", code: "c" });
  const { findings, droppedViolations } = builder.build();
  expect([findings.length, droppedViolations]).toEqual([maxKeptFindings, maxKeptFindings + 2]);
  expect(findings.slice(-3).map(({ message }) => message)).toEqual(["a", "b", "c"]);
});

test("if all kept violations differ, later ones are only counted, and an argument is cut", () => {
  const builder = createOutcomeBuilder();
  const report = builder.reporterFor("1");
  for (let index = 0; index < 2 * maxKeptFindings; index += 1) {
    report.violation({ message: String(index), code: "a", argument: String(index).padEnd(1000) });
  }
  const { findings, droppedViolations } = builder.build();
  expect(findings.map(({ message }) => Number(message))).toEqual([...Array(maxKeptFindings).keys()]);
  expect([droppedViolations, findings[0]?.argument?.length]).toEqual([maxKeptFindings, 400]);
});

describe("two parts of the evidence", () => {
  interface Part {
    readonly exchange: string;
    readonly violations?: readonly string[];
    readonly notes?: readonly string[];
  }
  const outcomeOf = (parts: readonly Part[]) => {
    const builder = createOutcomeBuilder();
    for (const { exchange, violations = [], notes = [] } of parts) {
      const reporter = builder.reporterFor(exchange);
      reporter.observation(violations.length);
      violations.forEach((argument) => reporter.violation({ message: "broken", argument }));
      notes.forEach((message) => reporter.note({ message }));
    }
    return builder.build();
  };
  const many = Array.from({ length: maxKeptFindings + 5 }, () => "alike");

  test.each<[string, readonly string[], readonly string[]]>([
    ["with nothing in them", [], []],
    ["one of them with violations", ["a"], []],
    ["with more than is kept in one", many, ["b"]],
    ["with more than is kept in both", many, [...many, "c"]],
  ])("%s come to what the whole of it does", (_name, one, other) => {
    const parts = [
      { exchange: "e1", violations: one },
      { exchange: "e2", violations: other },
    ] as const;
    expect(mergeOutcomes(outcomeOf(parts.slice(0, 1)), outcomeOf(parts.slice(1)))).toEqual(outcomeOf(parts));
  });

  test("keep what blocked either, and notes", () => {
    const permitted = outcomeOf([{ exchange: "e1", notes: ["choice"] }]);
    const cut = { ...permitted, blockedBy: { kind: "transport", missing: "the end" } } as const;
    expect(mergeOutcomes(outcomeOf([]), cut)).toMatchObject({
      findings: [{ kind: "note", exchange: "e1", message: "choice" }],
      blockedBy: { kind: "transport" },
    });
  });
});
