import { isPayloadArray, isPayloadObject } from "../payload.ts";
import type { PayloadObject } from "../payload.ts";
import { changeElements } from "./event-transforms.ts";
import type { EventEffect } from "./event-transforms.ts";
import type { FaultRun } from "./fault-run.ts";

const objectsIn = (value: unknown): readonly PayloadObject[] =>
  isPayloadArray(value) ? value.filter((element) => isPayloadObject(element)) : [];

const numberIn = (value: unknown, ...keys: readonly string[]): number =>
  Number(keys.reduce((part: unknown, key) => (isPayloadObject(part) ? part[key] : undefined), value));

/** The name under which a chunk has its text. */
export const textMember = (chunk: PayloadObject): "context" | "content" => ("context" in chunk ? "context" : "content");

/** The lines of a chunk. */
export const chunkLines = (chunk: PayloadObject): readonly string[] => String(chunk[textMember(chunk)]).split("\n");

/** A chunk with other lines in the same place. */
export const withChunkLines = (chunk: PayloadObject, lines: readonly string[]): PayloadObject => ({
  ...chunk,
  [textMember(chunk)]: lines.join("\n"),
});

/** Number of the first line of a chunk in its file, from 0. */
export const firstLineOf = (chunk: PayloadObject): number => numberIn(chunk, "contentStart", "line");

/** A highlight of a chunk: the line it stands on, from 0, and in characters where on it and how long. */
export interface ChunkHighlight {
  readonly line: number;
  readonly column: number;
  readonly length: number;
  /** As it was sent. */
  readonly range: PayloadObject;
}

/** The highlights of a chunk; none of this server's goes over the end of a line. */
export const highlightsOf = (chunk: PayloadObject): readonly ChunkHighlight[] =>
  objectsIn(chunk["ranges"]).map((range) => {
    const column = numberIn(range, "start", "column");
    return { line: numberIn(range, "start", "line"), column, length: numberIn(range, "end", "column") - column, range };
  });

/**
 * An effect that puts other chunks, none or several, in the place of each chunk of each content match; `undefined` leaves
 * one as it is.
 */
export const changeChunks = (
  change: (chunk: PayloadObject, run: FaultRun) => readonly PayloadObject[] | undefined,
): EventEffect =>
  changeElements("matches", (match, run) => {
    const chunks = objectsIn(match["chunkMatches"]);
    const changed = chunks.map((chunk) => change(chunk, run));
    return changed.every((others) => others === undefined)
      ? undefined
      : { ...match, chunkMatches: chunks.flatMap((chunk, index) => changed[index] ?? [chunk]) };
  });

/** The chunks of a content match; `undefined` when it has no such list. */
export const chunksIn = (match: PayloadObject): readonly PayloadObject[] | undefined =>
  isPayloadArray(match["chunkMatches"]) ? objectsIn(match["chunkMatches"]) : undefined;
