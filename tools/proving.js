import { createHash } from "node:crypto";

const scope = process.env["ASSAY_PROVE"] ?? "";
const seed = process.env["ASSAY_PROVE_SEED"] ?? "";

/** True in `npm run prove`. */
export const isProving = scope !== "";

/** True in `npm run prove -- --all`, which leaves nothing out. */
export const isProvingAll = scope === "all";

/** How often a property is tried: `all` times in `npm run prove -- --all`, else `some`. */
export const howMany = (some, all) => (isProvingAll ? all : some);

/**
 * The rows of a table to test. `npm test` runs those that are quick, `npm run prove` the others, and
 * `npm run prove -- --all` runs all of them. The test needs the tag `more`.
 */
export const rowsNow = (list, isQuick) =>
  isProvingAll ? list : list.filter((row, index) => isQuick(row, index) === !isProving);

/** The same, where the first row and every `n`th after it are quick. */
export const everyNth = (list, n) => rowsNow(list, (_, index) => index % n === 0);

const rankOf = (index) => createHash("sha256").update(`${seed} ${index}`).digest("hex");

/**
 * A sample of a list, one in `n` and at least one, in the order of the list. The seed of the run decides which. Every commit has
 * another seed, so that in time all are tried. With `--all` it is the list itself.
 */
export function drawn(list, n) {
  if (isProvingAll) {
    return list;
  }
  const ranked = list.map((_, index) => index).toSorted((one, other) => (rankOf(one) < rankOf(other) ? -1 : 1));
  const chosen = new Set(ranked.slice(0, Math.ceil(list.length / n)));
  return list.filter((_, index) => chosen.has(index));
}
