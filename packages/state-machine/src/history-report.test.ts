import { currentMachine, legacyMachine } from "@assay/contract";
import { describe, expect, test } from "vitest";
import { createHistoryChecker } from "./history-checker.ts";
import { historyCodes } from "./history-report.ts";
import { create, legacyRead, read, reportOn, snapshot } from "./testing/observations.ts";
import type { Observation } from "./testing/observations.ts";

const one = { texts: ["a"] };
const messages = (...history: readonly Observation[]): readonly string[] =>
  reportOn(currentMachine, history).findings.map(({ message }) => message);

describe("a finding names both observations with their times", () => {
  test.each([
    {
      name: "a step back",
      history: [
        read([120, 131], "completed", { ...one, exchange: "0007" }),
        read([140, 150], "processing", { ...one, exchange: "0009" }),
      ],
      message:
        "read 0007 (sent 120 ms, answered 131 ms) shows completed, read 0009, sent 140 ms, shows processing: no row of the table leads back",
    },
    {
      name: "a step back in a newer version",
      history: [
        read([1, 2], "completed", { ...one, updated: 5 }),
        read([3, 4], "processing", { ...one, updated: 6.5 }),
      ],
      message:
        "read 0001 (sent 1 ms, answered 2 ms) shows completed, read 0003, sent 3 ms, shows processing: no row of the table leads back, and the later one says it is newer (2025-06-01T12:00:06.500Z)",
    },
    {
      name: "ends at once",
      history: [read([1, 9], "completed", one), read([2, 8], "error", one)],
      message:
        "read 0001 (sent 1 ms, answered 9 ms) shows completed, read 0002 (sent 2 ms, answered 8 ms) shows error: both are terminal states, and neither leads to the other",
    },
    {
      name: "a stale read",
      history: [
        read([1, 2.5], "completed", { ...one, updated: 5 }),
        read([3, 4], "processing", { ...one, updated: 1 }),
      ],
      message:
        "read 0001 (sent 1 ms, answered 2.5 ms) shows completed, read 0003, sent 3 ms, shows processing: an older version: reads are at least 0.5 ms stale",
    },
    {
      name: "a gate",
      history: [read([1, 2], "completed", { questions: [{}] })],
      message:
        "read 0001 (sent 1 ms, answered 2 ms) shows question 1 completed without answer: completed-has-an-answer failed",
    },
    {
      name: "a text that was not asked",
      history: [create([1, 2], { text: "a", exchange: "0001", snapshot: snapshot("processing", { texts: ["b"] }) })],
      message:
        "create 0001 (sent 1 ms, answered 2 ms) shows question 1 a, create 0001 (sent 1 ms, answered 2 ms) shows question 1 b: the text of a question stays as it was asked",
    },
  ])("$name", ({ history, message }) => {
    expect(messages(...history)).toEqual([message]);
  });

  test("and says whether one session saw both", () => {
    const promiseOf = (session: string) =>
      reportOn(currentMachine, [read([1, 2], "completed", one), read([3, 4], "processing", { ...one, session })])
        .findings[0]?.promise;
    expect([promiseOf("s"), promiseOf("t")]).toEqual(["session", "real-time"]);
  });

  test("and which question it is about", () => {
    const done = { id: "1", status: "completed", facts: ["error"] };
    const history = [
      legacyRead([1, 2], [done, { ...done, id: "2" }]),
      legacyRead([3, 4], [done, { ...done, id: "2", status: "processing" }]),
    ];
    expect(reportOn(legacyMachine, history).findings).toMatchObject([
      { question: 1, first: { value: "completed" }, second: { value: "processing" } },
    ]);
  });
});

