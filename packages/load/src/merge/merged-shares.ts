import { HarnessError } from "@assay/contract";
import { canonicalJson } from "./canonical-json.ts";
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
  const shared = new Map<string, MergePart[]>();
  const whole: MergePart[][] = [];
  for (const part of parts) {
    if (part.segment !== undefined && isWholeLoad(part.segment)) {
      whole.push([part]);
    } else if (part.segment !== undefined) {
      const key = canonicalJson(part.plan);
      shared.set(key, [...(shared.get(key) ?? []), part]);
    }
  }
  return [...whole, ...shared.values()];
};

const segmentsOf = (load: readonly MergePart[]): readonly ExecutionSegment[] =>
  load.flatMap(({ segment }) => (segment === undefined ? [] : [segment]));

/** Reports whether both parts ran the same share of one plan. Two whole loads are different loads. */
const isSameShare = (left: MergePart, right: MergePart): boolean =>
  left.segment !== undefined &&
  right.segment !== undefined &&
  !(isWholeLoad(left.segment) && isWholeLoad(right.segment)) &&
  canonicalJson(left.plan) === canonicalJson(right.plan) &&
  isOverlapping(left.segment, right.segment);

const shareText = ({ segment }: MergePart): string => (segment === undefined ? "" : formatSegment(segment));

/** Fails with `merged-twice` if two parts ran the same share of one plan. */
export const checkShares = (parts: readonly MergePart[]): void => {
  for (const [index, part] of parts.entries()) {
    const other = parts.slice(0, index).find((earlier) => isSameShare(earlier, part));
    if (other !== undefined) {
      throw new HarnessError(
        "merged-twice",
        `${other.folder} ran the share ${shareText(other)} of the load and ${part.folder} the share ${shareText(part)}, which overlap; pass each share once`,
      );
    }
  }
};

/** Describes the missing shares: one sentence for each incomplete load. */
export const missingShares = (parts: readonly MergePart[]): readonly string[] => {
  const loads = groupIntoLoads(parts);
  return loads.flatMap((load) => {
    const missing = findMissingSegments(segmentsOf(load)).map(formatSegment);
    const [share, verb] = missing.length === 1 ? ["share", "is"] : ["shares", "are"];
    const suffix = loads.length === 1 ? "" : ` (it had ${load[0]?.plan.ratePerSecond ?? 0} arrivals a second)`;
    return missing.length === 0
      ? []
      : [`the ${share} ${missing.join(", ")} of the load ${verb} missing; pass the folders of all runners${suffix}`];
  });
};

/** Returns the shares that the parts ran together. Undefined if the share of a part is unknown, or if several loads are incomplete. */
export const mergeSegments = (parts: readonly MergePart[]): readonly string[] | undefined => {
  const loads = groupIntoLoads(parts);
  if (parts.some(({ segment }) => segment === undefined)) {
    return undefined;
  }
  if (loads.length === 1) {
    return joinSegments(segmentsOf(parts)).map(formatSegment);
  }
  return missingShares(parts).length === 0 ? [formatSegment(wholeLoad)] : undefined;
};
