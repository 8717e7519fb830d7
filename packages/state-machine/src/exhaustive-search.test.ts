import { repetitions } from "@assay/tools/proving";
import { currentMachine } from "@assay/contract";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createStateTable } from "./state-table.ts";
import { chainMachine } from "./testing/chain-machine.ts";
import { canBeExplained, canBeExplainedWith } from "./testing/exhaustive-search.ts";
import type { FollowUpInterval, ReadInterval } from "./testing/exhaustive-search.ts";
import { codesOf, followUp, read } from "./testing/observations.ts";
import type { Observation } from "./testing/observations.ts";

const plainReads = (states: number, maxLength: number): fc.Arbitrary<readonly ReadInterval[]> =>
  fc.array(
    fc
      .tuple(fc.nat(11), fc.nat(5), fc.nat(states - 1))
      .map(([sent, length, state]) => ({ sent, ended: sent + length, state })),
    { minLength: 1, maxLength },
  );

const departures = new Set(["backward-transition", "incomparable-ends", "unlisted-transition", "question-lost"]);
const isAccused = (codes: readonly string[]): boolean => codes.some((code) => departures.has(code));

const observed = (reads: readonly ReadInterval[], withValue: (state: number) => Observation): readonly Observation[] =>
  reads.map(({ sent, ended, state }, index) => ({
    ...withValue(state),
    exchange: String(index),
    session: String(index % 3),
    sentAtMicros: sent * 1000,
    endedAtMicros: ended * 1000,
  }));

describe("a history fails exactly if no choice of instants explains it", () => {
  test("where states follow each other in a row", () => {
    const machine = chainMachine(4);
    fc.assert(
      fc.property(plainReads(4, 6), (reads) => {
        const isExplained = canBeExplained(reads, (from, to) => from <= to);
        const history = observed(reads, (state) => read([0, 0], `s${state}`));
        expect(isAccused(codesOf(machine, history))).toBe(!isExplained);
      }),
      { numRuns: repetitions(500, 2000) },
    );
  });

  test("where there are several ends", () => {
    const machine = { ...currentMachine, reopens: false };
    const table = createStateTable(machine);
    const mayFollow = (from: number, to: number) => ["same", "listed", "tolerated"].includes(table.step(from, to).kind);
    fc.assert(
      fc.property(plainReads(4, 6), (reads) => {
        const history = observed(reads, (state) => read([0, 0], table.nameOf(state)));
        expect(isAccused(codesOf(machine, history))).toBe(!canBeExplained(reads, mayFollow));
      }),
      { numRuns: repetitions(500, 2000) },
    );
  });

  test("where lists of questions show the epochs", () => {
    const table = createStateTable(currentMachine);
    const texts = ["a", "b", "c"];
    // Three epochs of four states. The epoch with more questions is later.
    const mayFollow = (from: number, to: number) =>
      from >> 2 === to >> 2
        ? ["same", "listed", "tolerated"].includes(table.step(from & 3, to & 3).kind)
        : from >> 2 < to >> 2;
    fc.assert(
      fc.property(plainReads(12, 6), (reads) => {
        const withValue = (state: number) =>
          read([0, 0], table.nameOf(state & 3), { texts: texts.slice(0, 1 + (state >> 2)) });
        expect(isAccused(codesOf(currentMachine, observed(reads, withValue)))).toBe(!canBeExplained(reads, mayFollow));
      }),
      { numRuns: repetitions(500, 2000) },
    );
  });
});

const table = createStateTable(currentMachine);
const follows = (from: number, to: number): boolean =>
  ["same", "listed", "tolerated"].includes(table.step(from, to).kind);
const bare = (reads: readonly ReadInterval[]): readonly Observation[] =>
  observed(reads, (state) => read([0, 0], table.nameOf(state)));
const asked = ({ sent, ended }: FollowUpInterval, index: number): Observation =>
  followUp([sent, ended], { exchange: `f${index}` });

describe("where only follow-ups show the epochs", () => {
  test("a history fails exactly if nothing explains it, as long as no read overlaps a follow-up", () => {
    // Reads lie within 0 to 16, 20 to 36 and 40 to 56, with follow-ups between.
    const anyReads = fc
      .array(fc.tuple(fc.nat(2), plainReads(4, 1)), { minLength: 1, maxLength: 6 })
      .map((all) =>
        all.flatMap(([slot, [one]]) =>
          one === undefined ? [] : [{ ...one, sent: one.sent + 20 * slot, ended: one.ended + 20 * slot }],
        ),
      );
    const followUps = [
      { sent: 17, ended: 18 },
      { sent: 37, ended: 39 },
    ];
    fc.assert(
      fc.property(anyReads, (reads) => {
        const history = [...bare(reads), ...followUps.map(asked)];
        const isExplained = canBeExplainedWith(reads, followUps, follows);
        expect(isAccused(codesOf(currentMachine, history))).toBe(!isExplained);
      }),
      { numRuns: repetitions(375, 1500) },
    );
  });

  test("a history with an explanation never fails, whatever overlaps", () => {
    const anyFollowUps = fc.array(
      fc.tuple(fc.nat(11), fc.nat(5)).map(([sent, length]) => ({ sent, ended: sent + length })),
      { maxLength: 2 },
    );
    fc.assert(
      fc.property(plainReads(4, 5), anyFollowUps, (reads, followUps) => {
        const history = [...bare(reads), ...followUps.map(asked)];
        const isExplained = canBeExplainedWith(reads, followUps, follows);
        expect(isExplained && isAccused(codesOf(currentMachine, history))).toBe(false);
      }),
      { numRuns: repetitions(375, 1500) },
    );
  });
});
