import { fullCheckAgainstJsonParse, fullCheckAgainstTextbook, ratioIn } from "./goals.ts";
import type { SpeedResult } from "./measurements.ts";

/** The share of a published ratio that a quick run must reach. */
const leastShare = 0.9;

/** A ratio to a peer that fell below the published one. */
export interface Slowdown {
  /** The compared layer, peer and profile. */
  readonly name: string;
  readonly sentence: string;
}

const peerRatios = [fullCheckAgainstJsonParse, fullCheckAgainstTextbook];

/**
 * Returns the ratios to peers of each profile whose ratios all fell below nine tenths of the published ones. If only one ratio
 * falls, its peer is faster on this machine than where the figures were published, or the machine is busy: a slower check
 * lowers all of them.
 */
export const findSlowdowns = (
  measured: readonly SpeedResult[],
  published: readonly SpeedResult[],
): readonly Slowdown[] =>
  published.flatMap((result) => {
    const counterpart = measured.find(({ profile }) => profile === result.profile);
    const slowdowns = peerRatios.flatMap((peerRatio) => {
      const publishedRatio = ratioIn(result, peerRatio);
      const ratio = counterpart === undefined ? Number.NaN : ratioIn(counterpart, peerRatio);
      const name = `${peerRatio.name}, ${result.profile}`;
      const sentence = `${name}: ${ratio.toFixed(2)} times, published ${publishedRatio.toFixed(2)} times`;
      return ratio >= leastShare * publishedRatio ? [] : [{ name, sentence }];
    });
    return slowdowns.length === peerRatios.length ? slowdowns : [];
  });
