import { HarnessError } from "@assay/contract";
import { canonicalJson } from "./canonical-json.ts";
import {
  type ExecutionSegment,
  isOverlapping,
  isWhole,
  joinedSegments,
  segmentText,
  wholeLoad,
} from "./execution-segment.ts";
import { type MergePart, missingShare } from "./merge-part.ts";

/** Parts that are shares of one plan, and whole loads each by itself; parts that do not say which share they are, are in none. */
export const loadsOf = (parts: readonly MergePart[]): readonly (readonly MergePart[])[] => {
  const shared = new Map<string, MergePart[]>();
  const whole: MergePart[][] = [];
  for (const part of parts) {
    if (part.segments?.every(isWhole) === true) {
      whole.push([part]);
    } else if (part.segments !== undefined) {
      const key = canonicalJson(part.plan);
      shared.set(key, [...(shared.get(key) ?? []), part]);
    }
  }
  return [...whole, ...shared.values()];
};

const segmentsOf = (load: readonly MergePart[]): readonly ExecutionSegment[] =>
  load.flatMap(({ segments = [] }) => segments);

const sharesText = ({ segments = [] }: MergePart): string => segments.map(segmentText).join(", ");

/** Two parts of which at least one is a share, and that made the same share of one plan. */
const isSameShare = (one: MergePart, other: MergePart): boolean => {
  const pair = [one, other].map(({ segments = [] }) => segments);
  return (
    !pair.every((segments) => segments.every(isWhole)) &&
    canonicalJson(one.plan) === canonicalJson(other.plan) &&
    (pair[0] ?? []).some((mine) => (pair[1] ?? []).some((theirs) => isOverlapping(mine, theirs)))
  );
};

/** Makes sure that no two parts made the same share of one plan. Fails with `merged-twice`, which names both. */
export const checkShares = (parts: readonly MergePart[]): void => {
  for (const [index, part] of parts.entries()) {
    const other = parts.slice(0, index).find((earlier) => isSameShare(earlier, part));
    if (other !== undefined) {
      throw new HarnessError(
        "merged-twice",
        `${other.folder} made the share ${sharesText(other)} of the load and ${part.folder} the share ${sharesText(part)}, which overlap; give each share once`,
      );
    }
  }
};

/** Which shares are missing, a sentence for each load that is not whole. */
export const shareGaps = (parts: readonly MergePart[]): readonly string[] => {
  const loads = loadsOf(parts);
  return loads.flatMap((load) => {
    const missing = missingShare(segmentsOf(load));
    const which = loads.length === 1 ? "" : ` (it had ${load[0]?.plan.ratePerSecond ?? 0} arrivals a second)`;
    return missing === undefined ? [] : [`${missing}${which}`];
  });
};

/** The shares that all parts made together; undefined where that is not known, or where several loads lack some. */
export const mergedSegments = (parts: readonly MergePart[]): readonly string[] | undefined => {
  const loads = loadsOf(parts);
  if (parts.some(({ segments }) => segments === undefined)) {
    return undefined;
  }
  if (loads.length === 1) {
    return joinedSegments(segmentsOf(parts)).map(segmentText);
  }
  return shareGaps(parts).length === 0 ? [segmentText(wholeLoad)] : undefined;
};
