import type { ByteSpan } from "../ripgrep/file-hits.ts";
import { type CommitText, rangesInLine } from "./commit-text.ts";

/** Returns the whole commit message as the text of a result. */
export const messageText = (message: string, spansIn: (line: string) => readonly ByteSpan[]): CommitText => {
  const lines = message.split("\n");
  return {
    lines,
    ranges: lines.flatMap((line, index) => rangesInLine(line, spansIn(line), { line: index + 1, prefix: 0 })),
  };
};
