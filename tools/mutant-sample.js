import { createHash } from "node:crypto";

/**
 * Mutation testing of a whole part tests a random sample of its mutants. Which ones depends on the seed and on each mutant's own place
 * and text, so a run is repeatable, and two seeds test different mutants.
 *
 * @typedef {{ fileName: string, location: unknown, mutatorName: string, replacement: string }} Mutant
 */

/**
 * Reports whether a mutant is one of the sample of one in `oneIn`.
 * @param {Mutant} mutant
 * @param {{ oneIn: number, seed: string }} sample
 */
export function isInSample({ fileName, location, mutatorName, replacement }, { oneIn, seed }) {
  // The tests run in a copy with another path.
  const file = fileName.replaceAll("\\", "/").replace(/^(?:.*\/)?packages\//u, "");
  const identity = JSON.stringify([seed, file, location, mutatorName, replacement]);
  return createHash("sha256").update(identity).digest().readUInt32BE() % oneIn === 0;
}

const sample = {
  oneIn: Number(process.env["ASSAY_MUTATE_ONE_IN"] ?? 1),
  seed: process.env["ASSAY_MUTATE_SEED"] ?? "1",
};

/**
 * The sample as a checker of Stryker: the only place where a plugin can skip a mutant. Stryker reports a mutant that is not in the sample
 * as one that does not compile.
 */
export const strykerPlugins = [
  {
    kind: "Checker",
    name: "sample",
    value: {
      init: async () => {},
      /** @param {readonly (Mutant & { id: string })[]} mutants */
      check: async (mutants) =>
        Object.fromEntries(
          mutants.map((mutant) => [
            mutant.id,
            isInSample(mutant, sample)
              ? { status: "passed" }
              : { status: "compileError", reason: "is not in the sample" },
          ]),
        ),
      /** @param {readonly { id: string }[]} mutants */
      group: async (mutants) => [mutants.map(({ id }) => id)],
    },
  },
];
