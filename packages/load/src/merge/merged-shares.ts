import { HarnessError } from "@assay/contract";
import { formatCanonicalJson } from "./canonical-json.ts";
import {
  type ExecutionSegment,
  isOverlapping,
  isWholeLoad,
  joinSegments,
  findMissingSegments,
  formatSegment,
  wholeLoad,
} from "./execution-segment.ts";
import type { MergePart } from "./merge-part.ts";

/** Groups parts into loads: parts with the same plan, and each whole load alone. Omits parts with an unknown share. */
export const groupIntoLoads = (parts: readonly MergePart[]): readonly (readonly MergePart[])[] => {
  const partsByPlan = new Map<string, MergePart[]>();
  const wholeLoads: MergePart[][] = [];
  for (const part of parts) {
    if (part.segment !== undefined && isWholeLoad(part.segment)) {
      wholeLoads.push([part]);
    } else if (part.segment !== undefined) {
      const key = formatCanonicalJson(part.plan);
      partsByPlan.set(key, [...(partsByPlan.get(key) ?? []), part]);
    }
  }
  return [...wholeLoads, ...partsByPlan.values()];
};

const listSegments = (load: readonly MergePart[]): readonly ExecutionSegment[] =>
  load.flatMap(({ segment }) => (segment === undefined ? [] : [segment]));

/** Reports whether both parts ran the same share of one plan. Two whole loads are different loads. */
const haveSameShare = (left: MergePart, right: MergePart): boolean =>
  left.segment !== undefined &&
  right.segment !== undefined &&
  !(isWholeLoad(left.segment) && isWholeLoad(right.segment)) &&
  formatCanonicalJson(left.plan) === formatCanonicalJson(right.plan) &&
  isOverlapping(left.segment, right.segment);

const formatShare = ({ segment }: MergePart): string => (segment === undefined ? "" : formatSegment(segment));

/** Fails with `merged-twice` if two parts ran the same share of one plan. */
export const assertDistinctShares = (parts: readonly MergePart[]): void => {
  for (const [index, part] of parts.entries()) {
    const overlappingPart = parts.slice(0, index).find((earlier) => haveSameShare(earlier, part));
    if (overlappingPart !== undefined) {
      throw new HarnessError(
        "merged-twice",
        `${overlappingPart.folder} ran the share ${formatShare(overlappingPart)} of the load and ${part.folder} the share ${formatShare(part)}, which overlap; pass each share once`,
      );
    }
  }
};

/** Describes the missing shares, in one sentence for each incomplete load. */
export const describeMissingShares = (parts: readonly MergePart[]): readonly string[] => {
  const loads = groupIntoLoads(parts);
  return loads.flatMap((load) => {
    const missingShares = findMissingSegments(listSegments(load)).map(formatSegment);
    const [share, verb] = missingShares.length === 1 ? ["share", "is"] : ["shares", "are"];
    const suffix = loads.length === 1 ? "" : ` (it had ${load[0]?.plan.ratePerSecond ?? 0} arrivals per second)`;
    return missingShares.length === 0
      ? []
      : [
          `the ${share} ${missingShares.join(", ")} of the load ${verb} missing; pass the folders of all runners${suffix}`,
        ];
  });
};

/**
 * Returns the shares that the parts ran together. Returns undefined if the share of a part is unknown, or if several
 * loads are incomplete.
 */
export const mergeSegments = (parts: readonly MergePart[]): readonly string[] | undefined => {
  const loads = groupIntoLoads(parts);
  if (parts.some(({ segment }) => segment === undefined)) {
    return undefined;
  }
  if (loads.length === 1) {
    return joinSegments(listSegments(parts)).map(formatSegment);
  }
  return describeMissingShares(parts).length === 0 ? [formatSegment(wholeLoad)] : undefined;
};
