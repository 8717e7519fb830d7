import { randomInt } from "node:crypto";
import { plainPorts, type ServerPorts } from "../service/ports.ts";
import { varyAnswer } from "./conversation/vary-answer.ts";
import { type VariationRandoms, variationRandoms, variedSearch } from "./varied-stream.ts";

const maxNames = 10_000;
const maxSeed = 2 ** 32;

/**
 * Gives every answer its own variation: the first, second and every further one of a name, whatever other requests come between.
 * Equal seeds give equal sources; beyond 10,000 different names counting starts again.
 */
const createVariationSource = (seed: number): ((name: string) => VariationRandoms) => {
  const times = new Map<string, number>();
  return (name) => {
    const time = (times.get(name) ?? 0) + 1;
    if (times.size >= maxNames) {
      times.clear();
    }
    times.set(name, time);
    return variationRandoms(seed, `${name}/${time}`);
  };
};

/** The ports of a server whose every answer makes use of the freedom that the document leaves; without a seed none repeats. */
export const variedPorts = (seed: number = randomInt(maxSeed)): ServerPorts => {
  const randomsFor = createVariationSource(seed);
  return {
    exchange: (context) => {
      const plain = plainPorts.exchange(context);
      let own: VariationRandoms | undefined;
      // A search that is refused is none of those that are counted.
      const randoms: VariationRandoms = (layer) => (own ??= randomsFor(context.url))(layer);
      return {
        ...plain,
        search: { ...plain.search, ...variedSearch(randoms) },
        conversation: {
          ...plain.conversation,
          answer: (answer, call) => varyAnswer(answer, call, randomsFor(call.signature())),
        },
      };
    },
  };
};
