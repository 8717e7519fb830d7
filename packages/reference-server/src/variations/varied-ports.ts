import { randomInt } from "node:crypto";
import { defaultPorts, type ServerPorts } from "../service/ports.ts";
import { varyAnswer } from "./conversation/vary-answer.ts";
import { type VariationRandoms, variationRandoms, variedSearch } from "./varied-stream.ts";

const maxNames = 10_000;
const maxSeed = 2 ** 32;

/**
 * Varies every response differently, by name and number of the request and independently of other requests. Equal seeds produce equal
 * variations. After 10,000 different names, counting restarts.
 */
const createVariationSource = (seed: number): ((name: string) => VariationRandoms) => {
  const counts = new Map<string, number>();
  return (name) => {
    const count = (counts.get(name) ?? 0) + 1;
    if (counts.size >= maxNames) {
      counts.clear();
    }
    counts.set(name, count);
    return variationRandoms(seed, `${name}/${count}`);
  };
};

/** Creates the ports of a server that varies every response. Without a seed, variations are not reproducible. */
export const variedPorts = (seed: number = randomInt(maxSeed)): ServerPorts => {
  const createRandoms = createVariationSource(seed);
  return {
    exchange: (context) => {
      const defaults = defaultPorts.exchange(context);
      let cachedRandoms: VariationRandoms | undefined;
      // Refused searches are not counted.
      const randoms: VariationRandoms = (layer) => (cachedRandoms ??= createRandoms(context.url))(layer);
      return {
        ...defaults,
        search: { ...defaults.search, ...variedSearch(randoms) },
        conversation: {
          ...defaults.conversation,
          answer: (answer, call) => varyAnswer(answer, call, createRandoms(call.signature())),
        },
      };
    },
  };
};
