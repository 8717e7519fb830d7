import { setTimeout as wait } from "node:timers/promises";
import type { ResponseHead } from "../http/response-head.ts";
import { type Random, seededRandom } from "../seeded-random.ts";
import type { SearchEvent } from "../stream/search-event.ts";
import type { Frame } from "../stream/frame.ts";
import { createDice } from "./dice.ts";
import { serverHabits } from "./server-habits.ts";
import { createChunkVariation } from "./vary-chunks.ts";
import { createEventVariation } from "./vary-events.ts";
import { createFrameVariation } from "./vary-frame.ts";

/**
 * Independent sources of random numbers for one stream, so that a change of one layer leaves the others alone; that of `server`
 * is the same for all streams of a seed. Answers of the conversation API have `answer` instead of the layers of a stream.
 */
export type VariationRandoms = (
  layer: "server" | "head" | "events" | "frames" | "chunks" | "delays" | "answer",
) => Random;

/** The sources of one stream; equal seeds and names give equal streams. */
export const variationRandoms =
  (seed: number, name: string): VariationRandoms =>
  (layer) =>
    seededRandom(seed, `variation/${layer}/${layer === "server" ? "" : name}`);

/**
 * A stream of these events in another legal form, as the pieces it would arrive in. Streams of one seed and different names
 * [one without] are those of one server: what a server does always in the same way is the same in all of them. Depends on
 * nothing but its arguments.
 */
export const variedStream = (events: readonly SearchEvent[], seed: number, name = ""): readonly Buffer[] => {
  const randoms = variationRandoms(seed, name);
  const variation = createEventVariation(randoms("events"), serverHabits(randoms("server")));
  const frame = createFrameVariation(randoms("frames"));
  const { end, take } = createChunkVariation(randoms("chunks"));
  const varied = [...events.flatMap((event) => variation.take(event)), ...variation.end()];
  return [...varied.flatMap((event) => take(frame(event))), ...end()];
};

const types = ["text/event-stream", "text/event-stream; charset=utf-8", "text/event-stream;charset=UTF-8"] as const;

/** Clocks of servers are off, some of them by years. */
const dates = ["Thu, 01 Jan 1970 00:00:00 GMT", "Fri, 31 Dec 2099 23:59:59 GMT"] as const;

/** Another legal head for the same stream. */
export const variedHead = (head: ResponseHead, randoms: VariationRandoms): ResponseHead => {
  const dice = createDice(randoms("head"));
  return {
    ...head,
    headers: {
      ...head.headers,
      "content-type": dice.pick(types),
      ...(dice.chance(0.3) ? { connection: "close" } : {}),
      ...(dice.chance(0.3) ? { date: dice.pick(dates) } : {}),
    },
  };
};

/** The events of a stream in another legal form while they come. */
export async function* variedEvents(
  events: AsyncIterable<SearchEvent>,
  randoms: VariationRandoms,
): AsyncGenerator<SearchEvent> {
  const { end, take } = createEventVariation(randoms("events"), serverHabits(randoms("server")));
  for await (const event of events) {
    yield* take(event);
  }
  yield* end();
}

/** The events of a stream as bytes of another legal form. */
export async function* variedFrames(
  events: AsyncIterable<SearchEvent>,
  randoms: VariationRandoms,
): AsyncGenerator<Frame> {
  const frame = createFrameVariation(randoms("frames"));
  for await (const event of events) {
    yield { event, bytes: frame(event) };
  }
}

const mostDelays = 3;
const longestDelayMs = 3;

/** The bytes of a stream in other pieces, with a few short delays between them. */
export async function* variedChunks(chunks: AsyncIterable<Buffer>, randoms: VariationRandoms): AsyncGenerator<Buffer> {
  const { end, take } = createChunkVariation(randoms("chunks"));
  const dice = createDice(randoms("delays"));
  let delays = 0;
  const delayed = async function* (pieces: readonly Buffer[]): AsyncGenerator<Buffer> {
    for (const piece of pieces) {
      if (delays < mostDelays && dice.chance(0.1)) {
        delays += 1;
        await wait(dice.whole(0, longestDelayMs));
      }
      yield piece;
    }
  };
  for await (const chunk of chunks) {
    yield* delayed(take(chunk));
  }
  yield* delayed(end());
}
