import type { Random } from "../seeded-random.ts";
import { createDice, type Dice } from "./dice.ts";

/** Takes the bytes of one stream and gives them back in other pieces, possibly later. */
export interface ChunkVariation {
  readonly take: (bytes: Buffer) => readonly Buffer[];
  /** What is left once the last bytes were taken. */
  readonly end: () => readonly Buffer[];
}

const isInsideCharacter = (byte: number | undefined): boolean => ((byte ?? 0) & 0xc0) === 0x80;

/** The first place at or after a position that cuts a character in two; the position itself when there is none nearby. */
const insideCharacter = (bytes: Buffer, position: number): number => {
  const found = bytes.subarray(position, position + 400).findIndex(isInsideCharacter);
  return found < 0 ? position : position + found;
};

const cutAt = (bytes: Buffer, positions: readonly number[]): readonly Buffer[] => {
  const ends = [...new Set([...positions, bytes.length])].toSorted((one, other) => one - other);
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end)).filter(({ length }) => length > 0);
};

const randomCuts = (bytes: Buffer, dice: Dice): readonly Buffer[] => {
  const positions = Array.from({ length: dice.whole(1, 5) }, () => dice.whole(0, bytes.length));
  return cutAt(bytes, dice.chance(0.5) ? positions.map((position) => insideCharacter(bytes, position)) : positions);
};

const singleBytes = (bytes: Buffer, dice: Dice): readonly Buffer[] => {
  const from = dice.whole(0, bytes.length);
  // Few enough to cost nothing, many enough to cut every kind of line end and escape.
  return cutAt(
    bytes,
    Array.from({ length: Math.min(60, bytes.length - from) }, (_, index) => from + index),
  );
};

const mostHeldBytes = 256 * 1024;

/** The pieces of one stream: frames whole, cut anywhere, byte by byte, or several in one piece. The bytes stay the same. */
export const createChunkVariation = (random: Random): ChunkVariation => {
  const dice = createDice(random);
  const [joining, cutting, single] = [dice.pick([0, 0.3, 1]), dice.pick([0, 0.4]), dice.pick([0, 0.1])];
  let held: Buffer[] = [];
  const pieces = (): readonly Buffer[] => {
    const bytes = Buffer.concat(held);
    held = [];
    if (dice.chance(single)) {
      return singleBytes(bytes, dice);
    }
    return dice.chance(cutting) ? randomCuts(bytes, dice) : cutAt(bytes, []);
  };
  return {
    take: (bytes) => {
      held.push(bytes);
      const isFull = held.reduce((sum, { length }) => sum + length, 0) >= mostHeldBytes;
      return dice.chance(joining) && !isFull ? [] : pieces();
    },
    end: pieces,
  };
};
