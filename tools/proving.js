import { createHash } from "node:crypto";

const scope = process.env["ASSAY_PROVE"] ?? "";
const seed = process.env["ASSAY_PROVE_SEED"] ?? "";

/** True in `npm run prove`. */
export const isProving = scope !== "";

/** True in `npm run prove -- --all`, which runs everything. */
export const isProvingAll = scope === "all";

/** Number of runs of a property test: `all` in `npm run prove -- --all`, otherwise `some`. */
export const repetitions = (some, all) => (isProvingAll ? all : some);

/**
 * Selects the rows of a table to test. `npm test` runs the quick ones, `npm run prove` the rest, and
 * `npm run prove -- --all` runs all of them. The test needs the tag `more`.
 */
export const selectRows = (list, isQuick) =>
  isProvingAll ? list : list.filter((row, index) => isQuick(row, index) === !isProving);

/** Like `selectRows`. Every `n`th row is quick, starting with the first. */
export const everyNth = (list, n) => selectRows(list, (_, index) => index % n === 0);

const computeRank = (index) => createHash("sha256").update(`${seed} ${index}`).digest("hex");

/**
 * Returns a sample of a list, one in `n` and at least one, in list order. The seed of the run selects them. It changes with every
 * commit, so that every item is tested eventually. Returns the whole list with `--all`.
 */
export function drawSample(list, n) {
  if (isProvingAll) {
    return list;
  }
  const rankedIndexes = list.map((_, index) => index).toSorted((a, b) => (computeRank(a) < computeRank(b) ? -1 : 1));
  const chosenIndexes = new Set(rankedIndexes.slice(0, Math.ceil(list.length / n)));
  return list.filter((_, index) => chosenIndexes.has(index));
}
