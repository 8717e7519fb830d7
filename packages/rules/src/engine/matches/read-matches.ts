import type { StreamEvent } from "@assay/stream-grammar";
import { FileIndex } from "./file-index.ts";
import type { MatchList } from "./match.ts";
import { MatchTable } from "./match-table.ts";
import { parsedMatches } from "./parsed-match.ts";

/** Returns the number of elements of a `matches` event. Returns undefined if its data is not an array. */
export function countMatches({ value }: StreamEvent): number | undefined {
  return value instanceof MatchTable || Array.isArray(value) ? value.length : undefined;
}

/** Reads the elements of a `matches` event. `files` numbers its stream's files. Empty if its data is not an array. */
export function readMatches(event: StreamEvent, files = new FileIndex()): MatchList {
  const { value } = event;
  const source = { event, files };
  return value instanceof MatchTable ? value.matches(source) : parsedMatches(source, Array.isArray(value) ? value : []);
}