describe("the number of findings", () => {
  const failedGates = (conversation: string, sentMs: number): readonly Observation[] => [
    read([sentMs, sentMs + 1], "completed", { ...one, conversation }),
    read([sentMs + 3, sentMs + 4], "processing", { ...one, conversation }),
  ];
  const history = Array.from({ length: 500 }, (_, index) => failedGates(String(index), 500 - index)).flat();

  test("of each code is limited; the earliest are kept and the rest is counted", () => {
    const report = reportOn(currentMachine, history, { maxFindingsPerCode: 3 });
    expect(report.findings.map(({ conversation }) => conversation)).toEqual(["499", "498", "497"]);
    expect(report.dropped).toEqual({ "backward-transition": 497 });
  });

  test("is 100 by default", () => {
    const report = reportOn(currentMachine, history);
    expect([report.findings.length, report.dropped["backward-transition"]]).toEqual([100, 400]);
    expect(reportOn(currentMachine, history.slice(0, 20)).dropped).toEqual({});
  });

  test("may be none", () => {
    const report = reportOn(currentMachine, history.slice(0, 2), { maxFindingsPerCode: 0 });
    expect([report.findings, report.dropped]).toEqual([[], { "backward-transition": 1 }]);
  });
});

describe("observations", () => {
  test("are none where nothing was observed", () => {
    const { observations } = reportOn(legacyMachine, []);
    expect(observations).toEqual(Object.fromEntries(historyCodes.map((code) => [code, 0])));
  });

  test("are none after one observation, except for gates", () => {
    const { observations } = reportOn(currentMachine, [
      read([1, 2], "completed", { ...one, updated: 1, createdAt: "2025-06-01T12:00:00Z" }),
    ]);
    const some = Object.entries(observations).filter(([, times]) => times > 0);
    expect(some).toEqual([["field-gate", 1]]);
  });

  test("count states without a number of questions as lists show them", () => {
    const { observations } = reportOn(currentMachine, [
      create([1, 2]),
      read([3, 4], "completed", { questions: [{ text: "a" }] }),
      read([5, 6], "completed"),
      read([7, 8], "completed"),
    ]);
    expect(observations).toMatchObject({ "backward-transition": 2, "unlisted-transition": 0, "incomparable-ends": 2 });
  });

  test("count comparisons", () => {
    const done = {
      id: "1",
      text: "a",
      status: "completed",
      facts: ["error"],
      content: "x",
      createdAt: "2025-06-01T12:00:00Z",
      updatedAt: "2025-06-01T12:00:01Z",
    };
    const two = [done, { ...done, id: "2" }];
    const { observations } = reportOn(legacyMachine, [
      legacyRead([1, 2], two),
      legacyRead([3, 4], two),
      legacyRead([5, 6], two),
    ]);
    expect(observations).toEqual({
      "backward-transition": 4,
      "unlisted-transition": 0,
      "incomparable-ends": 0,
      "terminal-content-changed": 4,
      "question-lost": 2,
      "question-reordered": 2,
      "question-duplicated": 3,
      "question-id-changed": 2,
      "question-text-changed": 4,
      "created-at-changed": 4,
      "updated-at-fell": 4,
      "stale-read": 4,
      "field-gate": 0,
      "tolerated-transition": 4,
    });
  });
});

test("overlapping answers do not count as observations to go back", () => {
  const { observations } = reportOn(currentMachine, [
    read([1, 9], "processing", { updated: 1 }),
    read([2, 8], "completed", { updated: 2 }),
    read([3, 7], "completed", { updated: 2 }),
  ]);
  expect(observations).toMatchObject({
    "backward-transition": 0,
    "updated-at-fell": 0,
    "stale-read": 0,
    "incomparable-ends": 1,
  });
});

test("finishing changes nothing and may be repeated", () => {
  const checker = createHistoryChecker(currentMachine);
  checker.observe(read([1, 2], "completed"));
  checker.observe(read([3, 4], "completed", { questions: [{ text: "a" }] }));
  const first = checker.finish();
  expect(checker.finish()).toEqual(first);
  checker.observe(read([5, 6], "processing"));
  expect(checker.finish().findings.map(({ code }) => code)).toContain("backward-transition");
});
