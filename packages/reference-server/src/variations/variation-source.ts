import { randomInt } from "node:crypto";
import { type VariationRandoms, variationRandoms } from "./varied-stream.ts";

const mostUrls = 10_000;
const largestSeed = 2 ** 32;

/**
 * Gives every answer its own variation: the first, second and every further one to a URL, whatever other requests come between.
 * Equal seeds give equal sources; beyond 10,000 different URLs counting starts again.
 */
export const createVariationSource = (seed: number | undefined): ((url: string) => VariationRandoms) => {
  const fixedSeed = seed ?? randomInt(largestSeed);
  const times = new Map<string, number>();
  return (url) => {
    const time = (times.get(url) ?? 0) + 1;
    if (times.size >= mostUrls) {
      times.clear();
    }
    times.set(url, time);
    return variationRandoms(fixedSeed, `${url}/${time}`);
  };
};
