import type { LoadPlan, LoadShape } from "@assay/results";
import { arrivalKinds } from "../result/sample-latencies.ts";
import type { MergePart } from "./merge-part.ts";

/** Mean rate of a shape as a share of its highest. */
const meanShare = { steady: 1, soak: 1, ramp: 0.55, spike: 1.6 / 3, breakpoint: 0.55 } as const satisfies Record<
  LoadShape,
  number
>;

/** More arrivals than this many times those of one plan were not made by shares of it. */
const oneLoad = 1.5;

const arrivalsOf = (parts: readonly MergePart[]): number =>
  parts.reduce((sum, { tally, droppedIterations = 0 }) => {
    const kinds = arrivalKinds.map((kind) =>
      Object.values(tally.outcomes[kind] ?? {}).reduce((total, count) => total + count, 0),
    );
    return sum + droppedIterations + Math.max(...kinds);
  }, 0);

const sumOf = (parts: readonly MergePart[], member: "ratePerSecond" | "maxVus"): number =>
  parts.reduce((sum, { plan }) => sum + plan[member], 0);

/**
 * The plan of the whole. Processes that ran segments of one plan all have its full rate; others have a share each, which add up.
 * Equal rates are told apart by how many arrivals there were in all.
 */
export const mergedPlan = (parts: readonly [MergePart, ...MergePart[]]): LoadPlan => {
  const [{ plan }] = parts;
  const areEqual = parts.every((part) => part.plan.ratePerSecond === plan.ratePerSecond);
  const expected = (plan.ratePerSecond * meanShare[plan.shape] * plan.durationMs) / 1000;
  const isOneLoad = areEqual && (plan.blocks !== undefined || arrivalsOf(parts) <= oneLoad * Math.max(expected, 1));
  return parts.length === 1 || isOneLoad
    ? plan
    : { ...plan, ratePerSecond: sumOf(parts, "ratePerSecond"), maxVus: sumOf(parts, "maxVus") };
};
