import { setTimeout as wait } from "node:timers/promises";
import type { ResponseHead } from "../service/http/response-head.ts";
import type { SearchPorts } from "../service/ports.ts";
import { type Random, seededRandom } from "../service/seeded-random.ts";
import type { SearchEvent } from "../service/stream/search-event.ts";
import { type Frame, encodeFrame } from "../service/stream/frame.ts";
import { createDice, type Dice } from "./dice.ts";
import { serverHabits } from "./server-habits.ts";
import { type Variation, createEventVariation } from "./vary-events.ts";

const isInsideCharacter = (byte: number | undefined): boolean => ((byte ?? 0) & 0xc0) === 0x80;

/** Returns the first position at or after `position` that is inside a character, or `position` if there is none within 400 bytes. */
const moveInsideCharacter = (bytes: Buffer, position: number): number => {
  const distance = bytes.subarray(position, position + 400).findIndex(isInsideCharacter);
  return distance < 0 ? position : position + distance;
};

const splitAt = (bytes: Buffer, positions: readonly number[]): readonly Buffer[] => {
  const ends = [...new Set([...positions, bytes.length])].toSorted((a, b) => a - b);
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end)).filter(({ length }) => length > 0);
};

const randomCuts = (bytes: Buffer, dice: Dice): readonly Buffer[] => {
  const positions = Array.from({ length: dice.integer(1, 5) }, () => dice.integer(0, bytes.length));
  return splitAt(
    bytes,
    dice.chance(0.5) ? positions.map((position) => moveInsideCharacter(bytes, position)) : positions,
  );
};

const singleBytes = (bytes: Buffer, dice: Dice): readonly Buffer[] => {
  const from = dice.integer(0, bytes.length);
  // Few enough to be fast, but enough to split every kind of line ending and escape.
  return splitAt(
    bytes,
    Array.from({ length: Math.min(60, bytes.length - from) }, (_, index) => from + index),
  );
};

const maxHeldBytes = 256 * 1024;

/** Splits the bytes of one stream: whole frames, random cuts, single bytes, or several frames in one piece. */
const createChunkVariation = (random: Random): Variation<Buffer> => {
  const dice = createDice(random);
  const joinProbability = dice.pick([0, 0.3, 1]);
  const cutProbability = dice.pick([0, 0.4]);
  const singleBytesProbability = dice.pick([0, 0.1]);
  let heldChunks: Buffer[] = [];
  const pieces = (): readonly Buffer[] => {
    const bytes = Buffer.concat(heldChunks);
    heldChunks = [];
    if (dice.chance(singleBytesProbability)) {
      return singleBytes(bytes, dice);
    }
    return dice.chance(cutProbability) ? randomCuts(bytes, dice) : splitAt(bytes, []);
  };
  return {
    take: (bytes) => {
      heldChunks.push(bytes);
      const isFull = heldChunks.reduce((sum, { length }) => sum + length, 0) >= maxHeldBytes;
      return dice.chance(joinProbability) && !isFull ? [] : pieces();
    },
    end: pieces,
  };
};

const plainJson = (data: unknown): string => JSON.stringify(data) ?? "null";

/** Formats JSON with spaces. Raw line breaks only occur between tokens, because they are escaped in strings. */
const spacedJson = (data: unknown): string => (JSON.stringify(data, null, 1) ?? "null").replaceAll(/\n */gu, " ");

const asciiJson = (data: unknown): string =>
  plainJson(data).replaceAll(/[^ -~]/gu, (character) =>
    // A surrogate pair needs two escapes.
    [...Array(character.length).keys()]
      .map((index) => String.raw`\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`)
      .join(""),
  );

const goJson = (event: SearchEvent): string =>
  encodeFrame(event).bytes.toString("utf8").slice(`event: ${event.name}\ndata: `.length, -2);

/**
 * Encodes events in a permitted form: fields in either order, with or without a space after the colon, and any JSON on one line. A stream
 * may use one form or several. Source: search-stream, section 6.
 */
