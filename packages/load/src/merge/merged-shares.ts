import { HarnessError } from "@assay/contract";
import { canonicalJson } from "./canonical-json.ts";
import {
  type ExecutionSegment,
  isOverlapping,
  isWhole,
  joinedSegments,
  missingSegments,
  segmentText,
  wholeLoad,
} from "./execution-segment.ts";
import type { MergePart } from "./merge-part.ts";

/** Parts grouped into loads: those that share one plan, and whole loads each alone. Parts that name no share are left out. */
export const loadsOf = (parts: readonly MergePart[]): readonly (readonly MergePart[])[] => {
  const shared = new Map<string, MergePart[]>();
  const whole: MergePart[][] = [];
  for (const part of parts) {
    if (part.segment !== undefined && isWhole(part.segment)) {
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

/** True if both made the same share of one plan. Two whole loads are two loads. */
const isSameShare = (one: MergePart, other: MergePart): boolean =>
  one.segment !== undefined &&
  other.segment !== undefined &&
  !(isWhole(one.segment) && isWhole(other.segment)) &&
  canonicalJson(one.plan) === canonicalJson(other.plan) &&
  isOverlapping(one.segment, other.segment);

const shareText = ({ segment }: MergePart): string => (segment === undefined ? "" : segmentText(segment));

/** Fails with `merged-twice`, which names both parts, if two parts made the same share of one plan. */
export const checkShares = (parts: readonly MergePart[]): void => {
  for (const [index, part] of parts.entries()) {
    const other = parts.slice(0, index).find((earlier) => isSameShare(earlier, part));
    if (other !== undefined) {
      throw new HarnessError(
        "merged-twice",
        `${other.folder} made the share ${shareText(other)} of the load and ${part.folder} the share ${shareText(part)}, which overlap; give each share once`,
      );
    }
  }
};

/** The missing shares, one sentence for each load that is not whole. */
export const missingShares = (parts: readonly MergePart[]): readonly string[] => {
  const loads = loadsOf(parts);
  return loads.flatMap((load) => {
    const missing = missingSegments(segmentsOf(load)).map(segmentText);
    const [share, verb] = missing.length === 1 ? ["share", "is"] : ["shares", "are"];
    const which = loads.length === 1 ? "" : ` (it had ${load[0]?.plan.ratePerSecond ?? 0} arrivals a second)`;
    return missing.length === 0
      ? []
      : [`the ${share} ${missing.join(", ")} of the load ${verb} missing; give the folders of all runners${which}`];
  });
};

/** The shares that all parts made together; undefined if a part names none, or if several loads lack shares. */
export const mergedSegments = (parts: readonly MergePart[]): readonly string[] | undefined => {
  const loads = loadsOf(parts);
  if (parts.some(({ segment }) => segment === undefined)) {
    return undefined;
  }
  if (loads.length === 1) {
    return joinedSegments(segmentsOf(parts)).map(segmentText);
  }
  return missingShares(parts).length === 0 ? [segmentText(wholeLoad)] : undefined;
};
