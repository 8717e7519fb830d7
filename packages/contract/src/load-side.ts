/**
 * The sides of a comparison of two targets in one load: `head` is compared with `base`. A load with one target has only
 * `base`.
 */
export const loadSides = ["base", "head"] as const;
export type LoadSide = (typeof loadSides)[number];

/** Returns the sides of a load with these targets. */
export const listSides = ({ head }: { readonly head?: unknown }): readonly LoadSide[] =>
  head === undefined ? ["base"] : loadSides;

/** Names of the sides in files of earlier versions, which call the member `arm`. */
const earlierSideNames: ReadonlyMap<unknown, LoadSide> = new Map([
  ["a", "base"],
  ["b", "head"],
]);

/** Returns the side of a stored sample or exchange of any version, or undefined if it has none. */
export const readStoredSide = ({
  side,
  arm,
}: {
  readonly side?: unknown;
  readonly arm?: unknown;
}): LoadSide | undefined => (side === "base" || side === "head" ? side : earlierSideNames.get(arm));

/** Returns stored targets by side. Renames the sides of earlier versions. Returns other values unchanged. */
export const readStoredTargets = (targets: unknown): unknown =>
  typeof targets !== "object" || targets === null || Array.isArray(targets)
    ? targets
    : Object.fromEntries(Object.entries(targets).map(([name, target]) => [earlierSideNames.get(name) ?? name, target]));
