import { repetitions } from "@assay/tools/proving";
import { currentMachine, legacyMachine } from "@assay/contract";
import type { ConversationMachine } from "@assay/contract";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { prepareHistoryCheckers } from "./history-checker.ts";
import { mergeHistoryReports } from "./history-report.ts";
import type { HistoryFinding } from "./history-report.ts";
import { corruptions } from "./testing/corruptions.ts";
import type { Corruption } from "./testing/corruptions.ts";
import { drawing, shuffled } from "./testing/drawing.ts";
import type { Draw } from "./testing/drawing.ts";
import { legalHistory } from "./testing/model-server.ts";
import { reportOn } from "./testing/observations.ts";
import type { Observation } from "./testing/observations.ts";

interface Corrupted {
  readonly legal: readonly Observation[];
  readonly history: readonly Observation[];
}

/** A legal history plus one read that differs from a legal one in one way; undefined if no read can be corrupted. */
function corrupted(machine: ConversationMachine, corruption: Corruption, draw: Draw): Corrupted | undefined {
  const legal = legalHistory({ machine, draw, hasExcuses: false });
  const spoilt = shuffled(legal, draw)
    .flatMap((observation) => (observation.kind === "read" ? [corruption.spoil(observation, machine)] : []))
    .find((read) => read !== undefined);
  return spoilt && { legal, history: [...legal, spoilt].sort((a, b) => a.sentAtMicros - b.sentAtMicros) };
}

const rows = [legacyMachine, currentMachine].flatMap((machine) =>
  corruptions
    .filter(({ only }) => only === undefined || only === machine.interface)
    .map((corruption) => ({ machine, corruption, name: `${machine.interface}: ${corruption.name}` })),
);

/** Codes that may replace each other when more is known. All other codes only match themselves. */
const namedAlike: Readonly<Record<string, string>> = {
  "stale-read": "went back",
  "backward-transition": "went back",
  "updated-at-fell": "went back",
  "question-lost": "went back",
  "question-reordered": "list",
  "question-id-changed": "list",
};
const kindOf = ({ code, gate, behaviour, question }: HistoryFinding): string =>
  namedAlike[code] ?? [code, gate, behaviour, question].join(" ");

describe.each(rows)("$name", ({ machine, corruption }) => {
  test("is always found", () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const made = corrupted(machine, corruption, drawing(seed));
        fc.pre(made !== undefined);
        expect(reportOn(machine, made.legal).findings).toEqual([]);
        const found = reportOn(machine, made.history).findings.filter(({ code }) => corruption.codes.includes(code));
        expect(found).not.toEqual([]);
      }),
      { numRuns: repetitions(15, 60) },
    );
  });

  test("gives the same report whatever the order of observing", () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer(), (seed, order) => {
        const made = corrupted(machine, corruption, drawing(seed));
        fc.pre(made !== undefined);
        expect(reportOn(machine, shuffled(made.history, drawing(order)))).toEqual(reportOn(machine, made.history));
      }),
      { numRuns: repetitions(5, 15) },
    );
  });

  test("stays found: more observations never remove a finding", () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const made = corrupted(machine, corruption, drawing(seed));
        fc.pre(made !== undefined);
        const kinds = made.history.map(
          (_, index) => new Set(reportOn(machine, made.history.slice(0, index + 1)).findings.map(kindOf)),
        );
        const vanished = kinds.flatMap((before, index) =>
          [...before].filter((kind) => kinds[index + 1]?.has(kind) === false),
        );
        expect(vanished).toEqual([]);
      }),
      { numRuns: 5 },
    );
  });
});

const legacyCorruptions = corruptions.filter(({ only }) => only !== "current");

test.each([1, 1000])(
  "conversations that are judged separately have the same report, with at most %i findings",
  (most) => {
    const newChecker = prepareHistoryCheckers(legacyMachine, { maxFindingsPerCode: most });
    const reportOnAll = (observations: readonly Observation[]) => {
      const checker = newChecker();
      observations.forEach((observation) => checker.observe(observation));
      return checker.finish();
    };
    const draws = fc.record({ seed: fc.integer(), corruption: fc.constantFrom(...legacyCorruptions) });
    fc.assert(
      fc.property(fc.array(draws, { minLength: 2, maxLength: 5 }), (drawn) => {
        const conversations = drawn.map(({ seed, corruption }, index) =>
          (corrupted(legacyMachine, corruption, drawing(seed))?.history ?? []).map((observation) => ({
            ...observation,
            conversation: `conversation ${index}`,
          })),
        );
        expect(mergeHistoryReports(conversations.map(reportOnAll), most)).toEqual(reportOnAll(conversations.flat()));
      }),
      { numRuns: repetitions(40, 400) },
    );
  },
);