const createFrameVariation = (random: Random): ((event: SearchEvent) => Buffer) => {
  const dice = createDice(random);
  const dataFirstProbability = dice.pick([0, 0, 0.5, 1]);
  const noSpaceProbability = dice.pick([0, 0, 0.5, 1]);
  const otherJsonProbability = dice.pick([0, 0.5, 1]);
  const formatJson = (event: SearchEvent): string => {
    const write = dice.pick([plainJson, spacedJson, asciiJson]);
    return dice.chance(otherJsonProbability) ? write(event.data) : goJson(event);
  };
  return (event) => {
    const json = formatJson(event);
    const space = (): string => (dice.chance(noSpaceProbability) ? "" : " ");
    const lines = [`event:${space()}${event.name}`, `data:${space()}${json}`];
    return Buffer.from(`${(dice.chance(dataFirstProbability) ? lines.toReversed() : lines).join("\n")}\n\n`);
  };
};

/**
 * Independent random numbers for each layer of a stream, so that a change in one layer does not affect the others. Those of `server` are
 * the same for all streams of a seed. Responses of the conversation API use `answer` instead of the layers.
 */
export type VariationRandoms = (
  layer: "server" | "head" | "events" | "frames" | "chunks" | "delays" | "answer",
) => Random;

/** Creates the random numbers of one stream. Equal seeds and names produce equal streams. */
export const variationRandoms =
  (seed: number, name: string): VariationRandoms =>
  (layer) =>
    seededRandom(seed, `variation/${layer}/${layer === "server" ? "" : name}`);

/**
 * Varies a stream of events and returns it in pieces. Streams with the same seed and different names belong to one server, so they have
 * the same constant variations. Depends only on its arguments.
 */
export const variedStream = (events: readonly SearchEvent[], seed: number, name = ""): readonly Buffer[] => {
  const randoms = variationRandoms(seed, name);
  const variation = eventVariation(randoms);
  const frame = createFrameVariation(randoms("frames"));
  const { end, take } = createChunkVariation(randoms("chunks"));
  const variedEvents = [...events.flatMap((event) => variation.take(event)), ...variation.end()];
  return [...variedEvents.flatMap((event) => take(frame(event))), ...end()];
};

const contentTypes = [
  "text/event-stream",
  "text/event-stream; charset=utf-8",
  "text/event-stream;charset=UTF-8",
] as const;

/** Wrong dates. The clocks of some servers are wrong by years. */
const dates = ["Thu, 01 Jan 1970 00:00:00 GMT", "Fri, 31 Dec 2099 23:59:59 GMT"] as const;

const variedHead = ({ headers, status }: ResponseHead, dice: Dice): ResponseHead => ({
  status,
  headers: {
    ...headers,
    "content-type": dice.pick(contentTypes),
    ...(dice.chance(0.3) ? { connection: "close" } : {}),
    ...(dice.chance(0.3) ? { date: dice.pick(dates) } : {}),
  },
});

/** Applies a variation to the items of a stream as they arrive. */
async function* applyVariation<Item>(items: AsyncIterable<Item>, { end, take }: Variation<Item>): AsyncGenerator<Item> {
  for await (const item of items) {
    yield* take(item);
  }
  yield* end();
}

const eventVariation = (randoms: VariationRandoms): Variation<SearchEvent> =>
  createEventVariation(randoms("events"), serverHabits(randoms("server")));

async function* variedFrames(events: AsyncIterable<SearchEvent>, random: Random): AsyncGenerator<Frame> {
  const frame = createFrameVariation(random);
  for await (const event of events) {
    yield { event, bytes: frame(event) };
  }
}

const maxDelays = 3;
const maxDelayMs = 3;

/** Adds a few short delays between pieces. */
async function* delayChunks(pieces: AsyncIterable<Buffer>, dice: Dice): AsyncGenerator<Buffer> {
  let delays = 0;
  for await (const piece of pieces) {
    if (delays < maxDelays && dice.chance(0.1)) {
      delays += 1;
      await wait(dice.integer(0, maxDelayMs));
    }
    yield piece;
  }
}

/** Returns the search ports that vary head, events, bytes and pieces. */
export const variedSearch = (
  randoms: VariationRandoms,
): Pick<SearchPorts, "head" | "events" | "frames" | "pieces"> => ({
  head: (head) => variedHead(head, createDice(randoms("head"))),
  events: (events) => applyVariation(events, eventVariation(randoms)),
  frames: (events) => variedFrames(events, randoms("frames")),
  pieces: (bytes) =>
    delayChunks(applyVariation(bytes, createChunkVariation(randoms("chunks"))), createDice(randoms("delays"))),
});
