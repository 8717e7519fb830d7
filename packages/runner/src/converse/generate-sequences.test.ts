import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { generateSequences, readSteps, sequencePairs, sequencesForAllPairs } from "./generate-sequences.ts";
import { asksQuestion, sequenceCommandNames } from "./sequence-commands.ts";

/** A small generator of numbers from 0 to below 1. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

describe("generated sequences", () => {
  test("cover every ordered pair of commands, within an interface and across both", () => {
    fc.assert(
      fc.property(fc.nat(1_000_000), (seed) => {
        const { sequences, uncovered } = generateSequences(sequencesForAllPairs, { random: seeded(seed) });
        expect(uncovered).toEqual([]);
        expect(new Set(sequences.flatMap(({ pairs }) => pairs))).toEqual(new Set(sequencePairs));
      }),
      { numRuns: 20 },
    );
  });

  test("are repeated by a seed, and differ between seeds", () => {
    const generate = (seed: number) => generateSequences(8, { random: seeded(seed) }).sequences;
    expect(generate(3)).toEqual(generate(3));
    expect(generate(3)).not.toEqual(generate(4));
  });

  test("are short, ask few questions, and leave a deleted conversation soon", () => {
    for (const { steps, questions } of generateSequences(sequencesForAllPairs, { random: seeded(5) }).sequences) {
      const commands = steps.flat();
      expect(steps.length).toBeLessThanOrEqual(12);
      expect(questions).toBe(1 + commands.filter(({ command }) => asksQuestion(command)).length);
      expect(questions).toBeLessThanOrEqual(4);
      const deletion = steps.findIndex((step) => step.some(({ command }) => command === "delete"));
      expect(deletion === -1 ? 0 : steps.length - deletion).toBeLessThanOrEqual(4);
    }
  });

  test("cover most with the first ones, and print what a few leave out", () => {
    const { sequences, uncovered } = generateSequences(6, { random: seeded(1) });
    const covered = new Set(sequences.flatMap(({ pairs }) => pairs));
    expect(covered.size + uncovered.length).toBe(sequencePairs.length);
    expect(covered.size).toBeGreaterThan(50);
  });

  test("combine every command with every command", () => {
    const names = new Set(sequencePairs.map((pair) => pair.split(" ")[0]));
    expect(names).toEqual(new Set(sequenceCommandNames));
  });
});

describe("steps", () => {
  test("are read from their texts", () => {
    expect(readSteps("read other", "follow-up + cancel other")).toEqual([
      [{ command: "read", side: "other" }],
      [
        { command: "follow-up", side: "own" },
        { command: "cancel", side: "other" },
      ],
    ]);
  });

  test("with an unknown command are a mistake", () => {
    expect(() => readSteps("forget")).toThrow("there is no command forget");
  });
});
