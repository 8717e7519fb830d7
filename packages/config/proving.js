import { createHash } from "node:crypto";

const scope = process.env["ASSAY_PROVE"] ?? "";
const seed = process.env["ASSAY_PROVE_SEED"] ?? "";

/** Whether `npm run prove` runs the tests. `npm test` tries a part of what can be tried one by one. */
export const isProving = scope !== "";

/** Whether `npm run prove -- --all` runs the tests, which leaves nothing out. */
export const isProvingAll = scope === "all";

/** How many of something are tried: `some` in `npm test`, `all` in `npm run prove`. */
export const howMany = (some, all) => (isProving ? all : some);

/** What is tried of a list: all of it in `npm run prove`, else the first one and every `n`th after it. */
export const everyNth = (list, n) => (isProving ? list : list.filter((_, index) => index % n === 0));

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
